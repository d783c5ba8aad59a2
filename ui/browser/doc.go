// Package browser wraps all calls to JavaScript. It uses the library safejs. No other package of the page calls
// JavaScript, so the others also compile natively. In a native program, the functions of this package do nothing.
// Those that can return an error return ErrNoBrowser. The package contains no page state, no scheduling rules and
// no markup.
//
// Callbacks run while JavaScript waits for them, so they must not block. Start a goroutine
// for anything that reads a file, calls Yield or NextFrame, or waits.
package browser

import "strconv"

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// ErrNoBrowser is the error that functions of this package return in a native program.
var ErrNoBrowser = errors.New("not running in a browser")

// Kinds of messages that report a failure in a worker. They are not answers to requests.
const (
	KindPanic = "panic" // a handler failed, but the worker continues. Head: Fault as JSON
	KindCrash = "crash" // the worker has ended. Head: Fault as JSON
)

// Fault describes an internal error: the handler that failed, and the error text.
type Fault struct {
	Where string `json:"where"`
	Text  string `json:"text"`
}

// Message is a message between page and worker. Head is JSON. Bufs are sent as ArrayBuffers
// and transferred: a buffer is copied once into JavaScript and once out of it, but not cloned
// in between.
type Message struct {
	Kind string // type of request or answer, such as KindPanic
	ID   int    // ID of the request; an answer has the ID of its request
	Head []byte
	Bufs [][]byte
	File FileRef // a file that the user selected; only a reference is sent
}

// Guard runs f and reports a panic to OnFault, so that one failing handler does not end the program. The argument
// `where` names the handler in the report.
func Guard(where string, f func()) {
	defer Recover(where)
	f()
}

// Recover reports a panic to OnFault. Call it with defer at the start of a goroutine, for example `defer
// browser.Recover("checking")`. The argument `where` names the work of the goroutine in the report.
func Recover(where string) {
	if r := recover(); r != nil {
		OnFault(Fault{Where: where, Text: fmt.Sprint(r)}, stack())
	}
}

// OnFault is called for each panic that Guard or Recover has caught. By default, it shows an overlay if the program
// runs in the page, and sends the page a message of kind KindPanic if it runs in a worker.
var OnFault = reportFault

// Pace divides a long computation into steps, between which the browser can draw and handle
// events. The zero value is ready for use.
type Pace struct{ since time.Time }

// step is the length of a step of Pace. It is well below 50 ms, the delay that people notice.
const step = 12 * time.Millisecond

// YieldIfDue calls Yield if the current step has lasted long enough. It reports whether it called Yield.
func (p *Pace) YieldIfDue() bool {
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

// stack returns a stack trace of the goroutine. It avoids package runtime/debug, which
// would add the file functions of the operating system to the download.
func stack() []byte {
	text := make([]byte, 16<<10)
	return text[:runtime.Stack(text, false)]
}

// Record holds a key of a Database and the bytes stored under this key.
type Record struct {
	Key  string
	Data []byte
}

// RandomName returns an unpredictable short name.
func RandomName() string { return strconv.FormatUint(uint64(Random()), 36) }
