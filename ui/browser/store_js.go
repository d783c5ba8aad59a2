//go:build js && wasm

package browser

// Store is a convenience that may be absent: frames and strict browsers forbid
// it, so nothing may depend on it.
type Store struct{ name string }

// Local outlives the tab, Session does not.
var (
	Local   = Store{"localStorage"}
	Session = Store{"sessionStorage"}
)

// Get returns what is stored; false when nothing is or storing is forbidden.
func (s Store) Get(key string) (string, bool) {
	v, err := refusable(s.name).Call("getItem", key)
	if err != nil || v.IsNull() || v.IsUndefined() {
		return "", false
	}
	return text(v), true
}

// Set reports whether it was stored.
func (s Store) Set(key, value string) bool {
	_, err := refusable(s.name).Call("setItem", key, value)
	return err == nil
}

// Remove forgets a key.
func (s Store) Remove(key string) {
	_, _ = refusable(s.name).Call("removeItem", key)
}
