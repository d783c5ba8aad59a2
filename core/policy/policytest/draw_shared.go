package policytest

import (
	"math/rand/v2"
	"strconv"

	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/slowdown"
)

// layouts lists node layouts as processors per node and cores per processor. Half of the
// entries are the layout of Zeng 2009.
var layouts = [][2]int{{2, 2}, {2, 2}, {2, 2}, {2, 2}, {1, 4}, {2, 1}, {1, 2}, {2, 4}}

// DrawShared draws a small workload whose jobs share nodes, and a model of their slowdowns. Jobs
// arrive in bursts. If the function canStart rejects a job, DrawShared draws the job again. In two
// thirds of the workloads, each job is either wide or narrow, and four processes per node slow most
// jobs down too much (see makeNarrowOrWide). In a third of the workloads, the narrow jobs also run
// much longer than the wide ones.
func DrawShared(t *rapid.T, canStart func(q *job.Job, m *cluster.Machine) bool) (Workload, slowdown.Model) {
	r := rand.New(rand.NewPCG(5, rapid.Uint64().Draw(t, "seed")))
	cores := layouts[r.IntN(len(layouts))]
	m := cluster.Machine{Nodes: 1 + r.IntN(8), Processors: cores[0], Cores: cores[1], JobsPerNode: 2}
	kind, longest, early := r.IntN(3), 12+r.Int64N(30), r.IntN(3) == 0
	widest, gap, meanBurst := 1+r.IntN(min(16, m.Slots())), 1+r.Int64N(20), 2+r.IntN(8)
	if kind > 0 {
		m.Nodes, meanBurst = 3+r.IntN(6), []int{20, 2}[kind-1]
	}
	now := int64(0)
	jobs := make([]job.Job, 6+r.IntN(24))
	for i := range jobs {
		if r.IntN(meanBurst) == 0 {
			now += r.Int64N(gap)
		}
		j := job.Job{ID: strconv.Itoa(i + 1)}
		j.Submit, j.Estimate = now, 1+r.Int64N(longest)
		for ok := false; !ok; ok = canStart(&j, &m) {
			j.More = &job.More{SLnos: slowdown.Nos.Sample(r.Float64(), r.Float64()), SLcrs: slowdown.Crs.Sample(r.Float64(), r.Float64())}
			if j.Procs = 1 + r.IntN(widest); kind > 0 {
				makeNarrowOrWide(r, &j, &m, kind == 2)
			}
		}
		if j.Runtime = j.Estimate; early {
			j.Runtime = 1 + r.Int64N(j.Estimate)
		}
		if r.IntN(4) == 0 {
			j.More.Class = string(rune('a' + r.IntN(3)))
		}
		jobs[i] = j
	}
	return Workload{m, jobs}, slowdown.Model{Drawn: true, Seed: r.Int64N(1000), ByClass: r.IntN(4) == 0}
}

// makeNarrowOrWide makes a job narrow or wide. A wide job has at least as many processes as the machine
// has nodes. Three times out of four, makeNarrowOrWide sets SLcrs so high that the job, with four
// processes per node, exceeds the default slowdown limit of glomarc-ts. If narrowRunsLonger is true,
// narrow jobs run much longer than wide jobs.
func makeNarrowOrWide(r *rand.Rand, j *job.Job, m *cluster.Machine, narrowRunsLonger bool) {
	wide := r.IntN(5) < 2
	if j.Procs = 1 + r.IntN(2)*r.IntN(min(4, m.Slots())); wide {
		j.Procs = m.Nodes + r.IntN(1+m.Slots()-m.Nodes)
	}
	if r.IntN(4) > 0 {
		j.More.SLcrs = 1.4
	}
	if narrowRunsLonger && wide {
		j.Estimate = 8 + r.Int64N(8)
	} else if narrowRunsLonger {
		j.Estimate = 25 + r.Int64N(50)
	}
}
