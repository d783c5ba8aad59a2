package policytest_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/textbook"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
)

// The search finds the sets that plain enumeration does, with their scores and
// in their order, and chooses alike, under all knobs: thousands of decisions
// about random queues.
func TestSoakFairSlack(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		c := w.Case(t, "fair-slack", nil)
		c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
		if n, _ := strconv.Atoi(c.Knobs["lookahead"]); n > 10 {
			c.Knobs["lookahead"] = "10"
		}
		t.Logf("%s", c)
		want := fairByTheBook(c)
		l := c.Run(t)
		require.Equal(t, want.FST, fairStarts(l))
		require.Equal(t, want.Decisions, decisions(l))
		require.Equal(t, want.Starts, result(l).Starts)
	})
}

func fairByTheBook(c *policytest.Case) textbook.Fair {
	number := func(name string) float64 {
		f, _ := strconv.ParseFloat(c.Knobs[name], 64)
		return f
	}
	busy := c.Knobs["goal"] == "utilization"
	auto := func(name string, fairness, utilization float64) float64 {
		switch {
		case c.Knobs[name] != "auto":
			return number(name)
		case busy:
			return utilization
		}
		return fairness
	}
	o := textbook.FairSlack{
		Goal: c.Knobs["goal"], FST: c.Knobs["jin-fst"],
		Up: number("slack-up"), Down: number("slack-down"), Least: number("slack-min"),
		K1: number("k1"), K2: number("k2"), U: number("slack-unit"),
		Late: auto("range-unfairness", 1.1, 1), Early: auto("range-skip", 1.5, 1), Used: auto("range-utilization", 1.02, 1.05),
		Absolute: number("range-unfairness-abs"), Lookahead: int(number("lookahead")), Limit: int(number("node-limit")),
		Exact: c.Knobs["exact-prune"] == "true",
	}
	return o.Run(&c.Machine, c.Jobs)
}

// fairStarts is the recorded fair start time of every job.
func fairStarts(l *log.Log) []job.Time {
	out := make([]job.Time, len(l.Jobs))
	for r := range l.All() {
		if r.Kind == log.Fair {
			out[r.Job] = r.X
		}
	}
	return out
}

// decisions is the sets with their scores and the choice among them, of each
// decision that had any, as the second implementation tells them.
func decisions(l *log.Log) (out []string) {
	var kept, saved []string // the sets, the empty one first
	for r := range l.All() {
		switch r.Kind {
		case log.Node:
			if len(kept) == 0 {
				kept = []string{""}
			}
			if r.Code == log.Kept {
				kept = append(kept, strings.TrimPrefix(kept[r.X]+","+l.Jobs[r.Job].ID, ","))
			}
		case log.Scored:
			saved = append(saved, fmt.Sprintf("%s %d %d", kept[len(kept)-1], r.X, r.Y))
		case log.Choice:
			if len(saved) > 0 {
				out = append(out, fmt.Sprintf("%d: %s; %s", r.At, strings.Join(saved, "; "), kept[r.X]))
			}
			kept, saved = nil, nil
		}
	}
	return out
}

// Without slack only sets are chosen that delay no job past its fair start
// (invariant 10); jobs that are late already may start. Inside of time slices too,
// where both are moments on the wall.
func TestSoakNoSlackNoDelay(t *testing.T) {
	t.Run("alone", func(t *testing.T) {
		soak.Check(t, 0.02, func(t *rapid.T) {
			noDelay(t, drawn(t, "fair-slack", map[string]string{"slack-up": "1", "slack-down": "1", "slack-min": "1"}))
		})
	})
	t.Run("in slices", func(t *testing.T) {
		soak.Check(t, 0.02, func(t *rapid.T) {
			noDelay(t, drawn(t, "scojo-pect", map[string]string{
				"inner": "fair-slack", "inner.slack-up": "1", "inner.slack-down": "1", "inner.slack-min": "1",
			}))
		})
	})
}

// noDelay demands that of what a chosen set delays, all are jobs of the set that
// are past their fair starts.
func noDelay(t *rapid.T, c *policytest.Case) {
	l := c.Run(t)
	require.Empty(t, schedule.CheckLog(l, true))
	fair, late := fairStarts(l), []int64{}
	sets := [][]job.Index{nil}
	for r := range l.All() {
		switch r.Kind {
		case log.Node:
			if r.Code == log.Kept {
				sets = append(sets, append(slices.Clone(sets[r.X]), r.Job))
				late = append(late, -1)
			}
		case log.Scored:
			late[len(late)-1] = r.X
		case log.Choice:
			if r.X > 0 {
				own := int64(0)
				for _, j := range sets[r.X] {
					own += max(0, r.At-fair[j])
				}
				require.Equal(t, own, late[r.X-1], "at %d", r.At)
			}
			sets, late = [][]job.Index{nil}, nil
		}
	}
}

// A8: by Jin's fair start times EASY delays one job of four by 4 and lets
// another skip 8.
func TestFairStartsOfA8(t *testing.T) {
	jobs, err := policytest.ParseJobs("J1 3/4\nJ2 2/4\nJ3 2/4\nJ4 1/8")
	require.NoError(t, err)
	l := policytest.Simulate(t, 4, jobs, "fair-slack", nil)
	require.Equal(t, []job.Time{0, 4, 4, 8}, fairStarts(l))
}

// The contract inside of time slices.
func TestSoakContractOfFairSlackInSlices(t *testing.T) {
	s, err := registry.Find("scojo-pect")
	require.NoError(t, err)
	policytest.Suite{Spec: s, Knobs: map[string]string{"inner": "fair-slack"}, Except: unscaled[s.Name], Share: 0.003}.Run(t)
}
