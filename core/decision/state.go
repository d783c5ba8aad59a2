package decision

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// state reads who waits and what is free before the record at a place.
func (d *Decision) state(place int) {
	d.Free = d.whole()
	d.Host = host(d.log, place, d.View)
	own := make([]bool, len(d.log.Jobs)) // jobs of the view: it finds their fair starts
	var hosts []Waiter
	for i := range place {
		switch r := d.log.Record(i); {
		case r.Kind == log.Fair && r.View == d.View:
			own[r.Job] = true
			d.Queue = append(d.Queue, Waiter{Job: r.Job, Fair: r.X})
		case r.Kind == log.Fair && r.View == d.Host:
			hosts = append(hosts, Waiter{Job: r.Job, Fair: r.X})
		case r.Kind == log.Start && own[r.Job]:
			d.take(r.Job, 1)
			d.Queue = without(d.Queue, r.Job)
		case r.Kind == log.Start:
			hosts = without(hosts, r.Job)
		case r.Kind == log.Finish && own[r.Job]:
			d.take(r.Job, -1)
		}
	}
	if d.Queue = append(d.Queue, hosts...); d.Host == 0 {
		d.pass()
	} else {
		d.visit(place, own)
	}
	for i := range d.Queue {
		w := &d.Queue[i]
		q := &d.log.Jobs[w.Job]
		w.Latest = d.rules.Latest(q.Submit, q.Estimate, w.Fair, d.At)
	}
}

// whole returns what the machine has of each resource.
func (d *Decision) whole() []int64 {
	all := []int64{int64(d.log.Machine.Slots())}
	for _, r := range d.log.Machine.Resources {
		all = append(all, r.Capacity)
	}
	return all
}

// without returns a queue that a job has left.
func without(queue []Waiter, j job.Index) []Waiter {
	for i := range queue {
		if queue[i].Job == j {
			return append(queue[:i], queue[i+1:]...)
		}
	}
	return queue
}

// pass leaves out the first jobs that would have started, but that in a virtual
// machine others are on their processors: these are kept for them.
func (d *Decision) pass() {
	for len(d.Queue) > 0 && d.lacks(d.Queue[0].Job) < 0 {
		d.take(d.Queue[0].Job, 1)
		d.Queue = d.Queue[1:]
	}
}

// take takes what a job holds that many times.
func (d *Decision) take(j job.Index, times int64) {
	for k := range d.Free {
		d.Free[k] -= times * d.asks(j, k)
	}
}

// lacks returns the first resource of which too little is free for a job, 0 the
// processors; -1 if there is enough of all.
func (d *Decision) lacks(j job.Index) int {
	for k := range d.Free {
		if d.asks(j, k) > d.Free[k] {
			return k
		}
	}
	return -1
}

// asks returns what a job asks for of resource k.
func (d *Decision) asks(j job.Index, k int) int64 {
	need := d.log.Jobs[j].Demand()
	if k == 0 {
		return int64(need.Procs)
	}
	return need.Amount(k - 1)
}
