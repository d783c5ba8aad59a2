package policytest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// TestSoakContract tests the contract of every registered policy, with random knobs.
func TestSoakContract(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) { policytest.Suite{Spec: s}.Run(t) })
	}
}

// TestSoakContractOfMoldableJobs tests the contract with moldable jobs. The policy moldable chooses
// their sizes, and other policies do not change them. The test skips "scaling" for Downey's model,
// because its runtimes are rounded.
func TestSoakContractOfMoldableJobs(t *testing.T) {
	for _, s := range registry.All {
		share := 0.002
		if s.Name == "moldable" {
			share = 0.01
		}
		t.Run(s.Name+"/tables", func(t *testing.T) {
			policytest.Suite{Spec: s, Draw: policytest.DrawTableWorkload, Share: share}.Run(t)
		})
		t.Run(s.Name+"/downey", func(t *testing.T) {
			policytest.Suite{Spec: s, Draw: policytest.DrawDowneyWorkload, Share: share, Except: []string{"scaling"}}.Run(t)
		})
	}
}

// TestSoakContractOnSharedNodes tests the contract on nodes that two jobs can share. The end of a job
// then depends on the jobs on its nodes. The test skips "scaling", because times computed from a rate
// are rounded. It also skips "wakes", because an additional call tells the policy earlier that the end
// of a job has changed.
func TestSoakContractOnSharedNodes(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) {
			policytest.Suite{Spec: s, Speed: contention, Share: 0.003, Except: []string{"scaling", "wakes"},
				Machine: func(procs int) cluster.Machine {
					return cluster.Machine{Nodes: (procs + 1) / 2, Processors: 1, Cores: 2}
				}}.Run(t)
		})
	}
}

// TestSoakContractOfTimedOrders tests the contract with orders that depend on the waiting time. It
// skips the property "wakes", because an additional call of the policy may find another job at the
// head of the queue. It also skips "scaling", which replaces formulas by the default order.
func TestSoakContractOfTimedOrders(t *testing.T) {
	for name, knobs := range map[string]map[string]string{
		"fcfs": nil, "first-fit": nil, "easy": {"backfill-order": "max(wait, estimate)*procs"}, "pc": nil, "dc": nil,
		"conservative": {"compress": "replan"}, "scojo-pect": {"inner": "conservative", "inner.compress": "replan"},
	} {
		s, err := registry.Find(name)
		require.NoError(t, err)
		fixed := map[string]string{"order": "-wait/estimate", "inner.order": "-wait/estimate"}
		maps.Copy(fixed, knobs)
		t.Run(name, func(t *testing.T) {
			policytest.Suite{Spec: s, Knobs: fixed, Share: 0.003, Except: []string{"wakes", "scaling"}}.Run(t)
		})
	}
}

// contention slows jobs on the same node down by 0 to 60 %.
var contention = speed.Contention{Cos: func(i, j job.Index) float64 { return 1 + float64((i*j+i)%4)/5 }}

// drawCase draws a case with a workload for the named policy. The values of some knobs are given;
// drawCase draws random values for the others.
func drawCase(t *rapid.T, name string, knobs map[string]string) *policytest.Case {
	w := policytest.DrawWorkload(t)
	c := w.Case(t, name, nil)
	c.Knobs = policytest.DrawKnobs(t, c.Spec, knobs)
	t.Logf("%s", c)
	return c
}

// exactEstimates returns copies of the jobs in which each runtime is set to the estimate.
func exactEstimates(jobs []job.Job) []job.Job {
	out := slices.Clone(jobs)
	for i := range out {
		out[i].Runtime = out[i].Estimate
	}
	return out
}

// TestSoakPromises checks that promises are kept and that planned starts move only earlier.
// With exact estimates, no planned start moves.
func TestSoakPromises(t *testing.T) {
	for _, p := range []struct{ name, knob, value string }{
		{"conservative", "compress", "start"}, {"conservative", "compress", "submit"}, {"conservative", "compress", "none"},
		{"pc", "", ""}, {"dc", "", ""},
	} {
		t.Run(p.name+p.value, func(t *testing.T) {
			soak.Check(t, 0.05, func(t *rapid.T) {
				c := drawCase(t, p.name, map[string]string{p.knob: p.value})
				require.NoError(t, policytest.CheckPromises(c.Run(t)))
				exactLog := c.WithJobs(exactEstimates(c.Jobs)).Run(t)
				require.NoError(t, policytest.CheckNoMoves(exactLog))
				w := policytest.Workload{Machine: c.Machine, Jobs: exactEstimates(c.Jobs)}
				require.Equal(t, w.Case(t, "conservative", nil).Run(t).Outcomes(), exactLog.Outcomes(), "with exact estimates, the schedule is that of conservative backfilling")
			})
		})
	}
}

// TestSoakNoneCanMove checks that no waiting job can move to an earlier start after a step of
// conservative backfilling with compress=start, or of prioritized compression.
func TestSoakNoneCanMove(t *testing.T) {
	for _, p := range []struct{ name, knob, value string }{{"conservative", "compress", "start"}, {"pc", "restart", "true"}} {
		t.Run(p.name, func(t *testing.T) {
			soak.Check(t, 0.05, func(t *rapid.T) {
				checkEachStep(t, drawCase(t, p.name, map[string]string{p.knob: p.value}), policytest.CheckNoneCanMove)
			})
		})
	}
}

// TestSoakNoneCanStart checks that, after each step of delayed compression, no waiting job could
// start now. The knobs that apply to new submissions (arrival, arrival-restart and so on) are
// random.
func TestSoakNoneCanStart(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		checkEachStep(t, drawCase(t, "dc", map[string]string{"restart": "true", "check": "every-end"}), policytest.CheckNoneCanStart)
	})
}

// checkEachStep runs a case and calls check after every step.
func checkEachStep(t *rapid.T, c *policytest.Case, check func(*sim.Engine) error) {
	e := c.Engine(t)
	for more := true; more; {
		var err error
		more, err = e.Step()
		require.NoError(t, err)
		require.NoError(t, check(e))
	}
}

// TestSoakReplanIsEarliest checks compress=replan: each job is planned at the earliest start that the
// reservations of the jobs ahead of it in the queue allow.
func TestSoakReplanIsEarliest(t *testing.T) {
	soak.Check(t, 0.01, func(t *rapid.T) {
		checkEachStep(t, drawCase(t, "conservative", map[string]string{"compress": "replan", "order": "fifo"}), policytest.CheckEarliest)
	})
}

// TestSoakReplanIsConservative checks that, with exact estimates, replanning at each event gives
// the same schedule as planning at submission. This holds because no job ends before its planned
// end. With exact estimates, FCFS/FF-CONS of Leinberger, Karypis and Kumar 1999 is therefore
// conservative backfilling.
func TestSoakReplanIsConservative(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		w.Jobs = exactEstimates(w.Jobs)
		starts := func(knobs map[string]string) (out []job.Time) {
			for _, o := range w.Case(t, "conservative", knobs).Run(t).Outcomes() {
				out = append(out, o.Start)
			}
			return out
		}
		require.Equal(t, starts(map[string]string{"compress": "replan"}), starts(nil))
	})
}

// TestSoakShadowKept checks that, under EASY, the head of the queue starts at its shadow time or
// earlier. This also holds if jobs end early, because estimates are upper bounds.
func TestSoakShadowKept(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		c := drawCase(t, "easy", map[string]string{"order": "fifo", "reservations": "1"})
		require.NoError(t, policytest.CheckShadow(c.Run(t)))
	})
}

// TestSoakInOrder checks that FCFS starts jobs in order of submission.
func TestSoakInOrder(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		require.NoError(t, policytest.CheckOrder(drawCase(t, "fcfs", map[string]string{"order": "fifo"}).Run(t)))
	})
}

// TestChecksFindErrors corrupts a log in several ways. The check for each kind of corruption must
// return an error.
func TestChecksFindErrors(t *testing.T) {
	jobs, err := policytest.ParseJobs("A 1/4\nB 2/4(3)\nC 1/2")
	require.NoError(t, err)
	broken := func(corrupt func(l *log.Log)) *log.Log {
		l := policytest.Simulate(t, 2, slices.Clone(jobs), "conservative", nil)
		corrupt(l)
		return l
	}
	for name, c := range map[string]struct {
		check   func(*log.Log) error
		corrupt func(*log.Log)
	}{
		"two on a slot":  {policytest.CheckRuns, func(l *log.Log) { find(l, log.Start, 1).At = 3 }},
		"too early":      {policytest.CheckRuns, func(l *log.Log) { l.Jobs[0].Submit = 1 }},
		"ran too long":   {policytest.CheckRuns, func(l *log.Log) { find(l, log.Finish, 1).At++ }},
		"late":           {policytest.CheckPromises, func(l *log.Log) { find(l, log.Start, 1).At++ }},
		"moved later":    {policytest.CheckPromises, func(l *log.Log) { l.Add(log.Record{At: 5, Kind: log.Move, Job: 1, X: 4, Y: 6}) }},
		"promised twice": {policytest.CheckPromises, func(l *log.Log) { l.Add(log.Record{At: 5, Kind: log.Promise, Job: 1, X: 4}) }},
		"moved":          {policytest.CheckNoMoves, func(l *log.Log) { l.Add(log.Record{At: 5, Kind: log.Move, Job: 1}) }},
		"after shadow":   {policytest.CheckShadow, func(l *log.Log) { l.Add(log.Record{Kind: log.Hold, Code: log.Blocked, Job: 1, X: 3}) }},
		"out of order":   {policytest.CheckOrder, func(*log.Log) {}},
	} {
		require.Error(t, c.check(broken(c.corrupt)), name)
	}
}

// TestNoneCanMoveFindsError checks that CheckNoneCanMove returns an error if a job ends early and
// the policy does not compress the plan.
func TestNoneCanMoveFindsError(t *testing.T) {
	jobs, err := policytest.ParseJobs("A 2/9(3)\nB 2/4")
	require.NoError(t, err)
	e := policytest.NewCase(t, 2, jobs, "conservative", map[string]string{"compress": "none"}).Engine(t)
	for e.Now() < 3 {
		_, err := e.Step()
		require.NoError(t, err)
	}
	require.EqualError(t, policytest.CheckNoneCanMove(e), "at 3: job B, planned for 9, could start at 3")
}

// find returns the first record of a kind for job j.
func find(l *log.Log, kind log.Kind, j job.Index) *log.Record {
	for r := range l.All() {
		if r.Kind == kind && r.Job == j {
			return r
		}
	}
	panic("no such record")
}

// withResource returns a copy of the case with one more extra resource.
// Each job requests amount(job) of it.
func withResource(c *policytest.Case, capacity int64, amount func(*job.Job) int64) *policytest.Case {
	d := c.WithJobs(slices.Clone(c.Jobs))
	n := len(c.Machine.Resources)
	d.Machine.Resources = append(slices.Clone(c.Machine.Resources), cluster.Resource{Name: "more", Capacity: capacity})
	for i := range d.Jobs {
		j := &d.Jobs[i]
		extra := make([]int64, n, n+1)
		for k := range extra {
			extra[k] = j.Extra(k)
		}
		j.More = &job.More{Extra: append(extra, amount(j))}
	}
	return d
}

// TestSoakResourceThatChangesNothing checks an extra resource that never constrains a start. It may
// change nothing in a log but the effort records, which count the profile steps examined. The test
// tries two such resources. The first is never scarce. The second has one unit per processor, and
// each job requests as many units as processors.
func TestSoakResourceThatChangesNothing(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) {
			soak.Check(t, 0.02, func(t *rapid.T) {
				c := drawCase(t, s.Name, map[string]string{"pick": "first", "inner.pick": "first"})
				total := int64(0)
				ample := withResource(c, 1000, func(j *job.Job) int64 { total += int64(j.Procs); return int64(j.Procs) })
				ample.Machine.Resources[len(ample.Machine.Resources)-1].Capacity = total
				want := policytest.FormatLog(c.Run(t))
				require.Equal(t, withoutEffort(want), withoutEffort(policytest.FormatLog(ample.Run(t))), "a resource that is never scarce")
				same := withResource(c, int64(c.Machine.Slots()), func(j *job.Job) int64 { return int64(j.Procs) })
				require.Equal(t, withoutEffort(want), withoutEffort(policytest.FormatLog(same.Run(t))), "a resource with one unit per processor")
			})
		})
	}
}

// withoutEffort removes the effort records, which count the profile steps examined.
func withoutEffort(text string) string {
	lines := strings.Split(text, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, " effort ") }), "\n")
}
