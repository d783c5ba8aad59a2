//go:build js && wasm

package browser

import (
	"errors"
	"fmt"

	js "github.com/hack-pad/safejs"
)

// Text reads the value of an input or textarea that Vugu does not control.
func Text(id string) (string, error) {
	el := element(id)
	if !truthy(el) {
		return "", fmt.Errorf("no element %q", id)
	}
	return text(get(el, "value")), nil
}

// SetText writes it, whatever the length.
func SetText(id, value string) error {
	el := element(id)
	if !truthy(el) {
		return fmt.Errorf("no element %q", id)
	}
	return el.Set("value", value)
}

// Focus moves the keyboard to an element; false when there is none.
func Focus(id string) bool {
	el := element(id)
	if !truthy(el) {
		return false
	}
	_, err := el.Call("focus")
	return err == nil
}

// Download hands data to the person as a file.
func Download(name, mime string, data []byte) error {
	a, err := toBytes(data)
	if err != nil {
		return err
	}
	_, err = js.Global().Call("labDownload", name, mime, a)
	return err
}

// CopyText puts text on the clipboard; call it from a click or key handler. done
// gets an error where the browser forbids it, then offer the text for selection.
func CopyText(s string, done func(error)) {
	promise, err := get(global("navigator"), "clipboard").Call("writeText", s)
	if err != nil {
		done(errors.New("this page may not use the clipboard"))
		return
	}
	go func() {
		defer Recover("clipboard")
		_, err := await(promise)
		done(err)
	}()
}

// Media reports whether a media query matches, e.g. "(prefers-color-scheme: dark)".
func Media(query string) bool {
	m, err := js.Global().Call("matchMedia", query)
	return err == nil && truthy(get(m, "matches"))
}

// OnMedia reports each change of a media query, not its present value.
func OnMedia(query string, changed func(matches bool)) error {
	m, err := js.Global().Call("matchMedia", query)
	if err != nil {
		return err
	}
	return listen(m, "change", "media query", func(ev js.Value) { changed(truthy(get(ev, "matches"))) })
}

// SetRootAttr sets an attribute of <html>, which Vugu does not own: data-theme.
// An empty value removes it.
func SetRootAttr(name, value string) error {
	rootEl := get(global("document"), "documentElement")
	if value == "" {
		_, err := rootEl.Call("removeAttribute", name)
		return err
	}
	_, err := rootEl.Call("setAttribute", name, value)
	return err
}

// Hash returns the fragment of the address without "#", undecoded.
func Hash() string {
	h := text(get(global("location"), "hash"))
	if h != "" {
		h = h[1:]
	}
	return h
}

// SetHash replaces the fragment without a new history entry and without OnHash.
func SetHash(fragment string) error {
	location := global("location")
	address := text(get(location, "pathname")) + text(get(location, "search"))
	if fragment != "" {
		address = "#" + fragment
	}
	_, err := global("history").Call("replaceState", nil, "", address)
	return err
}

// Random returns a number that nobody can foresee, for seeds that a person may keep.
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

// Part returns a file of the site that the page fetches only when it is asked for, by the
// name that the page gives it.
func Part(name string) ([]byte, error) {
	got, err := Ask("labPart", name)
	return []byte(got), err
}

// Ask calls a function of the page that answers later, with a text. It waits, so it
// must not be called in a callback.
func Ask(name string, args ...any) (string, error) {
	promise, err := js.Global().Call(name, args...)
	if err != nil {
		return "", err
	}
	got, err := await(promise)
	return text(got), err
}

// Framed reports whether another page shows this one in a frame.
func Framed() bool { return !get(js.Global(), "parent").Equal(js.Global()) }

// Address returns the whole address of the page.
func Address() string { return text(get(global("location"), "href")) }

// Deflate compresses with the browser's raw deflate. It waits, so it must not be
// called in a callback.
func Deflate(data []byte) ([]byte, error) {
	encoder, err := global("CompressionStream").New("deflate-raw")
	if err != nil {
		return nil, errors.New("this browser cannot compress")
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

// OnHash reports fragments that the person or a link set.
func OnHash(changed func(fragment string)) error {
	return listen(js.Global(), "hashchange", "address fragment", func(js.Value) { changed(Hash()) })
}
