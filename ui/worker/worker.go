// Package worker is not the engine, draws nothing and touches no browser: it is
// the session of a worker. It holds jobs and results, and answers the requests
// of package protocol by calling the core. The world around it is a Host, so that
// all of it is tested natively with a clock that the test moves.
//
// Requests are answered at once, under one lock, but for open and run. These
// are tasks: at most one at a time computes in a goroutine of its own, without
// the lock, and yields to the host every 30 ms or so; what it works out becomes
// visible in one piece at its end.
package worker

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"backfill-lab/core/anonymise"
)

// Host is what a session needs of the world. Post and Now are called under the
// session's lock and must not call Handle; Yield may.
type Host interface {
	Post(kind string, id int, head any, bufs [][]byte) // head is to become JSON; nil is none
	Yield()                                            // lets other requests be handled
	Now() int64                                        // milliseconds that never go back
}

// File is a file that the person chose.
type File interface {
	Name() string
	Size() int64
	io.ReaderAt
}

// Message is a request.
type Message struct {
	Kind string
	ID   int
	Head []byte // JSON
	Bufs [][]byte
	File File // nil if there is none
}

// Session answers the requests of one page.
type Session struct {
	host Host

	mu         sync.Mutex
	task       *task // the one that may still speak, nil if none
	held       *held // of the last open, or of the last run that brought jobs
	last       *results
	kept       []*results          // of the last few runs, the present ones first
	aside      *aside              // the schedule of a file that stands beside results, nil if there is none
	names      *anonymise.Renaming // that external schedules follow, nil: the original names
	generation int
}

// New returns a session that holds nothing.
func New(h Host) *Session { return &Session{host: h} }

// Handle answers a request or starts to. It never blocks for long and never
// panics: whatever goes wrong becomes an error with the id of the request.
func (s *Session) Handle(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			s.fail(m.ID, fmt.Errorf("%s: a fault of the program: %v", m.Kind, r))
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

// handler answers a request, under the lock.
type handler func(*Session, Message) error

var handlers = map[string]handler{
	"ping":     (*Session).ping,
	"open":     asked((*Session).open),
	"run":      asked((*Session).run),
	"cancel":   (*Session).cancel,
	"view":     asked((*Session).view),
	"series":   asked((*Session).series),
	"plan":     asked((*Session).plan),
	"player":   asked((*Session).player),
	"event":    asked((*Session).event),
	"outcomes": asked((*Session).outcomes),
	"check":    asked((*Session).check),
	"beside":   asked((*Session).beside),
	"rename":   asked((*Session).rename),
	"compare":  asked((*Session).compare),
	"spread":   asked((*Session).spread),
	"why":      asked((*Session).why),
	"decision": (*Session).decision,
	"whatif":   asked((*Session).whatif),
	"sooner":   asked((*Session).sooner),
	"predict":  asked((*Session).predict),
	"export":   asked((*Session).export),
}

// asked reads the head of a request.
func asked[T any](answer func(*Session, Message, T) error) handler {
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

// fail says what went wrong with a request.
func (s *Session) fail(id int, err error) { s.host.Post("error", id, fault(err), nil) }

// present returns the results, and result i of them, that a request means.
func (s *Session) present(generation, i int) (*results, *result, error) {
	switch {
	case s.last == nil:
		return nil, nil, fmt.Errorf("there is no result yet")
	case generation != 0 && generation != s.last.generation:
		return nil, nil, fmt.Errorf("result %d of run %d is gone: the present run is %d", i, generation, s.last.generation)
	case i < 0 || i >= len(s.last.list):
		return nil, nil, fmt.Errorf("expected a result from 0 to %d, got %d", len(s.last.list)-1, i)
	}
	return s.last, s.last.list[i], nil
}
