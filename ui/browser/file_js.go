//go:build js && wasm

package browser

import (
	"errors"
	"io"

	js "github.com/hack-pad/safejs"
)

// FileRef is a file that the user selected. It can be posted to a worker without being
// read. The zero value refers to no file.
type FileRef struct{ v js.Value }

// Valid reports whether f refers to a file.
func (f FileRef) Valid() bool { return truthy(f.v) }

// Same reports whether f and o are the same file object. If the user selects a file twice, this gives two objects.
func (f FileRef) Same(o FileRef) bool { return f.v.Equal(o.v) }

// Name returns the name of the file without its folder.
func (f FileRef) Name() string { return text(get(f.v, "name")) }

// Size returns the size of the file in bytes.
func (f FileRef) Size() int64 { return int64(number(get(f.v, "size"))) }

// ReadAt fills p with the bytes of the file that begin at offset off. It blocks the goroutine but not the event
// loop, so messages are still handled. It must not be called in a callback.
func (f FileRef) ReadAt(p []byte, off int64) (int, error) {
	if !f.Valid() {
		return 0, errors.New("no file")
	}
	part, err := f.v.Call("slice", float64(off), float64(off)+float64(len(p)))
	if err != nil {
		return 0, err
	}
	promise, err := part.Call("arrayBuffer")
	if err != nil {
		return 0, err
	}
	buffer, err := await(promise)
	if err != nil {
		return 0, err
	}
	bytes, err := global("Uint8Array").New(buffer)
	if err != nil {
		return 0, err
	}
	n, err := js.CopyBytesToGo(p, bytes)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// FetchFile downloads a file that the page loads only on demand, such as a trace. The script function labFetchFile
// finds the file by partName, a name such as "trace". The returned file gets the given name. FetchFile blocks until the
// file has arrived, so it must not be called in a callback.
func FetchFile(partName, name string) (FileRef, error) {
	promise, err := js.Global().Call("labFetchFile", partName, name)
	if err != nil {
		return FileRef{}, err
	}
	f, err := await(promise)
	return FileRef{v: f}, err
}

// PickFile opens the browser's file dialog, and calls onPick with the file that the user selects. It must be called in
// a click or key handler. The file types to offer are listed as in HTML, for example ".swf,.gz,.csv".
func PickFile(accept string, onPick func(FileRef)) error {
	input, err := global("document").Call("createElement", "input")
	if err != nil {
		return err
	}
	for name, value := range map[string]any{"type": "file", "accept": accept} {
		if err := input.Set(name, value); err != nil {
			return err
		}
	}
	var fn js.Func
	fn = callback("file dialog", func([]js.Value) {
		defer fn.Release()
		if f := firstFile(get(input, "files")); f.Valid() {
			onPick(f)
		}
	})
	if _, err := input.Call("addEventListener", "change", fn.Value()); err != nil {
		return err
	}
	_, err = input.Call("click")
	return err
}

// OnDrop sets the function to call with each file that the user drops on the page.
func OnDrop(dropped func(FileRef)) error {
	fn := callback("dropped file", func(args []js.Value) {
		if f := (FileRef{v: arg(args, 0)}); f.Valid() {
			dropped(f)
		}
	})
	_, err := js.Global().Call("labOnDrop", fn.Value())
	return err
}

// firstFile returns the first file of a FileList, or the zero value if the list is empty.
func firstFile(list js.Value) FileRef {
	f, err := list.Index(0)
	if err != nil {
		return FileRef{}
	}
	return FileRef{v: f}
}
