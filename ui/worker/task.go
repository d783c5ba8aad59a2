package worker

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"backfill-lab/ui/protocol"
)

const (
	// stepBudget is the time in ms after which a task yields. An answer to a page may be delayed by
	// at most 30 ms. stepBudget is smaller, because a task does not read the clock after every
	// step, and may therefore yield a few ms late.
	stepBudget = 20

	progressEvery = 100 // ms between progress messages
	maxClockGap   = 5   // ms; if more time passed between the last two readings of the clock, the next one follows after one step
	maxStride     = 16  // largest number of steps between two readings of the clock
)

// errCancelled is the error with which a cancelled task ends. It is not sent to the page.
var errCancelled = errors.New("cancelled")

// task is a long computation. It may post messages and change the session only while it is
// the session's current task.
type task struct {
	s         *Session
	id        int // ID of the request
	cancelled atomic.Bool
	whatIf    bool         // the task is a what-if, which does not change the session
	onYield   func() error // is called before the task yields in pause; nil for none

	progress      protocol.Progress // progress of the current phase
	lastProgress  int64             // time in ms of the last progress message, or of the start
	lastYield     int64             // time in ms of the last yield
	lastClockRead int64             // time in ms of the last reading of the clock
	stride        int               // steps between two readings of the clock
	stepsLeft     int               // steps until the next reading of the clock
}

// start cancels the current task and starts a new one, which calls work in a goroutine. The caller holds the lock. The
// work function may take the lock only through the methods of the task.
func (s *Session) start(id int, work func(*task) error) {
	s.cancelTask()
	now := s.host.Now()
	t := &task{s: s, id: id, lastProgress: now, lastYield: now, lastClockRead: now, stride: 1, stepsLeft: 1}
	s.task = t
	go t.run(work)
}

// cancelTask cancels the current task, if any, and sends the page the reply "cancelled" at once. The goroutine
// of the task ends when it next checks whether it was cancelled. Until then, it cannot change the session.
func (s *Session) cancelTask() {
	if t := s.task; t != nil {
		t.cancelled.Store(true)
		s.task = nil
		s.host.Post("cancelled", t.id, nil, nil)
	}
}

// cancel handles a request to cancel a task. It does nothing if the task has already ended.
func (s *Session) cancel(m Message) error {
	if s.task != nil && s.task.id == m.ID {
		s.cancelTask()
	}
	return nil
}

// run calls work. If work fails, run answers the request with the error, unless the task was cancelled.
func (t *task) run(work func(*task) error) {
	if err := t.recoverPanics(work); err != nil {
		t.finish(func() { t.s.fail(t.id, err) })
	}
}

// recoverPanics calls work. If work panics, it returns an error with a stack trace.
func (t *task) recoverPanics(work func(*task) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v\n%s", r, stack())
		}
	}()
	return work(t)
}

// withLock calls do with the session locked. If the task was cancelled, it returns errCancelled instead.
func (t *task) withLock(do func()) error {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if t.s.task != t {
		return errCancelled
	}
	do()
	return nil
}

// finish ends the task and calls do, which posts the answer, with the session locked. If the task was
// cancelled, it returns errCancelled instead.
func (t *task) finish(do func()) error {
	return t.withLock(func() {
		t.s.task = nil
		do()
	})
}

// phase starts a new part of the task, such as the run of a policy, with its own progress.
func (t *task) phase(p protocol.Progress) { t.progress = p }

// step must be called after each step of a computation, with the amount of work completed so far. Most calls only
// decrement a counter. The other calls read the clock and call pause, which returns errCancelled if the task was
// cancelled.
func (t *task) step(done int64) error {
	if t.stepsLeft--; t.stepsLeft > 0 {
		return nil
	}
	now := t.s.host.Now()
	if now-t.lastClockRead > maxClockGap {
		t.stride = 1
	} else {
		t.stride = min(2*t.stride, maxStride)
	}
	t.lastClockRead, t.stepsLeft = now, t.stride
	return t.pause(now, done)
}

// pause posts progress if progressEvery has passed since the last progress message, and yields if stepBudget has
// passed since the last yield. If the task was cancelled, it returns errCancelled.
func (t *task) pause(now, done int64) error {
	if now-t.lastProgress >= progressEvery {
		t.lastProgress = now
		t.progress.Done = max(t.progress.Done, done)
		if err := t.withLock(func() { t.s.host.Post("progress", t.id, t.progress, nil) }); err != nil {
			return err
		}
	}
	if now-t.lastYield < stepBudget {
		return t.checkCancelled()
	}
	if t.onYield != nil {
		if err := t.onYield(); err != nil {
			return err
		}
	}
	return t.yield()
}

// yield lets the host handle other requests. If the task was cancelled, it returns errCancelled.
func (t *task) yield() error {
	t.s.host.Yield()
	t.lastYield = t.s.host.Now()
	t.lastClockRead = t.lastYield
	return t.checkCancelled()
}

func (t *task) checkCancelled() error {
	if t.cancelled.Load() {
		return errCancelled
	}
	return nil
}

// stack returns a stack trace of the goroutine. It does not use package runtime/debug, which would
// add the file functions of the operating system to the download.
func stack() []byte {
	text := make([]byte, 16<<10)
	return text[:runtime.Stack(text, false)]
}
