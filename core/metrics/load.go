package metrics

import (
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// load holds the sums that measureLoad computes. They cover the time from the first submission to
// the last finish of the counted jobs.
type load struct {
	busy            float64  // processor-seconds in use
	lostFits        float64  // idle processor-seconds while some waiting job needs no more than the idle processors
	lostQueue       float64  // idle processor-seconds while at least one job waits
	highPhases      int      // number of high-load phases
	highLength      job.Time // total length of the high-load phases, in seconds
	highBusy        float64  // processor-seconds in use during high load
	byNode          bool     // whether the nodes in use were counted, see newNodeCounts
	nodeSeconds     float64  // node-seconds in use
	highNodeSeconds float64  // node-seconds in use during high load
	maxQueue        int      // maximum number of waiting jobs
	maxQueueAt      job.Time // first time at which maxQueue jobs wait
	queueArea       float64  // number of waiting jobs, integrated from the first to the last submission
	arrivals        job.Time // seconds from the first to the last submission
	highOutage      float64  // processor-seconds of outages during high load
}

// measureLoad computes the sums from the steps of all rows. A phase of high load is a maximal
// interval in which at least Options.HighLoad jobs wait (Jin 2009; Zeng 2009).
func measureLoad(rows []schedule.Row, d *inputs) load {
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

// unavailable returns the number of processors that outages take at time now. It also returns the
// time until which this number stays the same, or end if that is earlier.
func (d *inputs) unavailable(now, end job.Time) (until job.Time, procs int) {
	for _, o := range d.m.Outages {
		switch {
		case o.From > now:
			end = min(end, o.From)
		case o.To > now:
			end = min(end, o.To)
		}
	}
	return end, d.m.UnavailableProcs(now)
}

// add adds a step, or the part of it that lasts length seconds, to the sums. During this time,
// outages take outageProcs processors. Before the call, narrowestJob must have advanced to the
// start of the step.
func (l *load) add(d *inputs, s step, length job.Time, outageProcs int, narrowestJob *narrowest) {
	used := float64(s.Busy) * float64(length)
	onNodes := float64(s.Nodes) * float64(length)
	l.busy += used
	l.nodeSeconds += onNodes
	if s.Waiting >= d.o.HighLoad {
		l.highLength += length
		l.highBusy += used
		l.highNodeSeconds += onNodes
		l.highOutage += float64(outageProcs) * float64(length)
	}
	if idle := d.m.Slots() - outageProcs - s.Busy; idle > 0 && s.Waiting > 0 {
		lost := float64(idle) * float64(length)
		l.lostQueue += lost
		if narrowestJob.procs() <= idle {
			l.lostFits += lost
		}
	}
}

// narrowest finds the waiting job that requests the fewest processors. It keeps the waiting jobs in
// a heap. A job that has started stays there until it reaches the top.
type narrowest struct {
	rows      []schedule.Row // all jobs, in order of submission
	submitted int            // number of rows submitted so far
	heap      []int32        // indexes of rows, a heap by number of processors
}

// advance adds the jobs submitted up to the given time to the heap. It then removes started jobs
// from the top.
func (n *narrowest) advance(at job.Time) {
	for ; n.submitted < len(n.rows) && n.rows[n.submitted].Submit <= at; n.submitted++ {
		if n.rows[n.submitted].Start > at {
			n.push(int32(n.submitted))
		}
	}
	for len(n.heap) > 0 && n.rows[n.heap[0]].Start <= at {
		n.pop()
	}
}

// procs returns the number of processors of the narrowest waiting job. At least one job must wait.
func (n *narrowest) procs() int { return n.rows[n.heap[0]].Procs }

// push adds row i to the heap.
func (n *narrowest) push(i int32) {
	n.heap = append(n.heap, i)
	at := len(n.heap) - 1
	for parent := (at - 1) / 2; at > 0 && n.rows[i].Procs < n.rows[n.heap[parent]].Procs; parent = (at - 1) / 2 {
		n.heap[at] = n.heap[parent]
		at = parent
	}
	n.heap[at] = i
}

// pop removes the top of the heap.
func (n *narrowest) pop() {
	last := len(n.heap) - 1
	i := n.heap[last]
	n.heap = n.heap[:last]
	at := 0
	for child := 1; child < last; child = 2*at + 1 {
		if child+1 < last && n.rows[n.heap[child+1]].Procs < n.rows[n.heap[child]].Procs {
			child++
		}
		if n.rows[n.heap[child]].Procs >= n.rows[i].Procs {
			break
		}
		n.heap[at] = n.heap[child]
		at = child
	}
	if last > 0 {
		n.heap[at] = i
	}
}
