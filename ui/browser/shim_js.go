//go:build js && wasm

package browser

import (
	"fmt"

	js "github.com/hack-pad/safejs"
)

// Call calls a global function of the hand-written scripts, such as "labDownload". An argument may be nil, a bool,
// int, float64 or string, or a []byte, which becomes a new Uint8Array. The result is a bool, float64, string,
// []byte or nil. Calls are slow, so pass many items in one call.
func Call(name string, args ...any) (any, error) {
	conv := make([]any, len(args))
	for i, a := range args {
		data, ok := a.([]byte)
		if !ok {
			conv[i] = a
			continue
		}
		v, err := toBytes(data)
		if err != nil {
			return nil, err
		}
		conv[i] = v
	}
	out, err := js.Global().Call(name, conv...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return fromValue(out), nil
}

// Expose defines a global function that the hand-written scripts can call. Its arguments have the same types as
// results of Call. Vugu holds a lock during a render, and f may need this lock. Scripts that run during a
// render must therefore call the function through labLater (guard.js). Otherwise f would wait forever.
func Expose(name string, f func(args []any)) error {
	return ExposeValue(name, func(args []any) any {
		f(args)
		return nil
	})
}

// ExposeValue defines a global function that returns a string, a number, or a list of strings and numbers. Scripts also
// call this function during a render, so f must not need the render lock.
func ExposeValue(name string, f func(args []any) any) error {
	fn := callbackWithResult(name, func(args []js.Value) any {
		conv := make([]any, len(args))
		for i, a := range args {
			conv[i] = fromValue(a)
		}
		return f(conv)
	})
	return js.Global().Set(name, fn.Value())
}

// fromValue converts a JavaScript value to one of the result types of Call.
func fromValue(v js.Value) any {
	switch v.Type() {
	case js.TypeBoolean:
		return truthy(v)
	case js.TypeNumber:
		return number(v)
	case js.TypeString:
		return text(v)
	case js.TypeObject:
		if get(v, "byteLength").Type() == js.TypeNumber {
			data, err := fromBytes(v, nil)
			if err == nil {
				return data
			}
		}
	}
	return nil
}
