package gain_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// startAll is a policy that starts all jobs at once, each on the slots of its claim. It holds one
// claim for each job.
type startAll []sim.Claim

func (s startAll) Clone() sim.Policy { return s }

func (s startAll) Schedule(p *sim.Pass) {
	for j := range p.Waiting() {
		p.Start(j, s[j], log.Reason{Code: log.Grouped, Other: 0})
	}
}

// TestGainAgreesWithEngine compares the periods of a group with a run of the engine, which rounds
// each end up to a whole second. It checks when each job ends, and which jobs still run when the
// group ends.
func TestGainAgreesWithEngine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t)
		for i := range g.Matched {
			g.Matched[i].Procs = g.Matched[i].PerNode * rapid.IntRange(1, 2).Draw(t, "nodes")
		}
		g.Primary.Procs = g.Primary.PerNode * g.Nodes()
		w := g.Gain()
		ends := simulateEnds(t, &g)
		over := w.Periods[len(w.Periods)-1].To
		for i, m := range g.Matched {
			if w.MatchedLeft[i] > 0 {
				require.GreaterOrEqual(t, float64(ends[i+1]), over)
				continue
			}
			last := 0.0
			for _, p := range w.Periods {
				for _, r := range p.Running {
					if r == i {
						last = p.To
					}
				}
			}
			require.InDelta(t, last, float64(ends[i+1]), 1.001, "matched job %d of %+v", i, m)
		}
		// Rounding delays the end of each matched job by less than a second. Each of these delays
		// can delay the primary by as much.
		left := float64(w.PrimaryLeft * g.Primary.OwnSlowdown())
		if w.PrimaryLeft > 0 {
			require.InDelta(t, over+left, float64(ends[0]), float64(2+len(g.Matched)))
		}
	})
}

// simulateEnds runs the group on nodes of four cores and returns when its jobs end, the primary
// first. The primary uses first cores of processors, and the matched jobs use second cores. Each
// matched job runs on the nodes that follow the nodes of the previous matched job.
func simulateEnds(t *rapid.T, g *gain.Group) (out []job.Time) {
	machine := cluster.Machine{Nodes: g.Primary.Nodes(), Processors: 2, Cores: 2, JobsPerNode: 2}
	var jobs []job.Job
	var claims startAll
	addJob := func(j gain.Job, from, core int) { // places the job on consecutive nodes; from is the first
		var slots cluster.Set
		for n := range j.Nodes() {
			for p := range j.PerNode {
				slots = slots.Append(machine.Slot(from+n, p, core))
			}
		}
		work := job.Time(j.Left)
		jobs = append(jobs, job.Job{ID: fmt.Sprint(len(jobs)), Runtime: work, Request: job.Request{Estimate: work, Procs: j.Procs, More: &job.More{SLnos: j.Nos, SLcrs: j.Crs}}})
		claims = append(claims, sim.Claim{PerNode: j.PerNode, Slots: slots})
	}
	addJob(g.Primary, 0, 0)
	from := 0
	for i := range g.Matched {
		addJob(g.Matched[i].Job, from, 1)
		from += g.Matched[i].Nodes()
	}
	cos := func(i, j job.Index) float64 {
		if i == 0 {
			return g.Matched[j-1].Causes
		}
		return g.Matched[i-1].Suffers
	}
	e, err := sim.New(sim.Config{Machine: machine, Jobs: jobs, Policy: claims, Speed: speed.Contention{Cos: cos}})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	for _, o := range e.Log().Outcomes() {
		out = append(out, o.Finish)
	}
	return out
}
