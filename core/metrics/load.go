package metrics

import (
	"container/heap"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// load holds the results of measureLoad, from the first submission to the last finish of the
// counted jobs.
type load struct {
	busy            float64  // processor-seconds in use
	lostFits        float64  // idle processor-seconds while a waiting job needs no more than the idle processors
	lostQueue       float64  // idle processor-seconds while a job waits
	highPhases      int      // number of high-load phases
	highLength      job.Time // total length of the high-load phases, in seconds
	highBusy        float64  // processor-seconds in use during high load
	byNode          bool     // whether the numbers of nodes in use are known
	nodeSeconds     float64  // node-seconds in use
	highNodeSeconds float64  // node-seconds in use during high load
	maxQueue        int      // maximum number of waiting jobs
	maxQueueAt      job.Time // first time at which so many jobs wait
	queueArea       float64  // number of waiting jobs, integrated from the first to the last submission
	arrivals        job.Time // seconds from the first to the last submission
	highOutage      float64  // processor-seconds of outages during high load
}

// measureLoad processes the steps of all rows. A phase of high load is a maximal interval in which
// at least N_H jobs wait (Jin 2009; Zeng 2009).
func measureLoad(rows []schedule.Row, d *data) load {
	counts := newNodeCounts(rows, &d.m)
	all := steps(rows, counts)
	l := load{arrivals: d.jobs[len(d.jobs)-1].Submit - d.from}
	lastArrival := d.from + l.arrivals
	narrow := narrowest{rows: rows}
	l.byNode = counts != nil
	wasHigh := false
	for i, s := range all {
		until := d.to
		if i+1 < len(all) {
			until = min(until, all[i+1].At)
		}
		narrow.advance(s.At)
		start := max(s.At, d.from)
		if start >= until {
			continue
		}
		for from := start; from < until; {
			to, unavailable := d.unavailable(from, until)
			if s.Waiting > l.maxQueue {
				l.maxQueue, l.maxQueueAt = s.Waiting, from
			}
			l.add(d, s, to-from, unavailable, &narrow)
			from = to
		}
		if high := s.Waiting >= d.o.HighLoad; high != wasHigh {
			if wasHigh = high; high {
				l.highPhases++
			}
		}
		if start < lastArrival {
			l.queueArea += float64(float64(s.Waiting) * float64(min(until, lastArrival)-start))
		}
	}
	return l
}

// unavailable returns the number of processors that outages take at time now. The number stays the
// same until the returned time, which is at most to.
func (d *data) unavailable(now, to job.Time) (until job.Time, procs int) {
	for _, o := range d.m.Outages {
		switch {
		case o.From > now:
			to = min(to, o.From)
		case o.To > now:
			to = min(to, o.To)
		}
	}
	return to, d.m.UnavailableProcs(now)
}

// add adds a part of a step. Length is in seconds; unavailable is the number of processors that
// outages take.
func (l *load) add(d *data, s step, length job.Time, unavailable int, narrow *narrowest) {
	used := float64(s.Busy) * float64(length)
	onNodes := float64(s.Nodes) * float64(length)
	l.busy += used
	l.nodeSeconds += onNodes
	if s.Waiting >= d.o.HighLoad {
		l.highLength += length
		l.highBusy += used
		l.highNodeSeconds += onNodes
		l.highOutage += float64(unavailable) * float64(length)
	}
	if idle := d.m.Slots() - unavailable - s.Busy; idle > 0 && s.Waiting > 0 {
		lost := float64(idle) * float64(length)
		l.lostQueue += lost
		if narrow.procs() <= idle {
			l.lostFits += lost
		}
	}
}

// narrowest finds the waiting job with the fewest processors. A started job leaves the heap when it
// reaches the top.
type narrowest struct {
	rows    []schedule.Row
	arrived int     // number of rows submitted so far
	heap    []int32 // indexes of rows, a heap by number of processors
}

// advance adds the jobs submitted up to a time and drops started jobs from the top.
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

// procs returns the number of processors of the narrowest waiting job.
func (n *narrowest) procs() int { return n.rows[n.heap[0]].Procs }

// Len, Less, Swap, Push and Pop implement heap.Interface.
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
