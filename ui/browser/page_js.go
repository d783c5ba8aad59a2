//go:build js && wasm

package browser

import (
	"errors"
	"fmt"

	js "github.com/hack-pad/safejs"
)

// Text returns the value of the input or textarea with this id. Vugu must not control the element.
func Text(id string) (string, error) {
	el := element(id)
	if !truthy(el) {
		return "", fmt.Errorf("expected an element %q in the page, found none", id)
	}
	return text(get(el, "value")), nil
}

// Content returns the text content of an element, "" if there is no such element.
func Content(id string) string {
	if el := element(id); truthy(el) {
		return text(get(el, "textContent"))
	}
	return ""
}

// SetText sets the value of an input or textarea that Vugu does not control. The value may
// have any length.
func SetText(id, value string) error {
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

// Download lets the user save data as a file.
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

// Media reports whether a media query matches, such as "(prefers-color-scheme: dark)".
func Media(query string) bool {
	m, err := js.Global().Call("matchMedia", query)
	return err == nil && truthy(get(m, "matches"))
}

// OnMedia calls changed each time the result of a media query changes.
func OnMedia(query string, changed func(matches bool)) error {
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

// Hash returns the fragment of the address without "#", not decoded.
func Hash() string {
	h := text(get(global("location"), "hash"))
	if h != "" {
		h = h[1:]
	}
	return h
}

// SetHash replaces the fragment. It adds no history entry and does not trigger OnHash.
func SetHash(fragment string) error {
	location := global("location")
	address := text(get(location, "pathname")) + text(get(location, "search"))
	if fragment != "" {
		address = "#" + fragment
	}
	_, err := global("history").Call("replaceState", nil, "", address)
	return err
}

// PushEntry adds a history entry with the current address. SetHash then replaces only the new
// entry, so that Back returns to the current address.
func PushEntry() {
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

// LoadFile returns a file that the page loads only when it needs it. name is the page's name
// for the file.
func LoadFile(name string) ([]byte, error) {
	got, err := CallAsync("labPart", name)
	return []byte(got), err
}

// CallAsync calls a global JavaScript function that returns a promise of a string. It waits for the promise, so
// it must not be called in a callback.
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

// Deflate compresses data with the browser's raw deflate. It waits for the browser, so it
// must not be called in a callback.
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

// Navigated reports whether the page was opened by a link or a typed address. It is false after a
// reload, and if the user returned to the page with Back or Forward.
func Navigated() bool {
	entries, err := global("performance").Call("getEntriesByType", "navigation")
	return err == nil && text(get(get(entries, "0"), "type")) == "navigate"
}

// OnHash calls changed when the user or a link changes the fragment.
func OnHash(changed func(fragment string)) error {
	return listen(js.Global(), "hashchange", "address fragment", func(js.Value) { changed(Hash()) })
}
