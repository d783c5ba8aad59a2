//go:build js && wasm

package browser

// Store is one of the browser's key-value stores. Some browsers forbid it in frames or with
// strict settings, so the page must work without it.
type Store struct{ name string }

// Local keeps its values after the tab is closed; Session does not.
var (
	Local   = Store{"localStorage"}
	Session = Store{"sessionStorage"}
)

// Get returns the value stored under key. It returns false if there is none or if the browser forbids storage.
func (s Store) Get(key string) (string, bool) {
	v, err := tryGlobal(s.name).Call("getItem", key)
	if err != nil || v.IsNull() || v.IsUndefined() {
		return "", false
	}
	return text(v), true
}

// Set stores a value under key and reports whether this succeeded.
func (s Store) Set(key, value string) bool {
	_, err := tryGlobal(s.name).Call("setItem", key, value)
	return err == nil
}

// Remove deletes a key.
func (s Store) Remove(key string) {
	_, _ = tryGlobal(s.name).Call("removeItem", key)
}
