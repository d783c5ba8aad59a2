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
	Until job.Time // its end by its estimate
}

// Machine is the state of the machine at a moment, after all that happened at
// that moment.
type Machine struct {
	At      job.Time
	Running []Holder // by their ends
	Waiting []job.Index
	Free    int
}

// At is the state of the machine of a log at a moment. For several questions
// make an index.
func At(l *log.Log, t job.Time) Machine { return NewIndex(l).At(t) }

// At is the state of the machine at a moment.
func (x *Index) At(t job.Time) Machine {
	m := Machine{At: t, Free: x.log.Machine.Slots()}
	for j := range x.chart.Running(t) {
		h := Holder{j, x.log.Alloc(j).Count(), x.Predict(j, t)}
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

// Predict is the end of the running job j by its estimate, as known at at.
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

// freeAt is the slots that are free at the later moment t by the estimates.
func (x *Index) freeAt(m *Machine, t job.Time) int {
	free := x.log.Machine.Slots()
	for _, h := range m.Running {
		if h.Until > t {
			free -= h.Slots
		}
	}
	return free
}

// freeExtra is the free amount of extra resource k.
func (x *Index) freeExtra(m *Machine, k int) int64 {
	free := x.log.Machine.Resources[k].Capacity
	for _, h := range m.Running {
		free -= x.log.Jobs[h.Job].Extra(k)
	}
	return free
}
