package experiment

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
)

// generatedSource is a Source that generates the jobs of one group of a definition. A group is a
// workload at a load, with a seed.
type generatedSource struct {
	d     *sweep.Definition
	group sweep.Group
	key   string // result of method Key
}

// newGeneratedSource returns a source for group g of a definition.
func newGeneratedSource(d *sweep.Definition, g sweep.Group) *generatedSource {
	return &generatedSource{d, g, d.JobsKey(g)}
}

// seed returns the seed of the workload.
func (w *generatedSource) seed() int64 { return w.group.Seed }

// Key returns the key of the workload. Workloads with equal keys have equal jobs.
func (w *generatedSource) Key() string { return w.key }

// String describes the workload in one line, such as "cirne-like jobs=200 on 128, seed 3".
func (w *generatedSource) String() string {
	x := &w.d.Workloads[w.group.Workload]
	g, m := x.Scenario.Workload.Generator, &x.Scenario.Machine
	var b strings.Builder
	b.WriteString(g.Name)
	for _, k := range slices.Sorted(maps.Keys(g.Parameters)) {
		b.WriteString(" " + k + "=" + g.Parameters[k])
	}
	fmt.Fprintf(&b, " on %d, seed %d", m.Slots(), w.group.Seed)
	if m.JobsPerNode > 0 {
		fmt.Fprintf(&b, ", in nodes of %dx%d cores", m.Processors, m.Cores)
	}
	if q := x.Queue; q != nil {
		fmt.Fprintf(&b, ", mean queue %g under %s", q.Length, q.Policy)
	}
	return b.String()
}

// Load generates the jobs and returns facts about the workload, such as the numbers of jobs and
// processors. If the definition sets a queue length, the facts include the mean time between
// arrivals that Load found, and the resulting queue length. If jobs can share nodes, or if the
// model is that of Lublin and Feitelson, the facts include the composition of the jobs.
func (w *generatedSource) Load() (*Workload, Results, error) {
	j, err := w.d.Prepare(w.group, (*scenario.Scenario).Setup)
	if err != nil {
		return nil, nil, err
	}
	setup := j.Setup()
	m := setup.Scenario.Machine.Machine
	l := &Workload{Machine: m, Jobs: setup.Work.Jobs, Speed: setup.Speed}
	facts := Results{"jobs": float64(len(l.Jobs)), "processors": float64(m.Slots())}
	switch {
	case m.JobsPerNode > 0:
		addComposition(l.Jobs, m.Nodes, nodeSeconds, facts)
	case setup.Scenario.Workload.Generator.Name == "lublin":
		addComposition(l.Jobs, m.Slots(), processorSeconds, facts)
	}
	if t := j.TunedArrivals(); t != nil {
		facts["interarrival"], facts["queue"] = t.Interarrival, t.Queue
	}
	return l, facts, nil
}

// processorSeconds returns the work of a job in processor-seconds.
func processorSeconds(j *job.Job) float64 { return float64(j.Procs) * float64(j.Runtime) }

// addComposition adds facts about the composition of a workload, in percent. For each type of jobs
// (short, medium or long), it adds the share of all jobs and the share of the work that belong to
// this type. It adds the share of serial jobs among all jobs, and the share of jobs with a
// power-of-two size among the parallel jobs. It also adds the load: the work, divided by the
// capacity of a machine of the given size from the first to the last submission.
func addComposition(jobs []job.Job, size int, workOf func(*job.Job) float64, facts Results) {
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

// coresPerNode is the number of cores per node in Zeng 2009, section 5.1.
const coresPerNode = 4

// nodeSeconds returns the work of a job in node-seconds if the job does not share nodes. The number
// of processes per node comes from formula 11 (Zeng 2009).
func nodeSeconds(j *job.Job) float64 {
	g := gain.NewJob(&j.Request)
	g.PerNode = gain.ThesisLimits.PerNode(g, coresPerNode)
	return float64(g.Nodes()) * float64(g.OwnSlowdown()*float64(j.Runtime))
}
