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
	"backfill-lab/core/speed"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/draw"
)

// Load is what cases run on.
type Load struct {
	Machine cluster.Machine
	Jobs    []job.Job
	Speed   speed.Model // of jobs that share nodes; nil: none slows another one down
}

// Of returns the load that a trace puts on its machine.
func Of(w *workload.Workload) *Load { return &Load{Machine: cluster.Flat(w.Procs), Jobs: w.Jobs} }

// About returns the facts of a trace: its jobs, after the filter; the processors of
// its machine; the percent of the jobs with an estimate of their own.
func About(w *workload.Workload) Cell {
	n := float64(len(w.Jobs))
	c := Cell{"jobs": n, "processors": float64(w.Procs)}
	if n > 0 {
		c["estimates"] = 100 * (n - float64(w.Report.N(workload.NoEstimate))) / n
	}
	return c
}

// Cell is what a case gave on a workload: the metrics that apply, by name; or
// the facts of the workload.
type Cell map[string]float64

// Run runs a case and checks the schedule, promises included.
func Run(w *Load, c *Case) (Cell, error) {
	l, err := simulate(w, c)
	if err != nil {
		return nil, err
	}
	cell, of := Cell{}, schedule.FromLog(l)
	for _, v := range metrics.Compute(of, l.Machine, metrics.Default) {
		if v.OK {
			cell[v.Metric.Name] = v.V
		}
	}
	cell.addCut(of, l.Machine)
	if c.Full {
		cell.addForms(l)
	}
	return cell, nil
}

// simulate returns the log of a case, checked.
func simulate(w *Load, c *Case) (*log.Log, error) {
	p, err := registry.New(c.Policy, c.Knobs)
	if err != nil {
		return nil, err
	}
	level := log.Decisions
	if c.Full {
		level = log.Full
	}
	e, err := sim.New(sim.Config{Machine: w.Machine, Jobs: estimated(w.Jobs, c.Exact), Policy: p, Speed: w.Speed, Level: level})
	if err != nil {
		return nil, err
	}
	if err := e.Run(); err != nil {
		return nil, err
	}
	if found := schedule.CheckLogWith(e.Log(), schedule.Options{Promises: w.Speed == nil, Rates: w.Speed != nil}); len(found) > 0 {
		return nil, fmt.Errorf("%s: %s", c, found[0])
	}
	return e.Log(), nil
}

// estimated returns the jobs with the estimates of some percent of them made exact,
// spread evenly and without a pattern.
func estimated(jobs []job.Job, percent int) []job.Job {
	if percent == 0 {
		return jobs
	}
	out := slices.Clone(jobs)
	for i := range out {
		if int(draw.Mix(uint64(i))%100) < percent {
			out[i].Estimate = out[i].Runtime
		}
	}
	return out
}
