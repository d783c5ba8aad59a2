// Package worker implements the session of the page's web worker. A session holds jobs and results, and
// answers the requests of package protocol by calling the simulation core. It accesses everything else
// through a Host, so that tests can run natively with a simulated clock.
//
// The worker answers short requests at once, under one lock. Long computations (such as opening files,
// runs and what-ifs) are tasks. At most one task runs at a time, in its own goroutine and without the
// lock. After every 20 to 30 ms, the task yields to the host. Its result becomes visible as a whole when
// it ends. However, long runs and experiments publish the results of each policy when they are ready.
package worker

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/sweep"
)

// Host connects a session to its environment. Post and Now are called while the session is locked,
// so they must not call Handle. Yield may call Handle.
type Host interface {
	Post(kind string, id int, head any, bufs [][]byte) // head is encoded as JSON, nil for none
	Yield()                                            // lets the host handle other requests
	Now() int64                                        // monotonic clock in milliseconds
	NewHash() Hash                                     // returns a new SHA-256 hash
}

// Hash computes the SHA-256 hash of the data written to it.
type Hash interface {
	io.Writer
	Hex() (string, error) // the hash in hexadecimal digits; no data can be written afterwards
}

// File is a file that the user selected.
type File interface {
	Name() string
	Size() int64
	io.ReaderAt
}

// Message is a request of the page.
type Message struct {
	Kind string   // such as "run"; see package protocol
	ID   int      // ID of the request; for a request of kind cancel, of the request to cancel
	Head []byte   // JSON
	Bufs [][]byte // layout as in package protocol
	File File     // nil if the request has no file
}

// Session answers the requests of a single page.
type Session struct {
	host Host

	mu         sync.Mutex          // protects the fields below
	task       *task               // the current task, nil if none
	loaded     *loaded             // jobs from the last file opened or the last valid run; nil if none
	last       *results            // the current results, nil if there are none
	cache      []*results          // results of the last few runs, the newest first
	external   *externalSchedule   // the external schedule, nil if there is none
	names      *anonymise.Renaming // renaming for external schedules, nil for the original names
	generation int                 // number of the current results, from 1; 0 if there are none
	sweep      *sweep.Definition   // the experiment whose groups the page requests, nil if none
}

// New returns a session without jobs and results.
func New(h Host) *Session { return &Session{host: h} }

// Handle answers a request or starts its task. It returns quickly and never panics. Every failure
// results in an error message with the ID of the request.
func (s *Session) Handle(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			s.fail(m.ID, fmt.Errorf("%s: internal error: %v", m.Kind, r))
		}
	}()
	h, ok := handlers[m.Kind]
	if !ok {
		s.fail(m.ID, fmt.Errorf("expected a request that this version knows, got %q", m.Kind))
		return
	}
	if err := h(s, m); err != nil {
		s.fail(m.ID, err)
	}
}

// handler answers a request. If it returns an error, its caller sends the error to the page. The caller
// holds the lock.
type handler func(*Session, Message) error

// handlers lists the handlers by kind of request; see package protocol.
var handlers = map[string]handler{
	"ping":     (*Session).ping,
	"open":     withHead((*Session).open),
	"run":      withHead((*Session).run),
	"cancel":   (*Session).cancel,
	"view":     withHead((*Session).view),
	"series":   withHead((*Session).series),
	"plan":     withHead((*Session).plan),
	"player":   withHead((*Session).player),
	"event":    withHead((*Session).event),
	"outcomes": withHead((*Session).outcomes),
	"check":    withHead((*Session).check),
	"external": withHead((*Session).openExternal),
	"rename":   withHead((*Session).rename),
	"compare":  withHead((*Session).compare),
	"spread":   withHead((*Session).spread),
	"why":      withHead((*Session).why),
	"decision": (*Session).decision,
	"whatif":   withHead((*Session).whatif),
	"sooner":   withHead((*Session).startEarlier),
	"predict":  withHead((*Session).predict),
	"export":   withHead((*Session).export),
	"refute":   withHead((*Session).refute),
	"sweep":    (*Session).startSweep,
	"group":    withHead((*Session).sweepGroup),
}

// withHead returns a handler that decodes the head of a request and calls answer with it.
func withHead[T any](answer func(*Session, Message, T) error) handler {
	return func(s *Session, m Message) error {
		var head T
		if err := json.Unmarshal(m.Head, &head); err != nil {
			return fmt.Errorf("%s: expected a request in JSON: %w", m.Kind, err)
		}
		return answer(s, m, head)
	}
}

func (s *Session) ping(m Message) error {
	s.host.Post("pong", m.ID, "The worker answers.", nil)
	return nil
}

// fail answers a request with an error.
func (s *Session) fail(id int, err error) { s.host.Post("error", id, faultOf(err), nil) }

// current returns the current results and result i. It returns an error if there is no such result, or if
// the current results do not have the requested generation (0 = any).
func (s *Session) current(generation, i int) (*results, *result, error) {
	switch {
	case s.last == nil:
		return nil, nil, fmt.Errorf("there is no result yet")
	case generation != 0 && generation != s.last.generation:
		return nil, nil, fmt.Errorf("result %d of run %d is no longer available: the current run is %d", i, generation, s.last.generation)
	case i < 0 || i >= len(s.last.list):
		return nil, nil, fmt.Errorf("expected a result from 0 to %d, got %d", len(s.last.list)-1, i)
	}
	return s.last, s.last.list[i], nil
}
