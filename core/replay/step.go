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
	Instants   StopKind = "moments"    // the last event of each instant
	Starts     StopKind = "starts"     // starts and resumptions of jobs
	Backfilled StopKind = "backfilled" // starts of backfilled jobs
	Moves      StopKind = "moves"      // moves of planned starts
)

// Step starts at event n and returns the event that is by stops later, or -by stops earlier if by
// is negative. If there are fewer stops in that direction, it returns the last of them. If there
// are none, found is false and Step returns n.
func (p *Replay) Step(n, by int, kind StopKind) (to int, found bool) {
	direction := 1
	if by < 0 {
		direction, by = -1, -by
	}
	to = n
	for k := n + direction; k >= 0 && k <= p.Len() && by > 0; k += direction {
		if p.isStop(k, kind) {
			to, found = k, true
			by--
		}
	}
	return to, found
}

// isStop reports whether event n is a stop of a kind. The initial state is a stop for Events and
// Instants.
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

// WhyOthersWait explains why each other job that waits just before event n did not start instead.
// It returns at most limit explanations, and the number of omitted ones. The list is empty unless
// event n is a start or a reason to wait.
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
