package experiment

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
)

// generated is a source that draws its jobs from a model.
type generated struct{ registry.Order }

// Key returns the key of the workload. Workloads with equal keys have equal jobs.
func (g *generated) Key() string { return g.String() }

// String describes the workload in one line, such as "cirne jobs=200 on 128, seed 3".
func (g *generated) String() string {
	var b strings.Builder
	b.WriteString(g.Model)
	for _, k := range slices.Sorted(maps.Keys(g.Knobs)) {
		b.WriteString(" " + k + "=" + g.Knobs[k])
	}
	fmt.Fprintf(&b, " on %d, seed %d", g.Procs, g.Seed)
	return b.String()
}

// Load draws the jobs from the model. The facts are the numbers of jobs and processors.
func (g *generated) Load() (*Workload, Results, error) {
	drawn, err := g.Generate()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", g, err)
	}
	l := &Workload{Machine: cluster.Flat(g.Procs), Jobs: drawn.Jobs}
	l.Machine.Resources = drawn.Resources
	return l, Results{"jobs": float64(len(l.Jobs)), "processors": float64(g.Procs)}, nil
}

// tunedQueue is a generated workload whose arrival rate is tuned, so that a policy has a given mean
// queue length (Leinberger et al. 1999, section 3.2). The model must have the knob mean-interarrival.
type tunedQueue struct {
	generated
	policy      *Case   // policy that has the given queue length
	queue       float64 // mean number of waiting jobs from the first to the last arrival
	minInterval float64 // lower limit of the mean time between arrivals, in seconds
	maxInterval float64 // upper limit of the mean time between arrivals, in seconds
}

// Key returns the key of the workload. It includes the limits of the search, which affect the result.
func (t *tunedQueue) Key() string {
	return fmt.Sprintf("%s, sought from %g to %g s", t, t.minInterval, t.maxInterval)
}

func (t *tunedQueue) String() string {
	return fmt.Sprintf("%s, mean queue %g under %s", &t.generated, t.queue, t.policy)
}

// Load searches for the arrival rate and draws the jobs. The facts include the mean time between
// arrivals and the mean queue length.
func (t *tunedQueue) Load() (*Workload, Results, error) {
	interval, length, err := arrivals.Tune(t.queue, t.minInterval, t.maxInterval, func(interval float64) (float64, error) {
		l, _, err := t.withInterval(interval).Load()
		if err != nil {
			return 0, err
		}
		c, err := Run(l, t.policy)
		return c["mean-queue-length"], err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", t, err)
	}
	l, facts, err := t.withInterval(interval).Load()
	if err == nil {
		facts["interarrival"], facts["queue"] = interval, length
	}
	return l, facts, err
}

// withInterval returns the workload with the given mean time between arrivals, in seconds.
func (t *tunedQueue) withInterval(interval float64) *generated {
	g := t.generated
	if g.Knobs = maps.Clone(g.Knobs); g.Knobs == nil {
		g.Knobs = map[string]string{}
	}
	g.Knobs[generator.MeanInterarrival] = strconv.FormatFloat(interval, 'g', -1, 64)
	return &g
}

// lublinMix is a generated workload of rigid jobs. Its facts include the composition of the workload.
type lublinMix struct{ generated }

// Load draws the jobs and adds the composition of the workload to the facts.
func (m *lublinMix) Load() (*Workload, Results, error) {
	l, facts, err := m.generated.Load()
	if err == nil {
		addMix(l.Jobs, m.Procs, processorSeconds, facts)
	}
	return l, facts, err
}

// processorSeconds returns the work of a job in processor-seconds.
func processorSeconds(j *job.Job) float64 { return float64(j.Procs) * float64(j.Runtime) }

// addMix adds the composition of a workload to facts, in percent: the share of each type of jobs by
// number and by work, and the share of serial jobs. Among parallel jobs, it adds the share of jobs whose
// size is a power of two. It also adds the load: the work divided by the capacity of a machine of the given size between
// the first and the last submission.
func addMix(jobs []job.Job, size int, workOf func(*job.Job) float64, facts Results) {
	var work float64
	for i := range jobs {
		j := &jobs[i]
		w := workOf(j)
		kind := metrics.Default.Type(j.Estimate)
		facts[kind]++
		facts["work-"+kind] += w
		work += w
		switch {
		case j.Procs == 1:
			facts["serial"]++
		case bits.OnesCount(uint(j.Procs)) == 1:
			facts["powers"]++
		}
	}
	n := float64(len(jobs))
	facts["powers"] *= 100 / (n - facts["serial"])
	facts["serial"] *= 100 / n
	for _, t := range metrics.Types {
		facts[t] *= 100 / n
		facts["work-"+t] *= 100 / work
	}
	facts["load"] = 100 * work / (float64(size) * float64(jobs[len(jobs)-1].Submit-jobs[0].Submit))
}
