package explain

import (
	"cmp"
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// Holder is a job on the machine.
type Holder struct {
	Job   job.Index
	Slots int
	Until job.Time // its end by its estimate, or that of the time slice
}

// Machine is the state of the machine at an instant, after all that happened at
// that instant.
type Machine struct {
	At      job.Time
	Running []Holder // by their ends
	Waiting []job.Index
	Free    int
}

// At returns the state of the machine at an instant.
func (x *Index) At(t job.Time) Machine {
	m := Machine{At: t, Free: x.log.Machine.Slots() - x.log.Machine.UnavailableProcs(t)}
	for j := range x.chart.Running(t) {
		h := Holder{j, x.log.Alloc(j).Count(), x.Until(j, t)}
		m.Running = append(m.Running, h)
		m.Free -= h.Slots
	}
	slices.SortFunc(m.Running, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(a.Until, b.Until), cmp.Compare(a.Job, b.Job))
	})
	for j := range x.chart.Waiting(t) {
		m.Waiting = append(m.Waiting, j)
	}
	return m
}

// Until returns the end of the running job j by its estimate, or that of the time
// slice if that is earlier, as known at at.
func (x *Index) Until(j job.Index, at job.Time) job.Time {
	return min(x.Predict(j, at), x.sliceEnd(at))
}

// sliceEnd returns when the time slice of the instant at is to end, job.Never if there
// is none.
func (x *Index) sliceEnd(at job.Time) job.Time {
	n := x.until(x.turns, at)
	if n == 0 {
		return job.Never
	}
	if r := x.log.Record(int(x.turns[n-1])); r.X != 0 && r.Y > at {
		return r.Y
	}
	return job.Never
}

// Predict returns the end of the running job j by its estimate, as known at at.
func (x *Index) Predict(j job.Index, at job.Time) job.Time {
	q := &x.log.Jobs[j]
	left, rate, since := float64(q.Estimate), 1.0, at
	if s := q.Speedup(); s != nil {
		left = s.Work()
	}
	running := false
	all := x.records(j)
	for _, i := range all[:x.until(all, at)] {
		r := x.log.Record(int(i))
		switch r.Kind {
		case log.Start, log.Resume, log.Suspend, log.Reprice:
		default:
			continue
		}
		if running {
			left = max(0, left-float64(rate*float64(r.At-since)))
		}
		since = r.At
		if r.Kind == log.Reprice {
			rate = math.Float64frombits(uint64(r.X))
		} else {
			running = r.Kind != log.Suspend
		}
	}
	return since + speed.Seconds(left, rate)
}

// room is a free amount of each resource, the processors first.
type room []int64

// roomAt returns what is free at the instant t, not before m, by the estimates.
func (x *Index) roomAt(m *Machine, t job.Time) room {
	free := room{int64(x.log.Machine.Slots() - x.log.Machine.UnavailableProcs(t))}
	for _, r := range x.log.Machine.Resources {
		free = append(free, r.Capacity)
	}
	for _, h := range m.Running {
		if h.Until > t || t == m.At {
			free.take(x.holds(h.Job, h.Slots))
		}
	}
	return free
}

// take takes what a job holds.
func (r room) take(n job.Demand) {
	for k := range r {
		r[k] -= asks(n, k)
	}
}

// lacks returns the first resource of which there is too little for a job, -1 if
// there is enough of all.
func (r room) lacks(n job.Demand) int {
	for k := range r {
		if asks(n, k) > r[k] {
			return k
		}
	}
	return -1
}

// asks returns what is asked of resource k, the processors being 0.
func asks(n job.Demand, k int) int64 {
	if k == 0 {
		return int64(n.Procs)
	}
	return n.Amount(k - 1)
}

// holds returns what a job holds with that many processors.
func (x *Index) holds(j job.Index, procs int) job.Demand {
	n := x.log.Jobs[j].Demand()
	n.Procs = procs
	return n
}

// needsAt returns what the waiting job j asks for at an instant, and for how long.
func (x *Index) needsAt(j job.Index, at job.Time) (job.Demand, job.Time) {
	procs, length := x.plans.Asks(j, at)
	return x.holds(j, procs), length
}
