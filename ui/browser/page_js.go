//go:build js && wasm

package browser

import (
	"errors"
	"fmt"

	js "github.com/hack-pad/safejs"
)

// FieldValue returns the value of the input or textarea with the given id. Vugu must not control the element.
func FieldValue(id string) (string, error) {
	el := element(id)
	if !truthy(el) {
		return "", fmt.Errorf("expected an element %q in the page, found none", id)
	}
	return text(get(el, "value")), nil
}

// ElementText returns the text content of an element, or "" if there is no such element.
func ElementText(id string) string {
	if el := element(id); truthy(el) {
		return text(get(el, "textContent"))
	}
	return ""
}

// SetFieldValue sets the value of an input or textarea that Vugu does not control. The value may
// have any length.
func SetFieldValue(id, value string) error {
	el := element(id)
	if !truthy(el) {
		return fmt.Errorf("expected an element %q in the page, found none", id)
	}
	return el.Set("value", value)
}

// Focus gives an element the keyboard focus. It returns false if there is no such element.
func Focus(id string) bool {
	el := element(id)
	if !truthy(el) {
		return false
	}
	_, err := el.Call("focus")
	return err == nil
}

// Download makes the browser save data as a file with the given name and MIME type.
func Download(name, mime string, data []byte) error {
	a, err := toBytes(data)
	if err != nil {
		return err
	}
	_, err = js.Global().Call("labDownload", name, mime, a)
	return err
}

// CopyText copies text to the clipboard, and then calls done. Call it in a click or key handler. If
// the browser forbids the copy, done receives an error. The caller should then show the text, so
// that the user can copy it.
func CopyText(s string, done func(error)) {
	promise, err := get(global("navigator"), "clipboard").Call("writeText", s)
	if err != nil {
		done(errors.New("the browser does not allow this page to use the clipboard"))
		return
	}
	go func() {
		defer Recover("clipboard")
		_, err := await(promise)
		done(err)
	}()
}

// MatchesMedia reports whether a media query, such as "(prefers-color-scheme: dark)", matches.
func MatchesMedia(query string) bool {
	m, err := js.Global().Call("matchMedia", query)
	return err == nil && truthy(get(m, "matches"))
}

// OnMediaChange sets a function to call each time the result of a media query changes.
func OnMediaChange(query string, changed func(matches bool)) error {
	m, err := js.Global().Call("matchMedia", query)
	if err != nil {
		return err
	}
	return listen(m, "change", "media query", func(ev js.Value) { changed(truthy(get(ev, "matches"))) })
}

// SetRootAttr sets an attribute of <html>, which Vugu does not control. An empty value
// removes the attribute.
func SetRootAttr(name, value string) error {
	rootEl := get(global("document"), "documentElement")
	if value == "" {
		_, err := rootEl.Call("removeAttribute", name)
		return err
	}
	_, err := rootEl.Call("setAttribute", name, value)
	return err
}

// Fragment returns the fragment of the address without "#", not decoded.
func Fragment() string {
	h := text(get(global("location"), "hash"))
	if h != "" {
		h = h[1:]
	}
	return h
}

// SetFragment replaces the fragment of the address. It adds no history entry and does not call the function passed to
// OnFragmentChange.
func SetFragment(fragment string) error {
	location := global("location")
	address := text(get(location, "pathname")) + text(get(location, "search"))
	if fragment != "" {
		address = "#" + fragment
	}
	_, err := global("history").Call("replaceState", nil, "", address)
	return err
}

// PushHistoryEntry adds an entry with the current address to the browser's history. SetFragment then changes only the
// new entry, so that Back returns to the current address.
func PushHistoryEntry() {
	_, _ = global("history").Call("pushState", nil, "", Address())
}

// Random returns an unpredictable number, for use as a seed.
func Random() uint32 {
	a, err := global("Uint32Array").New(1)
	if err == nil {
		_, err = global("crypto").Call("getRandomValues", a)
	}
	if err != nil {
		return 0
	}
	return uint32(number(get(a, "0")))
}

// LoadFile returns the content of a text file that the page loads only on demand. The script function labPart
// finds the file by the given name. LoadFile must not be called in a callback.
func LoadFile(name string) ([]byte, error) {
	got, err := CallAsync("labPart", name)
	return []byte(got), err
}

// CallAsync calls a global JavaScript function that returns a promise of a string, and returns this string. It
// waits for the promise, so it must not be called in a callback.
func CallAsync(name string, args ...any) (string, error) {
	promise, err := js.Global().Call(name, args...)
	if err != nil {
		return "", err
	}
	got, err := await(promise)
	return text(got), err
}

// Framed reports whether the page is embedded in another page.
func Framed() bool { return !get(js.Global(), "parent").Equal(js.Global()) }

// Address returns the complete address of the page.
func Address() string { return text(get(global("location"), "href")) }

// Deflate makes the browser compress data in the raw deflate format. It waits for the browser, so it must not be called
// in a callback.
func Deflate(data []byte) ([]byte, error) {
	encoder, err := global("CompressionStream").New("deflate-raw")
	if err != nil {
		return nil, errors.New("this browser does not support compression")
	}
	a, err := toBytes(data)
	if err != nil {
		return nil, err
	}
	source, err := global("Response").New(a)
	if err != nil {
		return nil, err
	}
	stream, err := get(source, "body").Call("pipeThrough", encoder)
	if err != nil {
		return nil, err
	}
	packed, err := global("Response").New(stream)
	if err != nil {
		return nil, err
	}
	promise, err := packed.Call("arrayBuffer")
	if err != nil {
		return nil, err
	}
	buffer, err := await(promise)
	if err != nil {
		return nil, err
	}
	return fromBytes(buffer, nil)
}

// OpenedByLink reports whether the page was opened by a link or a typed address. It returns false after a reload, and
// after the user has returned to the page with Back or Forward.
func OpenedByLink() bool {
	entries, err := global("performance").Call("getEntriesByType", "navigation")
	return err == nil && text(get(get(entries, "0"), "type")) == "navigate"
}

// OnFragmentChange sets the function to call when the user or a link changes the fragment of the address.
func OnFragmentChange(changed func(fragment string)) error {
	return listen(js.Global(), "hashchange", "address fragment", func(js.Value) { changed(Fragment()) })
}
