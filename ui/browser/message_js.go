//go:build js && wasm

package browser

import (
	"encoding/json"
	"errors"

	js "github.com/hack-pad/safejs"
)

// InPage reports whether the program runs in the page. Otherwise it runs in a worker, where there is no document.
func InPage() bool { return truthy(global("document")) }

// IsFirstWorker reports whether the program runs in the first worker. This worker compiled the program, and runs it
// before the page does.
func IsFirstWorker() bool { return truthy(global("labFirst")) }

// Listen calls handle with each message from the page, including messages that arrived before the call of Listen. Only
// workers call it.
func Listen(handle func(Message)) error {
	in := &inbox{name: "message from the page", handle: handle}
	fn := callback(in.name, func(args []js.Value) { in.receive(arg(args, 0)) })
	_, err := js.Global().Call("labListen", fn.Value())
	return err
}

// Post sends a message from a worker to the page. It copies the buffers.
func Post(m Message) error { return post(js.Global(), m) }

// Worker is the object with which the page controls a worker that it has started.
type Worker struct {
	v  js.Value // the Worker object of the browser
	on js.Func  // called for each message from the worker
	in inbox    // receives the messages from the worker
}

// Spawn starts a worker from the compiled program. Messages posted before the worker is ready are queued. Spawn calls
// handle with each message from the worker, and with messages of kind KindPanic or KindCrash about it.
func Spawn(name string, handle func(Message)) (*Worker, error) {
	w := &Worker{in: inbox{name: "message from worker " + name, handle: handle}}
	w.on = callback(w.in.name, func(args []js.Value) { w.in.receive(arg(args, 0)) })
	v, err := js.Global().Call("labSpawnWorker", name, w.on.Value())
	if err != nil {
		w.on.Release()
		return nil, err
	}
	w.v = v
	return w, nil
}

// Post sends a message to the worker.
func (w *Worker) Post(m Message) error { return post(w.v, m) }

// Terminate ends the worker immediately. No message from it arrives afterwards.
func (w *Worker) Terminate() error {
	w.in.closed = true
	for _, on := range []string{"onmessage", "onerror"} {
		if err := w.v.Set(on, nil); err != nil {
			return err
		}
	}
	_, err := w.v.Call("terminate")
	w.on.Release()
	return err
}

// inbox delivers messages in the order of arrival. It copies large buffers in steps,
// between which the page can draw and handle events. Messages that arrive meanwhile wait.
type inbox struct {
	name    string // names the messages in reports of errors
	handle  func(Message)
	waiting []js.Value // messages that are not delivered yet
	busy    bool       // deliverQueued is running
	closed  bool       // messages are dropped, because the worker was terminated
}

// receive delivers a small message at once. It queues large messages, and all messages that arrive while others are
// queued.
func (in *inbox) receive(v js.Value) {
	if !in.busy && bytesOf(v) <= copyStep {
		in.deliver(v, nil)
		return
	}
	in.waiting = append(in.waiting, v)
	if !in.busy {
		in.busy = true
		go in.deliverQueued()
	}
}

// deliverQueued delivers the queued messages.
func (in *inbox) deliverQueued() {
	for len(in.waiting) > 0 {
		v := in.waiting[0]
		in.waiting = in.waiting[1:]
		Guard(in.name, func() { in.deliver(v, new(Pace)) })
	}
	in.busy = false
}

// deliver passes a message to the handler. If pace is not nil, it yields while it copies buffers.
func (in *inbox) deliver(v js.Value, pace *Pace) {
	m, err := fromMessage(v, pace)
	if err != nil {
		panic("unreadable message: " + err.Error())
	}
	if !in.closed {
		in.handle(m)
	}
}

// bytesOf returns the total size of a message's buffers.
func bytesOf(v js.Value) (sum int) {
	bufs := get(v, "bufs")
	for i := range int(number(get(bufs, "length"))) {
		b, _ := bufs.Index(i)
		sum += int(number(get(b, "byteLength")))
	}
	return sum
}

// fromMessage converts a JavaScript message to a Message. If pace is not nil, it yields while it copies buffers.
func fromMessage(v js.Value, pace *Pace) (Message, error) {
	m := Message{Kind: text(get(v, "kind")), ID: int(number(get(v, "id")))}
	if m.Kind == "" {
		return m, errors.New("expected a message with a kind, got none")
	}
	if h := text(get(v, "head")); h != "" {
		m.Head = []byte(h)
	}
	if f := get(v, "file"); truthy(f) {
		m.File = FileRef{v: f}
	}
	bufs := get(v, "bufs")
	n := int(number(get(bufs, "length")))
	for i := range n {
		b, err := bufs.Index(i)
		if err != nil {
			return m, err
		}
		data, err := fromBytes(b, pace)
		if err != nil {
			return m, err
		}
		m.Bufs = append(m.Bufs, data)
	}
	return m, nil
}

// post sends a message to a worker, or to the page.
func post(to js.Value, m Message) error {
	bufs := make([]any, 0, len(m.Bufs))
	for _, b := range m.Bufs {
		a, err := toBytes(b)
		if err != nil {
			return err
		}
		bufs = append(bufs, get(a, "buffer"))
	}
	obj := map[string]any{"kind": m.Kind, "id": m.ID, "head": string(m.Head), "bufs": bufs}
	if m.File.Valid() {
		obj["file"] = m.File.v
	}
	_, err := to.Call("postMessage", obj, bufs)
	return err
}

// reportFault is the default value of OnFault.
func reportFault(f Fault, stack []byte) {
	if InPage() {
		_, _ = js.Global().Call("labFault", f.Where, f.Text, string(stack))
		return
	}
	head, err := json.Marshal(f)
	if err == nil {
		_ = Post(Message{Kind: KindPanic, Head: head})
	}
}
