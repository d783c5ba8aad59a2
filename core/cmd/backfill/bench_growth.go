package main

import (
	"fmt"
	"strconv"
	"time"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// The growth test runs a policy on many copies of the first jobs of a trace. The queue has the same
// length in every copy, so the time per job should not grow with the number of copies.
const (
	copyJobs  = 10_000 // number of jobs in each copy
	maxGrowth = 1.6    // maximum ratio of the longest to the shortest time per job
)

// growthSizes lists the workload sizes, in jobs, at which the time is measured.
var growthSizes = []int{10_000, 100_000, 1_000_000}

// growthResult holds the processor time per job of a policy on copies of a trace. Nanos has one
// time, in nanoseconds, for each workload size in Jobs.
type growthResult struct {
	Trace  string    `json:"trace"`
	Policy string    `json:"policy"`
	Jobs   []int     `json:"jobs"`
	Nanos  []float64 `json:"ns-a-job"`
	Ratio  float64   `json:"largest-to-smallest"` // largest value in Nanos divided by the smallest
	Met    bool      `json:"met"`                 // whether Ratio is at most maxGrowth
}

// printGrowth measures and prints how the time per job grows, for each trace and each policy.
func (b *bench) printGrowth(files []string) error {
	head := ""
	for _, n := range growthSizes {
		head += fmt.Sprintf(" %12d", n)
	}
	b.print("%-28s %-14s%s %8s %8s", "processor time per job, ns", "jobs:", head, "ratio", "limit")
	for _, f := range files {
		data, err := readFile(f)
		if err != nil {
			return err
		}
		w, err := parseTrace(data)
		if err != nil {
			return withFile(f, err)
		}
		for _, policy := range benchPolicies {
			g := growthResult{Trace: traceName(f), Policy: policy, Jobs: growthSizes}
			if err := g.measure(w, b.runs); err != nil {
				return withFile(f, err)
			}
			b.report.Growth = append(b.report.Growth, g)
			b.print("%-28s %-14s%s %8.2f %8.1f  %s", g.Trace, g.Policy, g.cellText(), g.Ratio, maxGrowth, verdict(g.Met))
		}
	}
	return nil
}

// measure measures the time per job at each workload size in g.Jobs. It repeats small workloads
// more often, because their times vary more.
func (g *growthResult) measure(w *workload.Workload, runs int) error {
	shortest, longest := 0.0, 0.0
	for _, n := range g.Jobs {
		jobs := repeatJobs(w.Jobs[:min(copyJobs, len(w.Jobs))], n)
		var err error
		ms := medianDuration(runs*min(10, max(1, 1_000_000/n)), func() time.Duration {
			from := processorTime()
			err = simulateOnce(w.Procs, jobs, g.Policy)
			return processorTime() - from
		})
		if err != nil {
			return err
		}
		nanos := ms * 1e6 / float64(n)
		if g.Nanos = append(g.Nanos, nanos); len(g.Nanos) == 1 {
			shortest = nanos
		}
		shortest, longest = min(shortest, nanos), max(longest, nanos)
	}
	g.Ratio = longest / shortest
	g.Met = g.Ratio <= maxGrowth
	return nil
}

// cellText formats the times as cells of the table.
func (g *growthResult) cellText() (text string) {
	for _, a := range g.Nanos {
		text += fmt.Sprintf(" %12.0f", a)
	}
	return text
}

// repeatJobs returns n jobs, numbered from 1. It repeats the given list, and submits each copy of
// the list after the previous copy.
func repeatJobs(jobs []job.Job, n int) []job.Job {
	first, last := jobs[0].Submit, jobs[len(jobs)-1].Submit
	span := last - first + (last-first)/job.Time(len(jobs)) + 1
	out := make([]job.Job, n)
	for i := range out {
		out[i] = jobs[i%len(jobs)]
		out[i].ID = strconv.Itoa(i + 1)
		out[i].Submit += job.Time(i/len(jobs)) * span
	}
	return out
}
