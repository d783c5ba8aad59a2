package policytest_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/textbook"
)

// TestSoakTextbookOfMoldableJobs compares the starts and sizes of jobs under the policy moldable with
// those of its reference implementation. All knobs are random.
func TestSoakTextbookOfMoldableJobs(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) policytest.Workload{"tables": policytest.DrawTableWorkload, "downey": policytest.DrawDowneyWorkload} {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, 0.1, func(t *rapid.T) { compareMoldable(t, draw(t), map[string]string{}) })
		})
	}
}

// TestSoakTextbookOfSizesAfterEachStart compares both implementations with realloc=start, so that
// sizes change while the queue is backfilled. TestSoakTextbookOfMoldableJobs rarely draws such
// cases.
func TestSoakTextbookOfSizesAfterEachStart(t *testing.T) {
	for _, allocation := range []string{"hrf", "schedule-fair"} {
		t.Run(allocation, func(t *testing.T) {
			soak.Check(t, 0.1, func(t *rapid.T) {
				compareMoldable(t, policytest.DrawTableWorkload(t), map[string]string{"allocation": allocation, "select": "easy", "realloc": "start"})
			})
		})
	}
}

// compareMoldable runs a workload with both implementations and requires equal starts and sizes.
// The values of some knobs are given; compareMoldable draws random values for the others.
func compareMoldable(t *rapid.T, w policytest.Workload, knobs map[string]string) {
	c := w.Case(t, "moldable", nil)
	knobs["alpha"] = rapid.SampledFrom([]string{"0", "0.5", "0.7", "1", "1.6667", "3"}).Draw(t, "alpha")
	knobs["threshold"] = rapid.SampledFrom([]string{"0.01", "0.3", "0.5", "0.9", "1"}).Draw(t, "threshold")
	c.Knobs = policytest.DrawKnobs(t, c.Spec, knobs)
	t.Logf("%s", c)
	l := c.Run(t)
	want, sizes := textbook.Moldable(&w.Machine, w.Jobs, moldableKnobs(c.Knobs))
	require.Equal(t, sizes, sizesOf(l))
	require.Equal(t, want.Starts, resultOf(l).Starts)
}

// moldableKnobs converts the knobs of a case for the reference implementation.
func moldableKnobs(knobs map[string]string) textbook.MoldableKnobs {
	number := func(name string) float64 {
		f, err := strconv.ParseFloat(knobs[name], 64)
		if err != nil {
			panic(err)
		}
		return f
	}
	return textbook.MoldableKnobs{
		Allocation: knobs["allocation"], Select: knobs["select"], Alpha: number("alpha"), Threshold: number("threshold"),
		BudgetIncludesInitial: knobs["budget-includes-initial"] == "true", IgnoreZeroRevenue: knobs["stop-at-zero"] == "false", ReallocEachStart: knobs["realloc"] == "start",
		MinimizeTurnaround: knobs["greedy"] == "turnaround", QueuedOnly: knobs["fair-population"] == "queued",
	}
}

// sizesOf returns the number of processors of each job.
func sizesOf(l *log.Log) (out []int) {
	for j := range l.Jobs {
		out = append(out, int(l.Layout(job.Index(j)).Procs))
	}
	return out
}

// TestSoakLeastTotalRuntime checks the sizes that the allocation rule "highest revenue first"
// chooses. No other way to hand out the budget may lead to a smaller total runtime of the jobs, and
// each extra processor must shorten its job. The machine is so large that all jobs start at once, so
// the first allocation determines all sizes.
func TestSoakLeastTotalRuntime(t *testing.T) {
	const m = 64
	soak.Check(t, 0.1, func(t *rapid.T) {
		var jobs []job.Job
		for i := range rapid.IntRange(1, 3).Draw(t, "jobs") {
			s := &job.Speedup{L: rapid.Float64Range(1, 500).Draw(t, "L"), A: rapid.Float64Range(1, 12).Draw(t, "A"), Sigma: rapid.Float64Range(0, 3).Draw(t, "sigma")}
			jobs = append(jobs, job.Job{ID: strconv.Itoa(i + 1), Runtime: policytest.RuntimeOn(s, 1),
				Request: job.Request{Procs: 1, Estimate: policytest.RuntimeOn(s, 1), More: &job.More{Speedup: s}}})
		}
		budget, maxSize := rapid.IntRange(0, 8).Draw(t, "budget"), rapid.IntRange(1, 6).Draw(t, "max size")
		includesInitial := rapid.Bool().Draw(t, "includes initial")
		l := policytest.Simulate(t, m, jobs, "moldable", map[string]string{
			"alpha": strconv.FormatFloat(float64(budget)/m, 'g', -1, 64), "threshold": strconv.FormatFloat(float64(maxSize)/m, 'g', -1, 64),
			"budget-includes-initial": strconv.FormatBool(includesInitial),
		})
		if includesInitial {
			budget = max(0, budget-len(jobs))
		}
		total, extra := 0.0, 0
		for j, x := range sizesOf(l) {
			s := jobs[j].Speedup()
			total += s.Runtime(x)
			extra += x - 1
			require.True(t, x == 1 || s.Runtime(x) < s.Runtime(x-1), "a processor that does not shorten the runtime")
			require.LessOrEqual(t, x, maxSize)
		}
		require.LessOrEqual(t, extra, budget)
		require.InDelta(t, leastTotalRuntime(jobs, budget, maxSize), total, 1e-6)
	})
}

// leastTotalRuntime returns, by brute force, the least total runtime over all ways to hand out extra
// processors. The budget limits the number of extra processors, and maxSize the size of each job.
func leastTotalRuntime(jobs []job.Job, budget, maxSize int) float64 {
	if len(jobs) == 0 {
		return 0
	}
	best := math.Inf(1)
	for more := 0; more <= min(budget, maxSize-1); more++ {
		best = min(best, jobs[0].Speedup().Runtime(1+more)+leastTotalRuntime(jobs[1:], budget-more, maxSize))
	}
	return best
}

// TestSoakRigidJobsAreUnchanged checks the policy moldable on rigid jobs. With each value of the
// knob select, it must write the same log as the corresponding rigid policy.
func TestSoakRigidJobsAreUnchanged(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		for _, x := range [][3]string{{"fcfs", "fcfs", "fifo"}, {"sjf", "fcfs", "sjf"}, {"easy", "easy", "fifo"}} {
			m := w.Case(t, "moldable", nil)
			m.Knobs = policytest.DrawKnobs(t, m.Spec, map[string]string{"select": x[0], "realloc": "pass"})
			policytest.RequireSameLog(t, w.Case(t, x[1], map[string]string{"order": x[2]}).Run(t), m.Run(t), x[0])
		}
	})
}
