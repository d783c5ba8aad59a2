//go:build js && wasm

package browser

import (
	"fmt"

	js "github.com/hack-pad/safejs"
)

// get returns the property of v with the given name, or undefined if there is none.
func get(v js.Value, name string) js.Value {
	p, err := v.Get(name)
	if err != nil {
		return js.Undefined()
	}
	return p
}

// global returns a global JavaScript value, or undefined if there is none.
func global(name string) js.Value { return get(js.Global(), name) }

// tryGlobal returns a global value, or undefined if the browser refuses it with an exception. It does not use get, in
// which such an exception would end the program: wasm_exec.js catches exceptions of function calls, but not of
// reading a property.
func tryGlobal(name string) js.Value {
	v, err := global("Reflect").Call("get", js.Global(), name)
	if err != nil {
		return js.Undefined()
	}
	return v
}

// truthy reports whether JavaScript would treat a value as true.
func truthy(v js.Value) bool {
	t, err := v.Truthy()
	return err == nil && t
}

// text returns the value of a JavaScript string, or "" for any other value.
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

// number returns the value of a JavaScript number, or 0 for any other value.
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

// element returns the element with the given id, or null if there is none.
func element(id string) js.Value {
	el, err := global("document").Call("getElementById", id)
	if err != nil {
		return js.Null()
	}
	return el
}

// callback wraps f for JavaScript. If f panics, Guard reports the error. The argument `where` names the handler in the
// report. The wrapped function stays in memory until it is released. So release it after use, or wrap f only once.
func callback(where string, f func(args []js.Value)) js.Func {
	return callbackWithResult(where, func(args []js.Value) any {
		f(args)
		return nil
	})
}

// callbackWithResult does the same as callback for a function that returns a value.
func callbackWithResult(where string, f func(args []js.Value) any) js.Func {
	fn, err := js.FuncOf(func(_ js.Value, args []js.Value) (out any) {
		Guard(where, func() { out = f(args) })
		return out
	})
	if err != nil {
		panic(fmt.Sprintf("wrapping %s: %v", where, err)) // FuncOf is not expected to fail
	}
	return fn
}

// arg returns argument i, or undefined if there are fewer arguments.
func arg(args []js.Value, i int) js.Value {
	if i >= len(args) {
		return js.Undefined()
	}
	return args[i]
}

// listen makes target call f for each event of the given name. The argument `where` names the listener in the report of
// a panic.
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

// copyStep is the number of bytes copied at once. A browser takes about 4 ms to provide one
// million bytes of new memory.
const copyStep = 2 << 20

// fromBytes copies an ArrayBuffer, or a view of one, out of JavaScript. If pace is not nil,
// it yields between steps.
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
			pace.YieldIfDue()
		}
	}
	return data, nil
}

// await blocks the goroutine, but not the event loop, until a promise settles.
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

// jsError converts a JavaScript error, or another thrown value, to a Go error.
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
