package policytest_test

import (
	"maps"
	"slices"
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

// Every registered policy keeps the contract, under all knobs.
func TestSoakContract(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) { policytest.Suite{Spec: s, Except: unscaled[s.Name]}.Run(t) })
	}
}

// The contract with moldable jobs: the policy that sizes them, and those that
// leave them as they are. Runtimes of Downey's model are rounded, so they do
// not scale.
func TestSoakContractOfMoldableJobs(t *testing.T) {
	for _, s := range registry.All {
		share := 0.002
		if s.Name == "moldable" {
			share = 0.01
		}
		t.Run(s.Name+"/tables", func(t *testing.T) {
			policytest.Suite{Spec: s, Draw: policytest.DrawTables, Share: share, Except: unscaled[s.Name]}.Run(t)
		})
		t.Run(s.Name+"/downey", func(t *testing.T) {
			policytest.Suite{Spec: s, Draw: policytest.DrawDowney, Share: share, Except: []string{"scaling"}}.Run(t)
		})
	}
}

// unscaled is the policies with times of their own, which do not grow with those
// of the jobs.
var unscaled = map[string][]string{"scojo-pect": {"scaling"}, "fair-slack": {"scaling"}}

// Nodes that two jobs share, where a job's end moves with its neighbours, are
// no reason to break it. Times that come from a rate are rounded, so they do
// not scale.
func TestSoakContractOnSharedNodes(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) {
			policytest.Suite{Spec: s, Speed: neighbours, Share: 0.003, Except: []string{"scaling", "wakes"},
				Machine: func(procs int) cluster.Machine {
					return cluster.Machine{Nodes: (procs + 1) / 2, Processors: 1, Cores: 2}
				}}.Run(t)
		})
	}
}

// Orders that change as time passes keep the contract, but that a pass at which
// nothing has happened may find another job in front.
func TestSoakContractOfTimedOrders(t *testing.T) {
	for name, knobs := range map[string]map[string]string{
		"fcfs": nil, "first-fit": nil, "easy": {"backfill-order": "max(wait, estimate)*procs"}, "pc": nil, "dc": nil,
		"conservative": {"compress": "replan"}, "scojo-pect": {"inner": "conservative", "inner.compress": "replan"},
	} {
		s, err := registry.Find(name)
		require.NoError(t, err)
		given := map[string]string{"order": "-wait/estimate", "inner.order": "-wait/estimate"}
		maps.Copy(given, knobs)
		t.Run(name, func(t *testing.T) {
			policytest.Suite{Spec: s, Knobs: given, Share: 0.003, Except: []string{"wakes", "scaling"}}.Run(t)
		})
	}
}

// neighbours slow each other down by up to 60 %, some not at all.
var neighbours = speed.Contention{Cos: func(i, j job.Index) float64 { return 1 + float64((i*j+i)%4)/5 }}

// drawn draws a case of a policy by name.
func drawn(t *rapid.T, name string, knobs map[string]string) *policytest.Case {
	w := policytest.DrawWorkload(t)
	c := w.Case(t, name, nil)
	c.Knobs = policytest.DrawKnobs(t, c.Spec, knobs)
	t.Logf("%s", c)
	return c
}

func exact(jobs []job.Job) []job.Job {
	out := slices.Clone(jobs)
	for i := range out {
		out[i].Runtime = out[i].Estimate
	}
	return out
}

// Invariants 3 and 5: promises are kept, plans move only forward, and not at
// all when estimates are exact.
func TestSoakPromises(t *testing.T) {
	for _, p := range []struct{ name, knob, value string }{
		{"conservative", "compress", "start"}, {"conservative", "compress", "submit"}, {"conservative", "compress", "none"},
		{"pc", "", ""}, {"dc", "", ""},
	} {
		t.Run(p.name+p.value, func(t *testing.T) {
			soak.Check(t, 0.05, func(t *rapid.T) {
				c := drawn(t, p.name, map[string]string{p.knob: p.value})
				require.NoError(t, policytest.PromiseKept(c.Run(t)))
				sure := c.With(exact(c.Jobs)).Run(t)
				require.NoError(t, policytest.NoMoves(sure))
				w := policytest.Workload{Machine: c.Machine, Jobs: exact(c.Jobs)}
				require.Equal(t, w.Case(t, "conservative", nil).Run(t).Outcomes(), sure.Outcomes(), "with exact estimates all are conservative")
			})
		})
	}
}

// Invariant 4: after compression by planned start nobody can move (lemma of
// spec 1.5).
func TestSoakNoneCanMove(t *testing.T) {
	for _, p := range []struct{ name, knob, value string }{{"conservative", "compress", "start"}, {"pc", "restart", "true"}} {
		t.Run(p.name, func(t *testing.T) {
			soak.Check(t, 0.05, func(t *rapid.T) {
				watch(t, drawn(t, p.name, map[string]string{p.knob: p.value}), policytest.NoneCanMove)
			})
		})
	}
}

// Invariant 4 of delayed compression: nobody waits who could start now,
// whatever is done on arrivals.
func TestSoakNoneCanStart(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		watch(t, drawn(t, "dc", map[string]string{"restart": "true", "check": "every-end"}), policytest.NoneCanStart)
	})
}

// watch runs a case and calls check after every step.
func watch(t *rapid.T, c *policytest.Case, check func(*sim.Engine) error) {
	e := c.Engine(t)
	for more := true; more; {
		var err error
		more, err = e.Step()
		require.NoError(t, err)
		require.NoError(t, check(e))
	}
}

// Planned anew at every event, the plan is the earliest start of each job after
// those before it in the queue.
func TestSoakReplanTells(t *testing.T) {
	soak.Check(t, 0.01, func(t *rapid.T) {
		watch(t, drawn(t, "conservative", map[string]string{"compress": "replan", "order": "fifo"}), policytest.EarliestInOrder)
	})
}

// With exact estimates nothing ever ends before its plan, so that planning anew
// at each event gives the schedule of the plan that was made at submission: the
// FCFS/FF-CONS of Leinberger, Karypis and Kumar 1999 is conservative there.
func TestSoakReplanIsConservative(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		w.Jobs = exact(w.Jobs)
		starts := func(knobs map[string]string) (out []job.Time) {
			for _, o := range w.Case(t, "conservative", knobs).Run(t).Outcomes() {
				out = append(out, o.Start)
			}
			return out
		}
		require.Equal(t, starts(map[string]string{"compress": "replan"}), starts(nil))
	})
}

// Invariant 6, and its extension to early ends: estimates are upper bounds.
func TestSoakShadowKept(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		c := drawn(t, "easy", map[string]string{"order": "fifo", "reservations": "1"})
		require.NoError(t, policytest.ShadowKept(c.Run(t)))
	})
}

// Invariant 7.
func TestSoakInOrder(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		require.NoError(t, policytest.InOrder(drawn(t, "fcfs", map[string]string{"order": "fifo"}).Run(t)))
	})
}

// The checks find what is wrong: a log made to break each of them.
func TestChecksFind(t *testing.T) {
	jobs, err := policytest.ParseJobs("A 1/4\nB 2/4(3)\nC 1/2")
	require.NoError(t, err)
	broken := func(break_ func(l *log.Log)) *log.Log {
		l := policytest.Simulate(t, 2, slices.Clone(jobs), "conservative", nil)
		break_(l)
		return l
	}
	for name, c := range map[string]struct {
		check  func(*log.Log) error
		break_ func(*log.Log)
	}{
		"two on a slot":  {policytest.Sound, func(l *log.Log) { find(l, log.Start, 1).At = 3 }},
		"too early":      {policytest.Sound, func(l *log.Log) { l.Jobs[0].Submit = 1 }},
		"ran too long":   {policytest.Sound, func(l *log.Log) { find(l, log.Finish, 1).At++ }},
		"late":           {policytest.PromiseKept, func(l *log.Log) { find(l, log.Start, 1).At++ }},
		"moved later":    {policytest.PromiseKept, func(l *log.Log) { l.Add(log.Record{At: 5, Kind: log.Move, Job: 1, X: 4, Y: 6}) }},
		"promised twice": {policytest.PromiseKept, func(l *log.Log) { l.Add(log.Record{At: 5, Kind: log.Promise, Job: 1, X: 4}) }},
		"moved":          {policytest.NoMoves, func(l *log.Log) { l.Add(log.Record{At: 5, Kind: log.Move, Job: 1}) }},
		"after shadow":   {policytest.ShadowKept, func(l *log.Log) { l.Add(log.Record{Kind: log.Hold, Code: log.Blocked, Job: 1, X: 3}) }},
		"out of order":   {policytest.InOrder, func(*log.Log) {}},
	} {
		require.Error(t, c.check(broken(c.break_)), name)
	}
}

// Without compression a hole stays, and the check of invariant 4 sees it.
func TestNoneCanMoveFinds(t *testing.T) {
	jobs, err := policytest.ParseJobs("A 2/9(3)\nB 2/4")
	require.NoError(t, err)
	e := policytest.Of(t, 2, jobs, "conservative", map[string]string{"compress": "none"}).Engine(t)
	for e.Now() < 3 {
		_, err := e.Step()
		require.NoError(t, err)
	}
	require.EqualError(t, policytest.NoneCanMove(e), "at 3: job B, planned for 9, could start at 3")
}

// find returns the record of that kind for job j.
func find(l *log.Log, kind log.Kind, j job.Index) *log.Record {
	for r := range l.All() {
		if r.Kind == kind && r.Job == j {
			return r
		}
	}
	panic("no such record")
}
