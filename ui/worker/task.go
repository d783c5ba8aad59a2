package worker

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"backfill-lab/ui/protocol"
)

const (
	stepBudget    = 20  // ms of computing after which to yield; with a look every few ms it stays below the 30 that a page may wait
	progressEvery = 100 // ms between two words of progress
	glance        = 5   // ms between two looks at the clock, at most, where steps are even
	mostStride    = 16  // steps between two looks at the clock
)

// errGivenUp ends a task that nobody waits for any more.
var errGivenUp = errors.New("given up")

// task is a long computation. It may speak as long as it is the session's.
type task struct {
	s    *Session
	id   int
	over atomic.Bool
	what bool // it is a what-if, which changes nothing

	progress protocol.Progress
	told     int64 // moment of the last word of progress, or of the begin
	yielded  int64
	looked   int64
	stride   int
	left     int // steps until the next look at the clock
}

// begin starts a task in place of the present one; the caller holds the lock.
// work must not take the lock but through the methods of the task.
func (s *Session) begin(id int, work func(*task) error) {
	s.giveUp()
	now := s.host.Now()
	t := &task{s: s, id: id, told: now, yielded: now, looked: now, stride: 1, left: 1}
	s.task = t
	go t.run(work)
}

// giveUp ends the present task. It says so at once; the goroutine of the task
// finds out at its next yield and can change nothing before.
func (s *Session) giveUp() {
	if t := s.task; t != nil {
		t.over.Store(true)
		s.task = nil
		s.host.Post("cancelled", t.id, nil, nil)
	}
}

// cancel gives up the present task if it is the one meant; one that is done, or
// was never begun, has had its last word already.
func (s *Session) cancel(m Message) error {
	if s.task != nil && s.task.id == m.ID {
		s.giveUp()
	}
	return nil
}

func (t *task) run(work func(*task) error) {
	if err := t.guarded(work); err != nil {
		t.end(func() { t.s.fail(t.id, err) })
	}
}

func (t *task) guarded(work func(*task) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a fault of the program: %v\n%s", r, stack())
		}
	}()
	return work(t)
}

// speak does something under the lock unless the task is given up.
func (t *task) speak(say func()) error {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if t.s.task != t {
		return errGivenUp
	}
	say()
	return nil
}

// end returns the last thing a task says or changes.
func (t *task) end(say func()) error {
	return t.speak(func() {
		t.s.task = nil
		say()
	})
}

// phase begins a part of the task; progress counts to total.
func (t *task) phase(p protocol.Progress) { t.progress = p }

// step is called between the steps of a computation of which done is complete.
// It looks at the clock now and then, tells progress and yields when it is time.
func (t *task) step(done int64) error {
	if t.left--; t.left > 0 {
		return nil
	}
	now := t.s.host.Now()
	if now-t.looked > glance {
		t.stride = 1
	} else {
		t.stride = min(2*t.stride, mostStride)
	}
	t.looked, t.left = now, t.stride
	return t.pause(now, done)
}

// pause tells progress and yields if it is time.
func (t *task) pause(now, done int64) error {
	if now-t.told >= progressEvery {
		t.told = now
		t.progress.Done = max(t.progress.Done, done)
		if err := t.speak(func() { t.s.host.Post("progress", t.id, t.progress, nil) }); err != nil {
			return err
		}
	}
	if now-t.yielded >= stepBudget {
		return t.breathe()
	}
	return t.alive()
}

// breathe yields.
func (t *task) breathe() error {
	t.s.host.Yield()
	t.yielded = t.s.host.Now()
	t.looked = t.yielded
	return t.alive()
}

func (t *task) alive() error {
	if t.over.Load() {
		return errGivenUp
	}
	return nil
}

// stack returns what the goroutine was doing. (Package runtime/debug says it as well,
// and links the files of the operating system.)
func stack() []byte {
	text := make([]byte, 16<<10)
	return text[:runtime.Stack(text, false)]
}
