package policytest_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/textbook"
	"backfill-lab/core/schedule"
)

// runSlicesReference runs a case of scojo-pect with the reference implementation. The inner policy
// must be conservative.
func runSlicesReference(c *policytest.Case) []textbook.SlicedJob {
	r := slicesReference(c)
	return r.Run(&c.Machine, c.Jobs)
}

// slicesReference returns the reference implementation of time slices with the knobs of a
// case.
func slicesReference(c *policytest.Case) textbook.ScojoPECT {
	number := func(name string) job.Time {
		n, err := strconv.ParseInt(c.Knobs[name], 10, 64)
		if err != nil {
			return -1
		}
		return n
	}
	share, _ := strconv.ParseFloat(c.Knobs["share-medium"], 64)
	r := textbook.ScojoPECT{
		Interval: number("interval"), ShortMax: number("short-max"), MediumMax: number("medium-max"), Overhead: number("overhead"),
		ShortSlice: number("short-slice"), MediumShare: share,
		NonType: c.Knobs["non-type"] == "true", LeastShared: c.Knobs["node-choice"] == "least-shared",
		Compress: c.Knobs["inner.compress"],
	}
	if r.Compress == "replan" {
		r.Order = policy.Order(c.Knobs["inner.order"])
	}
	return r
}

// slicedJobs returns the execution intervals and the nodes that a log records, in the form of
// the reference implementation.
func slicedJobs(l *log.Log) []textbook.SlicedJob {
	out := make([]textbook.SlicedJob, len(l.Jobs))
	for _, s := range l.Spans() {
		out[s.Job].Segments = append(out[s.Job].Segments, [2]job.Time{s.From, s.To})
	}
	for j := range out {
		for _, r := range l.Alloc(job.Index(j)) {
			for n := r.Lo; n < r.Hi; n++ {
				out[j].Nodes = append(out[j].Nodes, int(n))
			}
		}
	}
	return out
}

// TestSoakSlicesTextbook runs scojo-pect with random knobs, and compares the execution intervals and
// nodes with the results of the reference implementation.
func TestSoakSlicesTextbook(t *testing.T) {
	soak.Check(t, 0.1, func(t *rapid.T) {
		c := drawCase(t, "scojo-pect", map[string]string{"inner": "conservative"})
		require.Equal(t, runSlicesReference(c), slicedJobs(c.Run(t)))
	})
}

// TestSoakSlices checks time slices with several inner policies. No node has two jobs at a
// time, and requireInSlices must pass.
func TestSoakSlices(t *testing.T) {
	for _, inner := range []string{"conservative", "easy", "fcfs", "fair-slack"} {
		t.Run(inner, func(t *testing.T) {
			soak.Check(t, 0.02, func(t *rapid.T) {
				c := drawCase(t, "scojo-pect", map[string]string{"inner": inner})
				l := c.Run(t)
				require.NoError(t, policytest.CheckRuns(l))
				requireInSlices(t, c, l)
			})
		})
	}
}

// requireInSlices checks that slices do not overlap and stay within their intervals. While
// jobs are in the system, an overhead precedes each slice. Each job starts once and runs
// only inside slices. With non-type=false, it runs only inside slices of its own type.
func requireInSlices(t *rapid.T, c *policytest.Case, l *log.Log) {
	require.Empty(t, schedule.CheckLog(l, true))
	v, err := c.Spec.Settings(c.Knobs)
	require.NoError(t, err)
	interval, overhead := job.Time(v.Int("interval")), job.Time(v.Int("overhead"))
	all := slicePeriods(l)
	for i, x := range all {
		begin := x.from - x.from%interval
		require.GreaterOrEqual(t, x.from-begin, overhead, "the slice from %d", x.from)
		require.LessOrEqual(t, x.to, begin+interval, "the slice from %d", x.from)
		if i > 0 {
			gap := x.from - all[i-1].to
			require.GreaterOrEqual(t, gap, job.Time(0))
			if anyJobPresent(l, all[i-1].to) {
				require.GreaterOrEqual(t, gap, overhead, "before the slice from %d", x.from)
			}
		}
	}
	for _, s := range l.Spans() {
		require.True(t, slices.ContainsFunc(all, func(x slicePeriod) bool {
			return x.from <= s.From && s.To <= x.to && (v.On("non-type") || x.view == viewOf(v, &l.Jobs[s.Job]))
		}), "job %s from %d to %d", l.Jobs[s.Job].ID, s.From, s.To)
	}
	started := map[job.Index]bool{}
	for r := range l.All() {
		if r.Kind == log.Start {
			require.False(t, started[r.Job], "job %s starts twice", l.Jobs[r.Job].ID)
			started[r.Job] = true
		}
	}
}

// slicePeriod holds the period of a slice after its overhead. Its view is the number of the virtual
// machine: 1 for the short jobs, 2 for the medium jobs and 3 for the long jobs.
type slicePeriod struct {
	view     uint8
	from, to job.Time
}

// slicePeriods returns the slice periods that a log records.
func slicePeriods(l *log.Log) (out []slicePeriod) {
	for r := range l.All() {
		if r.Kind == log.Slice && r.X != 0 {
			out = append(out, slicePeriod{r.View, r.At, job.Never})
		} else if r.Kind == log.Slice {
			out[len(out)-1].to = r.At
		}
	}
	return out
}

// anyJobPresent reports whether, after the events at t, some submitted job has not ended.
func anyJobPresent(l *log.Log, t job.Time) bool {
	for j, o := range l.Outcomes() {
		if l.Jobs[j].Submit <= t && o.Finish > t {
			return true
		}
	}
	return false
}

// viewOf returns the number of the virtual machine of job q, according to its estimate.
func viewOf(v policy.Values, q *job.Job) uint8 {
	switch {
	case q.Estimate <= job.Time(v.Int("short-max")):
		return 1
	case q.Estimate <= job.Time(v.Int("medium-max")):
		return 2
	}
	return 3
}
