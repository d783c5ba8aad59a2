package explain

import (
	"cmp"
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
	"backfill-lab/core/timeline"
)

// Holder describes a running job, the number of slots that it holds, and for how long it holds
// them.
type Holder struct {
	Job   job.Index
	Slots int
	Until job.Time // estimated end of the job, or end of the time slice if that is earlier
}

// Machine is the state of the machine at a given time, after all events of that time.
type Machine struct {
	At      job.Time
	Running []Holder // sorted by Until, then by job
	Waiting []job.Index
	Free    int                    // free slots
	Planned []timeline.Reservation // sorted by start; set only for WhyNotInstead
}

// At returns the state of the machine at time t.
func (x *Index) At(t job.Time) Machine {
	m := Machine{At: t, Free: x.log.Machine.Slots() - x.log.Machine.UnavailableProcs(t)}
	for j := range x.timeline.Running(t) {
		h := Holder{j, x.log.Alloc(j).Count(), x.HoldsUntil(j, t)}
		m.Running = append(m.Running, h)
		m.Free -= h.Slots
	}
	slices.SortStableFunc(m.Running, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(a.Until, b.Until), cmp.Compare(a.Job, b.Job))
	})
	for j := range x.timeline.Waiting(t) {
		m.Waiting = append(m.Waiting, j)
	}
	return m
}

// HoldsUntil returns the time until which the running job j will hold its slots, as known at the
// given time. This is the estimated end of the job, or the end of the time slice if that is
// earlier.
func (x *Index) HoldsUntil(j job.Index, at job.Time) job.Time {
	return min(x.EstimatedEnd(j, at), x.sliceEnd(at))
}

// sliceEnd returns the end of the time slice that contains the given time, or job.Never if there is
// none.
func (x *Index) sliceEnd(at job.Time) job.Time {
	n := x.countUntil(x.slices, at)
	if n == 0 {
		return job.Never
	}
	if r := x.log.Record(int(x.slices[n-1])); r.X != 0 && r.Y > at {
		return r.Y
	}
	return job.Never
}

// EstimatedEnd returns the estimated end of the running job j, as known at the given time. It takes
// suspensions and changed rates into account.
func (x *Index) EstimatedEnd(j job.Index, at job.Time) job.Time {
	q := &x.log.Jobs[j]
	left, rate, since := float64(q.Estimate), 1.0, at
	if s := q.Speedup(); s != nil {
		left = s.Work()
	}
	running := false
	all := x.recordsOf(j)
	for _, i := range all[:x.countUntil(all, at)] {
		r := x.log.Record(int(i))
		switch r.Kind {
		case log.Start, log.Resume, log.Suspend, log.RateChange:
		default:
			continue
		}
		if running {
			left = max(0, left-float64(rate*float64(r.At-since)))
		}
		since = r.At
		if r.Kind == log.RateChange {
			rate = math.Float64frombits(uint64(r.X))
		} else {
			running = r.Kind != log.Suspend
		}
	}
	return since + speed.Seconds(left, rate)
}

// amounts holds an amount of each resource. Index 0 is processors, and index k is extra resource
// k-1.
type amounts []int64

// freeAt returns the amounts that are free at time t, if the running jobs end as estimated in m.
// The argument t must not be before m.At.
func (x *Index) freeAt(m *Machine, t job.Time) amounts {
	free := amounts{int64(x.log.Machine.Slots() - x.log.Machine.UnavailableProcs(t))}
	for _, r := range x.log.Machine.Resources {
		free = append(free, r.Capacity)
	}
	for _, h := range m.Running {
		if h.Until > t || t == m.At {
			free.subtract(x.demandWith(h.Job, h.Slots))
		}
	}
	return free
}

// subtract reduces the amounts by the demand of a job.
func (r amounts) subtract(n job.Demand) {
	for k := range r {
		r[k] -= demandFor(n, k)
	}
}

// shortResource returns the index of the first resource whose available amount is below the demand
// n. It returns -1 if all amounts suffice.
func (r amounts) shortResource(n job.Demand) int {
	for k := range r {
		if demandFor(n, k) > r[k] {
			return k
		}
	}
	return -1
}

// demandFor returns the amount of resource k in a demand: processors if k is 0, otherwise extra
// resource k-1.
func demandFor(n job.Demand, k int) int64 {
	if k == 0 {
		return int64(n.Procs)
	}
	return n.Amount(k - 1)
}

// demandWith returns the demand of job j if it runs on procs processors.
func (x *Index) demandWith(j job.Index, procs int) job.Demand {
	n := x.log.Jobs[j].Demand()
	n.Procs = procs
	return n
}

// demandAt returns the demand and the duration, in seconds, that are planned for the waiting job j
// at the given time.
func (x *Index) demandAt(j job.Index, at job.Time) (job.Demand, job.Time) {
	procs, length := x.plans.PlannedSize(j, at)
	return x.demandWith(j, procs), length
}
