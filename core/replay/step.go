package replay

import "backfill-lab/core/log"

// Stops says at which events someone who walks through a log stops.
type Stops string

const (
	Events     Stops = "events"     // at each
	Moments    Stops = "moments"    // at the last of each moment
	Starts     Stops = "starts"     // when jobs start or go on
	Backfilled Stops = "backfilled" // when jobs start by the right to fill a hole
	Moves      Stops = "moves"      // when planned starts move
)

// Step returns the event that lies by stops further than event n, back or forth; at
// the ends it is the last stop that there is. Found is false if there is none
// in that direction; the event is then n itself.
func (p *Replay) Step(n, by int, at Stops) (to int, found bool) {
	way := 1
	if by < 0 {
		way, by = -1, -by
	}
	to = n
	for k := n + way; k >= 0 && k <= p.Len() && by > 0; k += way {
		if p.stops(k, at) {
			to, found = k, true
			by--
		}
	}
	return to, found
}

// stops reports whether event n is a stop. The beginning is one where every event
// or moment is.
func (p *Replay) stops(n int, at Stops) bool {
	r := p.record(n)
	switch at {
	case Starts:
		return r != nil && (r.Kind == log.Start || r.Kind == log.Resume)
	case Backfilled:
		return r != nil && r.Kind == log.Start && p.index.Chart().Backfilled(r.Job)
	case Moves:
		return r != nil && r.Kind == log.Move
	case Moments:
		return n == 0 || n == p.Len() || p.At(n+1) > p.At(n)
	}
	return true
}
