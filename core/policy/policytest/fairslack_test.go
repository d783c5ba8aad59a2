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
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/textbook"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
)

// The search finds the sets that plain enumeration does, with their scores and
// in their order, and chooses alike, under all knobs, in every decision about
// random queues.
func TestSoakFairSlack(t *testing.T) {
	n := states{}
	soak.Check(t, 0.05, func(t *rapid.T) {
		c := blocked(t, "fair-slack", "", map[string]string{})
		want := fairByTheBook(c, "").Run(&c.Machine, c.Jobs)
		l := c.Run(t)
		require.Equal(t, want.FST, fairStarts(l))
		require.Equal(t, want.Decisions, decisions(l))
		require.Equal(t, want.Starts, result(l).Starts)
		n.count(l, want.Decisions)
	})
	n.report(t)
}

// It does so in the slices of its type as well, on the clock of slices, and in
// those of others.
func TestSoakFairSlackInSlices(t *testing.T) {
	n, visits, recalls := states{}, 0, 0
	soak.Check(t, 0.05, func(t *rapid.T) {
		c := blocked(t, "scojo-pect", "inner.", map[string]string{"inner": "fair-slack"})
		fair := fairByTheBook(c, "inner.")
		r := slicesOf(c)
		r.Fair, r.Order = &fair, policy.FIFO
		segments, want := r.RunFair(&c.Machine, c.Jobs)
		l := c.Run(t)
		require.Equal(t, want.FST, fairStarts(l))
		require.Equal(t, want.Decisions, decisions(l))
		require.Equal(t, segments, sliced(l))
		n.count(l, want.Decisions)
		waiting, preempted := visited(l)
		visits, recalls = visits+waiting, recalls+preempted
	})
	n.report(t)
	t.Logf("in the slices of others %d sets started and %d went on", visits, recalls)
	if soak.Covers(t) {
		require.Greater(t, visits, 20)
		require.Positive(t, recalls)
	}
}

// visited returns how many sets of waiting jobs, and of preempted ones, were chosen in
// the slices of other types.
func visited(l *log.Log) (waiting, preempted int) {
	present, started, again := uint8(0), map[job.Index]bool{}, false
	for r := range l.All() {
		switch {
		case r.Kind == log.Slice && r.X != 0:
			present = r.View
		case r.Kind == log.Start:
			started[r.Job] = true
		case r.Kind == log.Node:
			again = started[r.Job]
		case r.Kind == log.Choice && r.View != present && r.X > 0 && again:
			preempted++
		case r.Kind == log.Choice && r.View != present && r.X > 0:
			waiting++
		}
	}
	return waiting, preempted
}

// blocked returns a case in which there is much to search, most of the time with
// much slack, under knobs of which the others are drawn.
func blocked(t *rapid.T, name, prefix string, knobs map[string]string) *policytest.Case {
	if rapid.IntRange(0, 3).Draw(t, "any") == 0 {
		return drawn(t, name, knobs)
	}
	w := policytest.DrawBlocked(t)
	c := w.Case(t, name, nil)
	for _, k := range [][2]string{{"slack-up", "10"}, {"slack-down", "3"}, {"slack-min", "3"}, {"node-limit", "20000"}, {"lookahead", "20"}} {
		knobs[prefix+k[0]] = k[1]
	}
	c.Knobs = policytest.DrawKnobs(t, c.Spec, knobs)
	t.Logf("%s", c)
	return c
}

// states counts the states of queues in which two searches were compared, and
// their sets.
type states struct{ all, some, several, sets, most int }

func (n *states) count(l *log.Log, decisions []string) {
	for r := range l.All() {
		if r.Kind == log.Choice {
			n.all++
		}
	}
	for _, d := range decisions {
		sets := strings.Count(d, ";")
		n.some++
		n.sets += sets
		n.most = max(n.most, sets)
		if sets > 1 {
			n.several++
		}
	}
}

func (n *states) report(t *testing.T) {
	t.Logf("%d states of queues; %d with sets, %d with several; %d sets in all, %d at most", n.all, n.some, n.several, n.sets, n.most)
	if soak.Covers(t) {
		require.Greater(t, n.several, 100)
	}
}

// fairByTheBook returns the knobs of a case for the second implementation.
func fairByTheBook(c *policytest.Case, prefix string) textbook.FairSlack {
	knob := func(name string) string { return c.Knobs[prefix+name] }
	number := func(name string) float64 {
		f, _ := strconv.ParseFloat(knob(name), 64)
		return f
	}
	busy := knob("goal") == "utilization"
	auto := func(name string, fairness, utilization float64) float64 {
		switch {
		case knob(name) != "auto":
			return number(name)
		case busy:
			return utilization
		}
		return fairness
	}
	return textbook.FairSlack{
		Goal: knob("goal"), FST: knob("jin-fst"),
		Up: number("slack-up"), Down: number("slack-down"), Least: number("slack-min"),
		K1: number("k1"), K2: number("k2"), U: number("slack-unit"),
		Late: auto("range-unfairness", 1.1, 1), Early: auto("range-skip", 1.5, 1), Used: auto("range-utilization", 1.02, 1.05),
		Absolute: number("range-unfairness-abs"), Lookahead: int(number("lookahead")), Limit: int(number("node-limit")),
		Exact: knob("exact-prune") == "true", Sets: knob("filling") == "sets",
	}
}

// fairStarts returns the recorded fair start time of every job.
func fairStarts(l *log.Log) []job.Time {
	out := make([]job.Time, len(l.Jobs))
	for r := range l.All() {
		if r.Kind == log.Fair {
			out[r.Job] = r.X
		}
	}
	return out
}

// decisions returns the sets with their scores and the choice among them, of each
// decision that had any, as the second implementation tells them.
func decisions(l *log.Log) (out []string) {
	var kept, saved []string // the sets, the empty one first
	for r := range l.All() {
		switch r.Kind {
		case log.Node:
			if len(kept) == 0 {
				kept = []string{""}
			}
			if r.Code.Keeps() {
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
	sets, started := [][]job.Index{nil}, map[job.Index]bool{}
	for r := range l.All() {
		switch r.Kind {
		case log.Start:
			started[r.Job] = true
		case log.Node:
			if r.Code.Keeps() {
				sets = append(sets, append(slices.Clone(sets[r.X]), r.Job))
				late = append(late, -1)
			}
		case log.Scored:
			late[len(late)-1] = r.X
		case log.Choice:
			if r.X > 0 {
				own := int64(0)
				for _, j := range sets[r.X] {
					if !started[j] { // else it goes on only
						own += max(0, r.At-fair[j])
					}
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
