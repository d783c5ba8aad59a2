//go:build js && wasm

package browser

import (
	"fmt"

	js "github.com/hack-pad/safejs"
)

// Call calls a global function of the hand-written scripts, such as "labDownload".
// Arguments may be nil, bool, int, float64, string and []byte (passed as a Uint8Array over
// a new ArrayBuffer). The result is a bool, float64, string, []byte or nil. Calls are slow:
// pass many items in one call.
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

// Expose defines a global function that the hand-written scripts can call. Its arguments
// have the types of Call's results. Scripts that run during a render must call it through
// labLater (guard.js). Otherwise f deadlocks on the lock of the render.
func Expose(name string, f func(args []any)) error {
	fn := callback(name, func(args []js.Value) {
		conv := make([]any, len(args))
		for i, a := range args {
			conv[i] = fromValue(a)
		}
		f(conv)
	})
	return js.Global().Set(name, fn.Value())
}

// ExposeValue defines a global function that returns a value: a string, a number or a list
// of them. It may be called at any time, so f must not wait for the lock of the page.
func ExposeValue(name string, f func(numbers []float64) any) error {
	fn, err := js.FuncOf(func(_ js.Value, args []js.Value) (out any) {
		Guard(name, func() {
			numbers := make([]float64, len(args))
			for i, a := range args {
				numbers[i] = number(a)
			}
			out = f(numbers)
		})
		return out
	})
	if err != nil {
		return err
	}
	return js.Global().Set(name, fn.Value())
}

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
