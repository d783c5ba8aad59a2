//go:build js && wasm

package browser

import (
	"fmt"

	js "github.com/hack-pad/safejs"
)

// Call runs a global function of the hand-written scripts, such as "labDownload".
// Arguments may be nil, bool, int, float64, string and []byte (as a Uint8Array
// over a fresh ArrayBuffer). A result comes back as bool, float64, string,
// []byte or nil. Few calls with big arguments; never one call an item.
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

// Expose gives the hand-written scripts a global function to call. Arguments
// arrive as Call's results do. Scripts that run inside a render must go through
// labLater (guard.js), or f deadlocks on the render's lock.
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
