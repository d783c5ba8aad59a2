package replay

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Place names an event in words, so that it can be written down and still be
// meant when other events come or go.
type Place struct {
	Time  job.Time `json:"time"`
	Event string   `json:"event"`         // Before, After, Submitted, or the kind of a record
	Job   string   `json:"job,omitempty"` // its id; empty: any
	Nth   int      `json:"nth,omitempty"` // of several such events at that moment, from 1; 0 is 1
}

// The places beside events: the state before or after all events of a moment.
const (
	Before = "before"
	After  = "after"
)

// Find returns the number of the event at a place; false when there is none.
func (p *Replay) Find(at Place) (n int, ok bool) {
	first, last := p.before(at.Time), p.before(at.Time+1)
	switch at.Event {
	case Before:
		return first, true
	case After:
		return last, true
	}
	nth := max(at.Nth, 1)
	for n := first + 1; n <= last; n++ {
		if p.Kind(n) != at.Event || at.Job != "" && p.log.Jobs[p.Job(n)].ID != at.Job {
			continue
		}
		if nth--; nth == 0 {
			return n, true
		}
	}
	return first, false
}

// IsEvent reports whether a place may have such an event.
func IsEvent(name string) bool {
	if name == Before || name == After || name == Submitted {
		return true
	}
	for _, k := range log.Kinds {
		if k.Name == name {
			return true
		}
	}
	return false
}
