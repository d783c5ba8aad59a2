package replay

import (
	"slices"

	"backfill-lab/core/explain"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline"
)

// StopKind selects the events at which Step stops.
type StopKind string

const (
	Events     StopKind = "events"     // every event
	Instants   StopKind = "moments"    // the last event at each time
	Starts     StopKind = "starts"     // a job starts or resumes
	Backfilled StopKind = "backfilled" // a backfilled job starts
	Moves      StopKind = "moves"      // a planned start changes
)

// Step moves from event n by the given number of stops of the given kind, or backward if this
// number is negative. It returns the event that it reaches. If there are fewer stops in that
// direction, it moves to the last of them. If there are none, it returns n, and found is false.
func (p *Replay) Step(n, count int, kind StopKind) (to int, found bool) {
	direction := 1
	if count < 0 {
		direction, count = -1, -count
	}
	to = n
	for k := n + direction; k >= 0 && k <= p.Len() && count > 0; k += direction {
		if p.isStop(k, kind) {
			to, found = k, true
			count--
		}
	}
	return to, found
}

// isStop reports whether Step stops at event n for the given kind. The initial state is a stop for
// Events and Instants.
func (p *Replay) isStop(n int, kind StopKind) bool {
	r := p.record(n)
	switch kind {
	case Starts:
		return r != nil && (r.Kind == log.Start || r.Kind == log.Resume)
	case Backfilled:
		return r != nil && r.Kind == log.Start && p.chart.Backfilled(r.Job)
	case Moves:
		return r != nil && r.Kind == log.Move
	case Instants:
		return n == 0 || n == p.Len() || p.At(n+1) > p.At(n)
	}
	return true
}

// WhyOthersWait explains, for each other job that waits just before event n, why it did not start
// instead of the job of this event. It returns at most limit explanations, and the number of jobs
// left out. The list is empty unless event n records a start or a reason to wait.
func (p *Replay) WhyOthersWait(n, limit int) explain.List {
	r := p.record(n)
	if r == nil || r.Kind != log.Start && r.Kind != log.Hold {
		return explain.List{}
	}
	s := p.State(n - 1)
	m := explain.Machine{At: r.At, Running: s.Running, Planned: s.reservations()}
	slices.SortStableFunc(m.Planned, timeline.CompareStarts)
	for _, w := range s.Waiting {
		m.Waiting = append(m.Waiting, w.Job)
	}
	return p.index.WhyNotInstead(&m, r, explain.Options{MaxItems: limit})
}
