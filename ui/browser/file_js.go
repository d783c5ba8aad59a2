//go:build js && wasm

package browser

import (
	"errors"
	"io"

	js "github.com/hack-pad/safejs"
)

// FileRef is a file the person chose. It can be posted to a worker without being
// read; the zero value is no file.
type FileRef struct{ v js.Value }

// Valid reports whether there is a file.
func (f FileRef) Valid() bool { return truthy(f.v) }

// Name returns the file's name without a folder.
func (f FileRef) Name() string { return text(get(f.v, "name")) }

// Size returns in bytes.
func (f FileRef) Size() int64 { return int64(number(get(f.v, "size"))) }

// Open streams the file. Reads block the goroutine, never the event loop, so
// messages are still handled between chunks; do not read inside a callback.
func (f FileRef) Open() (io.ReadCloser, error) { return f.open("") }

// OpenGzip streams the file through the browser's own gzip decoder.
func (f FileRef) OpenGzip() (io.ReadCloser, error) { return f.open("gzip") }

func (f FileRef) open(format string) (io.ReadCloser, error) {
	if !f.Valid() {
		return nil, errors.New("no file")
	}
	stream, err := f.v.Call("stream")
	if err != nil {
		return nil, err
	}
	if format != "" {
		decoder, err := global("DecompressionStream").New(format)
		if err != nil {
			return nil, errors.New("this browser cannot unpack .gz files: unpack it first")
		}
		if stream, err = stream.Call("pipeThrough", decoder); err != nil {
			return nil, err
		}
	}
	reader, err := stream.Call("getReader")
	if err != nil {
		return nil, err
	}
	return &fileReader{reader: reader}, nil
}

type fileReader struct {
	reader js.Value
	rest   []byte
	err    error
}

func (r *fileReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 && r.err == nil {
		r.rest, r.err = r.chunk()
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *fileReader) chunk() ([]byte, error) {
	promise, err := r.reader.Call("read")
	if err != nil {
		return nil, err
	}
	got, err := await(promise)
	if err != nil {
		return nil, err
	}
	if truthy(get(got, "done")) {
		return nil, io.EOF
	}
	return fromBytes(get(got, "value"), nil)
}

// Close lets the browser drop what was not read.
func (r *fileReader) Close() error {
	_, err := r.reader.Call("cancel")
	return err
}

// PickFile opens the browser's file dialog; call it from a click or key handler.
// accept is as in HTML, for example ".swf,.gz,.csv".
func PickFile(accept string, picked func(FileRef)) error {
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
			picked(f)
		}
	})
	if _, err := input.Call("addEventListener", "change", fn.Value()); err != nil {
		return err
	}
	_, err = input.Call("click")
	return err
}

// OnDrop receives files dropped anywhere on the page.
func OnDrop(dropped func(FileRef)) error {
	fn := callback("dropped file", func(args []js.Value) {
		if f := (FileRef{v: arg(args, 0)}); f.Valid() {
			dropped(f)
		}
	})
	_, err := js.Global().Call("labOnDrop", fn.Value())
	return err
}

func firstFile(list js.Value) FileRef {
	f, err := list.Index(0)
	if err != nil {
		return FileRef{}
	}
	return FileRef{v: f}
}
