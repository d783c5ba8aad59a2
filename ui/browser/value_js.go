//go:build js && wasm

package browser

import (
	"fmt"

	js "github.com/hack-pad/safejs"
)

// get reads a property; a missing one, or one of undefined, is undefined.
func get(v js.Value, name string) js.Value {
	p, err := v.Get(name)
	if err != nil {
		return js.Undefined()
	}
	return p
}

func global(name string) js.Value { return get(js.Global(), name) }

// refusable returns a global value that browsers may refuse with an error, which get would
// end the program with: wasm_exec.js catches those of calls alone.
func refusable(name string) js.Value {
	v, err := global("Reflect").Call("get", js.Global(), name)
	if err != nil {
		return js.Undefined()
	}
	return v
}

func truthy(v js.Value) bool {
	t, err := v.Truthy()
	return err == nil && t
}

func text(v js.Value) string {
	if v.Type() != js.TypeString {
		return ""
	}
	s, err := v.String()
	if err != nil {
		return ""
	}
	return s
}

func number(v js.Value) float64 {
	if v.Type() != js.TypeNumber {
		return 0
	}
	f, err := v.Float()
	if err != nil {
		return 0
	}
	return f
}

func element(id string) js.Value {
	el, err := global("document").Call("getElementById", id)
	if err != nil {
		return js.Null()
	}
	return el
}

// callback wraps f for JavaScript; it never lets a panic out. Wrap once and keep:
// every wrapped function stays alive until released.
func callback(where string, f func(args []js.Value)) js.Func {
	fn, err := js.FuncOf(func(_ js.Value, args []js.Value) any {
		Guard(where, func() { f(args) })
		return nil
	})
	if err != nil {
		panic(fmt.Sprintf("wrapping %s: %v", where, err)) // FuncOf has no reason to fail
	}
	return fn
}

func arg(args []js.Value, i int) js.Value {
	if i >= len(args) {
		return js.Undefined()
	}
	return args[i]
}

func listen(target js.Value, event, where string, f func(ev js.Value)) error {
	fn := callback(where, func(args []js.Value) { f(arg(args, 0)) })
	_, err := target.Call("addEventListener", event, fn.Value())
	return err
}

// toBytes copies data into a new Uint8Array.
func toBytes(data []byte) (js.Value, error) {
	a, err := global("Uint8Array").New(len(data))
	if err != nil {
		return a, err
	}
	if len(data) > 0 {
		_, err = js.CopyBytesToJS(a, data)
	}
	return a, err
}

// copyStep is how many bytes are copied at once; memory used for the first time takes
// the browser some 4 ms for a million of them.
const copyStep = 2 << 20

// fromBytes copies an ArrayBuffer, or any view of one, out of JavaScript. With a pace
// it lets the browser do other things meanwhile.
func fromBytes(v js.Value, pace *Pace) ([]byte, error) {
	buffer, offset, length := v, 0.0, int(number(get(v, "byteLength")))
	if b := get(v, "buffer"); truthy(b) {
		buffer, offset = b, number(get(v, "byteOffset"))
	}
	data := make([]byte, length)
	for at := 0; at < length; at += copyStep {
		n := min(copyStep, length-at)
		a, err := global("Uint8Array").New(buffer, offset+float64(at), n)
		if err != nil {
			return nil, err
		}
		if _, err := js.CopyBytesToGo(data[at:at+n], a); err != nil {
			return nil, err
		}
		if pace != nil {
			pace.Breathe()
		}
	}
	return data, nil
}

// await blocks this goroutine, not the event loop, until a promise settles.
func await(promise js.Value) (js.Value, error) {
	type settled struct {
		v   js.Value
		err error
	}
	done := make(chan settled, 1)
	ok := callback("promise", func(args []js.Value) { done <- settled{v: arg(args, 0)} })
	defer ok.Release()
	bad := callback("promise", func(args []js.Value) { done <- settled{err: jsError(arg(args, 0))} })
	defer bad.Release()
	if _, err := promise.Call("then", ok.Value(), bad.Value()); err != nil {
		return js.Undefined(), err
	}
	r := <-done
	return r.v, r.err
}

func jsError(v js.Value) error {
	if m := text(get(v, "message")); m != "" {
		return fmt.Errorf("%s: %s", text(get(v, "name")), m)
	}
	s, err := v.String()
	if err != nil {
		return fmt.Errorf("unknown JavaScript error")
	}
	return fmt.Errorf("%s", s)
}
