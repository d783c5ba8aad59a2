package metrics

import (
	"container/heap"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// load is what one walk over the steps measures between the first submission
// and the last finish of the counted jobs.
type load struct {
	busy      float64  // processor-seconds in use
	lostFits  float64  // idle ones while some waiting job needs no more than are idle
	lostQueue float64  // idle ones while any job waits
	highs     int      // high-load phases
	high      job.Time // their length
	highBusy  float64  // processor-seconds in use in them
	byNode    bool     // nodes in use are known
	nodes     float64  // node-seconds in use
	highNodes float64  // and in high load
	longest   int      // largest number of waiting jobs
	queue     float64  // waiting jobs integrated from the first to the last submission
	arrivals  job.Time // that length of time
	highGone  float64  // processor-seconds that blocks take of high load
}

// measure walks over the steps of all rows. A phase of high load is a longest
// interval in which at least N_H jobs wait (Jin 2009; Zeng 2009).
func measure(rows []schedule.Row, d *data) load {
	on := newNodes(rows, &d.m)
	all := steps(rows, on)
	l := load{arrivals: d.jobs[len(d.jobs)-1].Submit - d.from}
	lastArrival := d.from + l.arrivals
	narrow := narrowest{rows: rows}
	l.byNode = on != nil
	wasHigh := false
	for i, s := range all {
		until := d.to
		if i+1 < len(all) {
			until = min(until, all[i+1].At)
		}
		narrow.advance(s.At)
		at := max(s.At, d.from)
		if at >= until {
			continue
		}
		for from := at; from < until; {
			to, gone := d.gone(from, until)
			l.add(d, s, to-from, gone, &narrow)
			from = to
		}
		if high := s.Waiting >= d.o.HighLoad; high != wasHigh {
			if wasHigh = high; high {
				l.highs++
			}
		}
		if at < lastArrival {
			l.queue += float64(float64(s.Waiting) * float64(min(until, lastArrival)-at))
		}
	}
	return l
}

// gone returns how many processors blocks have taken at a moment, and until when, at most
// to.
func (d *data) gone(at, to job.Time) (until job.Time, procs int) {
	for _, b := range d.m.Outages {
		switch {
		case b.From > at:
			to = min(to, b.From)
		case b.To > at:
			to = min(to, b.To)
		}
	}
	return to, d.m.UnavailableProcs(at)
}

// add counts a step of some length, in which so many processors are gone.
func (l *load) add(d *data, s Step, length job.Time, gone int, narrow *narrowest) {
	used := float64(s.Busy) * float64(length)
	onNodes := float64(s.Nodes) * float64(length)
	l.busy += used
	l.nodes += onNodes
	l.longest = max(l.longest, s.Waiting)
	if s.Waiting >= d.o.HighLoad {
		l.high += length
		l.highBusy += used
		l.highNodes += onNodes
		l.highGone += float64(gone) * float64(length)
	}
	if idle := d.m.Slots() - gone - s.Busy; idle > 0 && s.Waiting > 0 {
		lost := float64(idle) * float64(length)
		l.lostQueue += lost
		if narrow.procs() <= idle {
			l.lostFits += lost
		}
	}
}

// narrowest knows the waiting job with the fewest processors. Jobs that have
// started are dropped when they come to the top.
type narrowest struct {
	rows    []schedule.Row
	arrived int
	heap    []int32 // rows, a heap by processors
}

// advance brings it to the moment at.
func (n *narrowest) advance(at job.Time) {
	for ; n.arrived < len(n.rows) && n.rows[n.arrived].Submit <= at; n.arrived++ {
		if n.rows[n.arrived].Start > at {
			heap.Push(n, int32(n.arrived))
		}
	}
	for len(n.heap) > 0 && n.rows[n.heap[0]].Start <= at {
		heap.Pop(n)
	}
}

// procs returns the fewest processors that a waiting job needs.
func (n *narrowest) procs() int { return n.rows[n.heap[0]].Procs }

// The methods of heap.Interface.

func (n *narrowest) Len() int { return len(n.heap) }
func (n *narrowest) Less(i, j int) bool {
	return n.rows[n.heap[i]].Procs < n.rows[n.heap[j]].Procs
}
func (n *narrowest) Swap(i, j int) { n.heap[i], n.heap[j] = n.heap[j], n.heap[i] }
func (n *narrowest) Push(x any)    { n.heap = append(n.heap, x.(int32)) }
func (n *narrowest) Pop() any {
	last := len(n.heap) - 1
	x := n.heap[last]
	n.heap = n.heap[:last]
	return x
}
