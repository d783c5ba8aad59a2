package experiment

import (
	"fmt"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
	"backfill-lab/core/sweep"
	"backfill-lab/core/workload"
)

// Workload is a machine and the jobs to run on it.
type Workload struct {
	Machine cluster.Machine
	Jobs    []job.Job
	Speed   speed.Model // how jobs on shared nodes slow each other down; nil if they do not
}

// FromTrace converts a trace to a Workload.
func FromTrace(w *workload.Workload) *Workload {
	return &Workload{Machine: cluster.Flat(w.Procs), Jobs: w.Jobs}
}

// TraceFacts returns facts about a trace: the number of jobs that the data rules kept, the number
// of processors, and the percentage of jobs with an estimate.
func TraceFacts(w *workload.Workload) Results {
	n := float64(len(w.Jobs))
	c := Results{"jobs": n, "processors": float64(w.Procs)}
	if n > 0 {
		c["estimates"] = 100 * (n - float64(w.Report.N(workload.NoEstimate))) / n
	}
	return c
}

// Results holds metrics of a case on a workload, or facts about a workload, by name. Metrics that
// do not apply are missing.
type Results map[string]float64

// Run runs a case, checks that the schedule is valid, and returns the metrics.
func Run(w *Workload, c *Case) (Results, error) {
	l, err := simulate(w, c)
	if err != nil {
		return nil, err
	}
	cell, result := Results{}, schedule.FromLog(l)
	for _, v := range metrics.Compute(result, l.Machine, metrics.Default) {
		if v.Applies {
			cell[v.Metric.Name] = v.Number
		}
	}
	cell.addSecondTau(result, l.Machine)
	if c.FullLog {
		cell.addGroupAttempts(l)
	}
	return cell, nil
}

// simulate runs a case, checks that the schedule is valid, and returns the log.
func simulate(w *Workload, c *Case) (*log.Log, error) {
	p, err := registry.New(c.Policy, c.Knobs)
	if err != nil {
		return nil, err
	}
	level := log.Decisions
	if c.FullLog {
		level = log.Full
	}
	jobs := w.Jobs
	if c.ExactPercent > 0 {
		jobs = sweep.ExactEstimates(jobs, c.ExactPercent)
	}
	e, err := sim.New(sim.Config{Machine: w.Machine, Jobs: jobs, Policy: p, Speed: w.Speed, Level: level})
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

// Results contain relative response times for two values of tau. A relative response time is the
// response time divided by the runtime, or by tau if the runtime is shorter. With the default tau,
// 10 s, jobs with runtimes of a few seconds dominate the mean. With 600 s, the maximum runtime of a
// short job, jobs of all types contribute.
const (
	secondTau job.Time = 600
	tauSuffix          = " tau=600"          // suffix of the names of metrics that use the second tau
	relative           = "relative-response" // prefix of the names of relative response times
)

// addSecondTau adds the relative response times for the second value of tau.
func (c Results) addSecondTau(s *schedule.Schedule, m cluster.Machine) {
	o := metrics.Default
	o.Tau = secondTau
	for _, v := range metrics.Compute(s, m, o) {
		if v.Applies && strings.HasPrefix(v.Metric.Name, relative) {
			c[v.Metric.Name+tauSuffix] = v.Number
		}
	}
}

// These are the names of results about how a policy forms groups of jobs that share nodes. Only
// runs with a full log have these results.
const (
	groupAttempts = "forms"     // number of attempts to form a group; jobs that start alone do not count
	fewCandidates = "few-suits" // share of the attempts with fewer than four suitable candidates
	noCandidates  = "none-suit" // share of the attempts without suitable candidates
)

// FullLogResults lists the results that are missing unless the case records a full log.
var FullLogResults = []string{groupAttempts, fewCandidates, noCandidates}

// addGroupAttempts adds the number of attempts to form a group, and the shares of attempts with few
// or no suitable candidates.
func (c Results) addGroupAttempts(l *log.Log) {
	n, few, none, candidates := 0.0, 0.0, 0.0, 0
	endAttempt := func() {
		if n > 0 && candidates < 4 {
			few++
		}
		if n > 0 && candidates == 0 {
			none++
		}
		candidates = 0
	}
	for r := range l.All() {
		switch {
		case r.Kind == log.PrimaryTried && r.Code != log.CaseAlone:
			endAttempt()
			n++
		case r.Kind == log.Candidate && r.Code == log.Suited:
			candidates++
		}
	}
	endAttempt()
	if n > 0 {
		c[groupAttempts], c[fewCandidates], c[noCandidates] = n, few/n, none/n
	}
}
