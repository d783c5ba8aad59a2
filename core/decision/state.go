package decision

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// readState finds the waiting jobs and the free resources just before the record with index place.
func (d *Decision) readState(place int) {
	d.Free = d.capacity()
	d.Host = hostView(d.log, place, d.View)
	ownJobs := make([]bool, len(d.log.Jobs)) // by job: whether it belongs to d.View, according to the record of its fair start
	var hostQueue []Waiter
	for i := range place {
		switch r := d.log.Record(i); {
		case r.Kind == log.Fair && r.View == d.View:
			ownJobs[r.Job] = true
			d.Queue = append(d.Queue, Waiter{Job: r.Job, Fair: r.X})
		case r.Kind == log.Fair && r.View == d.Host:
			hostQueue = append(hostQueue, Waiter{Job: r.Job, Fair: r.X})
		case r.Kind == log.Start && ownJobs[r.Job]:
			d.subtractDemand(r.Job, 1)
			d.Queue = removeWaiter(d.Queue, r.Job)
		case r.Kind == log.Start:
			hostQueue = removeWaiter(hostQueue, r.Job)
		case r.Kind == log.Finish && ownJobs[r.Job]:
			d.subtractDemand(r.Job, -1)
		}
	}
	if d.Queue = append(d.Queue, hostQueue...); d.Host == 0 {
		d.reserveFirst()
	} else {
		d.readHostCapacity(place, ownJobs)
	}
	for i := range d.Queue {
		w := &d.Queue[i]
		q := &d.log.Jobs[w.Job]
		w.Latest = d.rules.Latest(q.Submit, q.Estimate, w.Fair, d.At)
	}
}

// capacity returns the number of processors of the machine, followed by its capacity of
// each extra resource.
func (d *Decision) capacity() []int64 {
	all := []int64{int64(d.log.Machine.Slots())}
	for _, r := range d.log.Machine.Resources {
		all = append(all, r.Capacity)
	}
	return all
}

// removeWaiter removes job j from a queue and returns the queue.
func removeWaiter(queue []Waiter, j job.Index) []Waiter {
	for i := range queue {
		if queue[i].Job == j {
			return append(queue[:i], queue[i+1:]...)
		}
	}
	return queue
}

// reserveFirst removes jobs from the front of the queue while they fit, and subtracts their demand
// from the free resources. Without virtual machines, the first job of the queue never fits. On a
// virtual machine, it can fit: it is then due to start, but jobs of other virtual machines still
// hold its processors.
func (d *Decision) reserveFirst() {
	for len(d.Queue) > 0 && d.shortResource(d.Queue[0].Job) < 0 {
		d.subtractDemand(d.Queue[0].Job, 1)
		d.Queue = d.Queue[1:]
	}
}

// subtractDemand subtracts the demand of job j from the free resources if sign is 1, and adds it if
// sign is -1.
func (d *Decision) subtractDemand(j job.Index, sign int64) {
	for k := range d.Free {
		d.Free[k] -= sign * d.demand(j, k)
	}
}

// shortResource returns the first resource of which too little is free for job j: 0 for processors,
// k for extra resource k-1. It returns -1 if the job fits.
func (d *Decision) shortResource(j job.Index) int {
	for k := range d.Free {
		if d.demand(j, k) > d.Free[k] {
			return k
		}
	}
	return -1
}

// demand returns how much job j needs of resource k: processors if k is 0, otherwise extra resource
// k-1.
func (d *Decision) demand(j job.Index, k int) int64 {
	request := d.log.Jobs[j].Demand()
	if k == 0 {
		return int64(request.Procs)
	}
	return request.Amount(k - 1)
}
