// Package browser is not for deciding anything: no state of the page, no rules of
// scheduling, no markup. It is the only package that touches JavaScript, through
// safejs, so that everything above it is plain Go and compiles natively, where
// its functions do nothing and report ErrNoBrowser.
//
// Callbacks run while JavaScript waits for them. They must not block: start a
// goroutine for anything that reads a file, calls Yield or NextFrame, or waits.
package browser

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// ErrNoBrowser is what every function reports outside a browser.
var ErrNoBrowser = errors.New("not running in a browser")

// Kinds of messages that a worker sends without being asked.
const (
	KindPanic = "panic" // a handler failed; the worker lives on. Head: Fault as JSON
	KindCrash = "crash" // the worker is gone. Head: Fault as JSON
)

// Fault says in words what failed and where.
type Fault struct {
	Where string `json:"where"`
	Text  string `json:"text"`
}

// Message is what page and worker tell each other. Head is JSON; Bufs travel as
// transferred ArrayBuffers, so their size costs one copy into JavaScript and one
// out of it, not a clone.
type Message struct {
	Kind string
	ID   int
	Head []byte
	Bufs [][]byte
	File FileRef // a file the person chose; only its handle travels
}

// Guard runs f and turns a panic into a report, so that one bad handler does not
// end the program. where names the handler in words.
func Guard(where string, f func()) {
	defer Recover(where)
	f()
}

// Recover is Guard for a deferred call: `defer browser.Recover("run button")`.
func Recover(where string) {
	if r := recover(); r != nil {
		OnFault(Fault{Where: where, Text: fmt.Sprint(r)}, stack())
	}
}

// OnFault receives what Guard caught. The default tells the person: the page
// shows an overlay, a worker sends KindPanic.
var OnFault = reportFault

// Pace divides a long computation into steps after which the browser can draw
// and listen. The zero value is ready.
type Pace struct{ since time.Time }

// step is short beside the 50 ms from which a person notices.
const step = 12 * time.Millisecond

// Breathe yields, and says so, if a step has passed since it last did.
func (p *Pace) Breathe() bool {
	if p.since.IsZero() {
		p.since = time.Now()
	}
	if time.Since(p.since) < step {
		return false
	}
	Yield()
	p.since = time.Now()
	return true
}

// stack returns what the goroutine was doing. (Package runtime/debug says it as well,
// and links the files of the operating system.)
func stack() []byte {
	text := make([]byte, 16<<10)
	return text[:runtime.Stack(text, false)]
}

// Record is bytes under a key of a Database.
type Record struct {
	Key  string
	Data []byte
}
