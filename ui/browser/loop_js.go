//go:build js && wasm

package browser

import js "github.com/hack-pad/safejs"

// NextFrame blocks the goroutine until the browser is about to draw. If the page is hidden
// and the browser does not draw, it blocks for 100 ms.
func NextFrame() {
	done := make(chan struct{}, 1)
	fn := callback("frame", func([]js.Value) { done <- struct{}{} })
	defer fn.Release()
	if _, err := js.Global().Call("labNextFrame", fn.Value()); err != nil {
		return
	}
	<-done
}

// yielder sends messages from the program to itself. A message arrives after one turn of the event
// loop, so Yield can wait for it.
var yielder struct {
	port    js.Value        // messages sent here arrive after one turn of the event loop
	waiting []chan struct{} // for each sent message: the call of Yield that waits for it
}

// Yield blocks the goroutine for one turn of the event loop, so that messages are handled
// during a long computation. It takes about 20 microseconds. A long computation should call it
// through Pace.
// (runtime.Gosched does not give control to the event loop.)
func Yield() {
	if !truthy(yielder.port) {
		if err := openYielder(); err != nil {
			return
		}
	}
	turn := make(chan struct{}, 1)
	yielder.waiting = append(yielder.waiting, turn)
	if _, err := yielder.port.Call("postMessage", 0); err != nil {
		return
	}
	<-turn
}

func openYielder() error {
	ch, err := global("MessageChannel").New()
	if err != nil {
		return err
	}
	fn := callback("yield", func([]js.Value) {
		if len(yielder.waiting) > 0 {
			yielder.waiting[0] <- struct{}{}
			yielder.waiting = yielder.waiting[1:]
		}
	})
	if err := get(ch, "port1").Set("onmessage", fn.Value()); err != nil {
		return err
	}
	yielder.port = get(ch, "port2")
	return nil
}
