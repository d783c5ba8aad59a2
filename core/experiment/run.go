package experiment

import (
	"fmt"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
)

// Trace is what a study knows of a trace besides its jobs.
type Trace struct {
	Name      string  `json:"name"`
	Jobs      float64 `json:"jobs"`       // after the filter
	Procs     float64 `json:"processors"` // of the machine
	Estimates float64 `json:"estimates"`  // percent of the jobs with an estimate of their own
}

// About is the facts of a workload.
func About(name string, w *workload.Workload) Trace {
	n := len(w.Jobs)
	t := Trace{Name: name, Jobs: float64(n), Procs: float64(w.Procs)}
	if n > 0 {
		t.Estimates = 100 * float64(n-w.Report.N(workload.NoEstimate)) / float64(n)
	}
	return t
}

// of is a number of the trace by its name in Column.Metric.
func (t *Trace) of(name string) (float64, bool) {
	switch name {
	case "jobs":
		return t.Jobs, true
	case "processors":
		return t.Procs, true
	case "estimates":
		return t.Estimates, true
	}
	return 0, false
}

// Cell is what a case gave on a trace: the metrics that apply, by name.
type Cell map[string]float64

// Run runs a case on a trace and checks the schedule, promises included.
func Run(w *workload.Workload, c *Case) (Cell, error) {
	p, err := registry.New(c.Policy, c.Knobs)
	if err != nil {
		return nil, err
	}
	e, err := sim.New(sim.Config{Machine: cluster.Flat(w.Procs), Jobs: estimated(w.Jobs, c.Exact), Policy: p, Level: log.Decisions})
	if err != nil {
		return nil, err
	}
	if err := e.Run(); err != nil {
		return nil, err
	}
	l := e.Log()
	if found := schedule.CheckLog(l, true); len(found) > 0 {
		return nil, fmt.Errorf("%s: %s", c, found[0])
	}
	cell := Cell{}
	for _, v := range metrics.Compute(schedule.From(l), l.Machine, metrics.Default) {
		if v.OK {
			cell[v.Metric.Name] = v.V
		}
	}
	return cell, nil
}

// estimated is the jobs with the estimates of some percent of them made exact.
func estimated(jobs []job.Job, percent int) []job.Job {
	if percent == 0 {
		return jobs
	}
	out := slices.Clone(jobs)
	for i := range out {
		if int(scrambled(uint64(i))%100) < percent {
			out[i].Estimate = out[i].Runtime
		}
	}
	return out
}

// scrambled spreads indices evenly and without a pattern (SplitMix64, Steele et
// al. 2014).
func scrambled(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
