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

// slicesByTheBook runs a case of scojo-pect around conservative by the second
// implementation.
func slicesByTheBook(c *policytest.Case) []textbook.Sliced {
	r := slicesOf(c)
	return r.Run(&c.Machine, c.Jobs)
}

func slicesOf(c *policytest.Case) textbook.Slices {
	number := func(name string) job.Time {
		n, err := strconv.ParseInt(c.Knobs[name], 10, 64)
		if err != nil {
			return -1
		}
		return n
	}
	share, _ := strconv.ParseFloat(c.Knobs["share-medium"], 64)
	r := textbook.Slices{
		Interval: number("interval"), ShortMax: number("short-max"), MediumMax: number("medium-max"), Overhead: number("overhead"),
		ShortSlice: number("short-slice"), Share: share,
		NonType: c.Knobs["non-type"] == "true", LeastShared: c.Knobs["node-choice"] == "least-shared",
		Compress: c.Knobs["inner.compress"],
	}
	if r.Compress == "replan" {
		r.Order = policy.Order(c.Knobs["inner.order"])
	}
	return r
}

// sliced reads from a log what the second implementation tells.
func sliced(l *log.Log) []textbook.Sliced {
	out := make([]textbook.Sliced, len(l.Jobs))
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

// Stretches and nodes are those of the second implementation, under all knobs.
func TestSoakSlicesTextbook(t *testing.T) {
	soak.Check(t, 0.1, func(t *rapid.T) {
		c := drawn(t, "scojo-pect", map[string]string{"inner": "conservative"})
		require.Equal(t, slicesByTheBook(c), sliced(c.Run(t)))
	})
}

// Invariant 9, around any inner policy: without non-type filling a job runs in
// the slices of its type only, with it in any; no slice overlaps another or goes
// beyond its interval, and the overhead lies before each while any job is there. A
// job starts once, on nodes that it keeps, and no node has two jobs at a time.
func TestSoakSlices(t *testing.T) {
	for _, inner := range []string{"conservative", "easy", "fcfs", "fair-slack"} {
		t.Run(inner, func(t *testing.T) {
			soak.Check(t, 0.02, func(t *rapid.T) {
				c := drawn(t, "scojo-pect", map[string]string{"inner": inner})
				l := c.Run(t)
				require.NoError(t, policytest.Sound(l))
				inSlices(t, c, l)
			})
		})
	}
}

func inSlices(t *rapid.T, c *policytest.Case, l *log.Log) {
	require.Empty(t, schedule.CheckLog(l, true))
	v, err := c.Spec.Settings(c.Knobs)
	require.NoError(t, err)
	interval, overhead := job.Time(v.Int("interval")), job.Time(v.Int("overhead"))
	all := turns(l)
	for i, x := range all {
		begin := x.from - x.from%interval
		require.GreaterOrEqual(t, x.from-begin, overhead, "the slice from %d", x.from)
		require.LessOrEqual(t, x.to, begin+interval, "the slice from %d", x.from)
		if i > 0 {
			gap := x.from - all[i-1].to
			require.GreaterOrEqual(t, gap, job.Time(0))
			if present(l, all[i-1].to) {
				require.GreaterOrEqual(t, gap, overhead, "before the slice from %d", x.from)
			}
		}
	}
	for _, s := range l.Spans() {
		require.True(t, slices.ContainsFunc(all, func(x turn) bool {
			return x.from <= s.From && s.To <= x.to && (v.On("non-type") || x.view == typeOf(v, &l.Jobs[s.Job]))
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

// turn is a time in which the clock of a view ran.
type turn struct {
	view     uint8
	from, to job.Time
}

func turns(l *log.Log) (out []turn) {
	for r := range l.All() {
		if r.Kind == log.Slice && r.X != 0 {
			out = append(out, turn{r.View, r.At, job.Never})
		} else if r.Kind == log.Slice {
			out[len(out)-1].to = r.At
		}
	}
	return out
}

// present reports whether any job is there after what happens at t.
func present(l *log.Log, t job.Time) bool {
	for j, o := range l.Outcomes() {
		if l.Jobs[j].Submit <= t && o.Finish > t {
			return true
		}
	}
	return false
}

// typeOf returns the view of a job's type.
func typeOf(v policy.Values, q *job.Job) uint8 {
	switch {
	case q.Estimate <= job.Time(v.Int("short-max")):
		return 1
	case q.Estimate <= job.Time(v.Int("medium-max")):
		return 2
	}
	return 3
}
