package main

import (
	"fmt"
	"strconv"
	"time"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// Growth is tested with the first jobs of a trace, laid end to end: each copy
// brings the same queue, so a job may cost no more among a million than among
// ten thousand.
const (
	tileJobs   = 10_000
	growthMost = 1.6 // largest / smallest time a job
)

var growthSizes = []int{10_000, 100_000, 1_000_000}

// growth is the processor time a job, in nanoseconds, by number of jobs.
type growth struct {
	Trace  string    `json:"trace"`
	Policy string    `json:"policy"`
	Jobs   []int     `json:"jobs"`
	Nanos  []float64 `json:"ns-a-job"`
	Ratio  float64   `json:"largest-to-smallest"`
	Met    bool      `json:"met"`
}

// growths returns the table of growth.
func (b *benching) growths(files []string) error {
	head := ""
	for _, n := range growthSizes {
		head += fmt.Sprintf(" %12d", n)
	}
	b.say("%-28s %-14s%s %8s %8s", "processor time a job, ns", "jobs:", head, "ratio", "limit")
	for _, f := range files {
		data, err := wholeFile(f)
		if err != nil {
			return err
		}
		w, err := parsed(data)
		if err != nil {
			return placed(f, err)
		}
		for _, policy := range benched {
			g := growth{Trace: traceName(f), Policy: policy, Jobs: growthSizes}
			if err := g.measure(w, b.runs); err != nil {
				return placed(f, err)
			}
			b.report.Growth = append(b.report.Growth, g)
			b.say("%-28s %-14s%s %8.2f %8.1f  %s", g.Trace, g.Policy, g.cells(), g.Ratio, growthMost, verdict(g.Met))
		}
	}
	return nil
}

// measure runs short workloads more often, since they are measured worse.
func (g *growth) measure(w *workload.Workload, runs int) error {
	least, most := 0.0, 0.0
	for _, n := range g.Jobs {
		jobs := tiled(w.Jobs[:min(tileJobs, len(w.Jobs))], n)
		var err error
		ms := middle(runs*min(10, max(1, 1_000_000/n)), func() time.Duration {
			from := processorTime()
			err = simulateOnce(w.Procs, jobs, g.Policy)
			return processorTime() - from
		})
		if err != nil {
			return err
		}
		a := ms * 1e6 / float64(n)
		if g.Nanos = append(g.Nanos, a); len(g.Nanos) == 1 {
			least = a
		}
		least, most = min(least, a), max(most, a)
	}
	g.Ratio = most / least
	g.Met = g.Ratio <= growthMost
	return nil
}

func (g *growth) cells() (text string) {
	for _, a := range g.Nanos {
		text += fmt.Sprintf(" %12.0f", a)
	}
	return text
}

// tiled repeats jobs until there are n, each copy later by their span.
func tiled(jobs []job.Job, n int) []job.Job {
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
