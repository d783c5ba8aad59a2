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

// TestSoakFairSlack compares fair-slack with the reference implementation. For random queues and
// knobs, both must find the same sets with the same scores in the same order, and select the same
// set.
func TestSoakFairSlack(t *testing.T) {
	n := searchStats{}
	soak.Check(t, 0.05, func(t *rapid.T) {
		c := drawBlocked(t, "fair-slack", "", map[string]string{})
		want := fairSlackReference(c, "").Run(&c.Machine, c.Jobs)
		l := c.Run(t)
		require.Equal(t, want.FST, fairStarts(l))
		require.Equal(t, want.Decisions, decisions(l))
		require.Equal(t, want.Starts, resultOf(l).Starts)
		n.count(l, want.Decisions)
	})
	n.report(t)
}

// TestSoakFairSlackInSlices makes the same comparison as TestSoakFairSlack with time slices. A set
// consists of jobs of one type. It can start in a slice of this type, and start or resume in a
// slice of another type.
func TestSoakFairSlackInSlices(t *testing.T) {
	n, started, resumed := searchStats{}, 0, 0
	soak.Check(t, 0.05, func(t *rapid.T) {
		c := drawBlocked(t, "scojo-pect", "inner.", map[string]string{"inner": "fair-slack"})
		fair := fairSlackReference(c, "inner.")
		r := slicesReference(c)
		r.Fair, r.Order = &fair, policy.FIFO
		segments, want := r.RunFair(&c.Machine, c.Jobs)
		l := c.Run(t)
		require.Equal(t, want.FST, fairStarts(l))
		require.Equal(t, want.Decisions, decisions(l))
		require.Equal(t, segments, slicedJobs(l))
		n.count(l, want.Decisions)
		waiting, preempted := guestSets(l)
		started, resumed = started+waiting, resumed+preempted
	})
	n.report(t)
	t.Logf("sets in the slices of other types: %d started, %d resumed", started, resumed)
	if soak.CoversAllCases(t) {
		require.Greater(t, started, 20)
		require.Positive(t, resumed)
	}
}

// guestSets counts the selected sets whose jobs ran in a slice of another type. It returns two
// numbers: how many of these sets consisted of waiting jobs, and how many of preempted jobs.
func guestSets(l *log.Log) (waiting, preempted int) {
	sliceView, started, resumed := uint8(0), map[job.Index]bool{}, false
	for r := range l.All() {
		switch {
		case r.Kind == log.Slice && r.X != 0:
			sliceView = r.View
		case r.Kind == log.Start:
			started[r.Job] = true
		case r.Kind == log.SetTried:
			resumed = started[r.Job]
		case r.Kind == log.Choice && r.View != sliceView && r.X > 0 && resumed:
			preempted++
		case r.Kind == log.Choice && r.View != sliceView && r.X > 0:
			waiting++
		}
	}
	return waiting, preempted
}

// drawBlocked draws a case. In three of four cases, the search tries many sets: the queue is often
// blocked, and the knobs that limit the slack and the search have large values. The names of these
// knobs start with the given prefix. The values of other knobs are given; drawBlocked draws random
// values for the rest.
func drawBlocked(t *rapid.T, name, prefix string, knobs map[string]string) *policytest.Case {
	if rapid.IntRange(0, 3).Draw(t, "any") == 0 {
		return drawCase(t, name, knobs)
	}
	w := policytest.DrawBlockedQueue(t)
	c := w.Case(t, name, nil)
	for _, k := range [][2]string{{"slack-up", "10"}, {"slack-down", "3"}, {"slack-min", "3"}, {"node-limit", "20000"}, {"lookahead", "20"}} {
		knobs[prefix+k[0]] = k[1]
	}
	c.Knobs = policytest.DrawKnobs(t, c.Spec, knobs)
	t.Logf("%s", c)
	return c
}

// searchStats counts searches for sets, and the good sets that they found. A good set keeps every
// job outside the set within its slack.
type searchStats struct {
	searches    int
	withSets    int // searches that found a good set
	withSeveral int // searches that found several good sets
	sets        int // good sets
	largest     int // largest number of good sets in one search
}

// count adds the searches of a log to the statistics. The decisions come from the
// reference implementation.
func (n *searchStats) count(l *log.Log, decisions []string) {
	for r := range l.All() {
		if r.Kind == log.Choice {
			n.searches++
		}
	}
	for _, d := range decisions {
		sets := strings.Count(d, ";")
		n.withSets++
		n.sets += sets
		n.largest = max(n.largest, sets)
		if sets > 1 {
			n.withSeveral++
		}
	}
}

// report logs the statistics. If there are enough random workloads, it requires that many searches
// found several good sets.
func (n *searchStats) report(t *testing.T) {
	t.Logf("%d searches: %d found a good set, %d found several; %d good sets in total, at most %d in one search", n.searches, n.withSets, n.withSeveral, n.sets, n.largest)
	if soak.CoversAllCases(t) {
		require.Greater(t, n.withSeveral, 100)
	}
}

// fairSlackReference returns the reference implementation with the knobs of a case. The names of
// the knobs start with the given prefix.
func fairSlackReference(c *policytest.Case, prefix string) textbook.FairSlack {
	knob := func(name string) string { return c.Knobs[prefix+name] }
	number := func(name string) float64 {
		f, _ := strconv.ParseFloat(knob(name), 64)
		return f
	}
	forUtilization := knob("goal") == "utilization"
	rangeOr := func(name string, fairness, utilization float64) float64 {
		switch {
		case knob(name) != "auto":
			return number(name)
		case forUtilization:
			return utilization
		}
		return fairness
	}
	return textbook.FairSlack{
		Goal: knob("goal"), FST: knob("jin-fst"),
		SlackUp: number("slack-up"), SlackDown: number("slack-down"), SlackMin: number("slack-min"),
		K1: number("k1"), K2: number("k2"), SlackUnit: number("slack-unit"),
		RangeUnfairness: rangeOr("range-unfairness", 1.1, 1), RangeSkip: rangeOr("range-skip", 1.5, 1), RangeUtilization: rangeOr("range-utilization", 1.02, 1.05),
		RangeUnfairnessAbs: number("range-unfairness-abs"), Lookahead: int(number("lookahead")), NodeLimit: int(number("node-limit")),
		ExactPrune: knob("exact-prune") == "true", FillWithSets: knob("filling") == "sets",
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

// decisions returns the decisions that a log records, in the form of textbook.FairSlackResult.
func decisions(l *log.Log) (out []string) {
	var sets, scored []string // sets: all kept sets, the empty set first; scored: good sets with scores
	for r := range l.All() {
		switch r.Kind {
		case log.SetTried:
			if len(sets) == 0 {
				sets = []string{""}
			}
			if r.Code.KeepsSet() {
				sets = append(sets, strings.TrimPrefix(sets[r.X]+","+l.Jobs[r.Job].ID, ","))
			}
		case log.Scored:
			scored = append(scored, fmt.Sprintf("%s %d %d", sets[len(sets)-1], r.X, r.Y))
		case log.Choice:
			if len(scored) > 0 {
				out = append(out, fmt.Sprintf("%d: %s; %s", r.At, strings.Join(scored, "; "), sets[r.X]))
			}
			sets, scored = nil, nil
		}
	}
	return out
}

// TestSoakNoSlackNoDelay checks that, without slack, no selected set delays a job outside the set
// past its fair start. Jobs that are already late may start. In time slices, fair starts and delays
// are in wall-clock time.
func TestSoakNoSlackNoDelay(t *testing.T) {
	t.Run("alone", func(t *testing.T) {
		soak.Check(t, 0.02, func(t *rapid.T) {
			requireNoDelay(t, drawCase(t, "fair-slack", map[string]string{"slack-up": "1", "slack-down": "1", "slack-min": "1"}))
		})
	})
	t.Run("in slices", func(t *testing.T) {
		soak.Check(t, 0.02, func(t *rapid.T) {
			requireNoDelay(t, drawCase(t, "scojo-pect", map[string]string{
				"inner": "fair-slack", "inner.slack-up": "1", "inner.slack-down": "1", "inner.slack-min": "1",
			}))
		})
	})
}

// requireNoDelay checks the recorded delay of each selected set. Only jobs of the set itself that
// are already past their fair starts may contribute to the delay.
func requireNoDelay(t *rapid.T, c *policytest.Case) {
	l := c.Run(t)
	require.Empty(t, schedule.CheckLog(l, true))
	fair, late := fairStarts(l), []int64{}
	sets, started := [][]job.Index{nil}, map[job.Index]bool{}
	for r := range l.All() {
		switch r.Kind {
		case log.Start:
			started[r.Job] = true
		case log.SetTried:
			if r.Code.KeepsSet() {
				sets = append(sets, append(slices.Clone(sets[r.X]), r.Job))
				late = append(late, -1)
			}
		case log.Scored:
			late[len(late)-1] = r.X
		case log.Choice:
			if r.X > 0 {
				setDelay := int64(0)
				for _, j := range sets[r.X] {
					if !started[j] { // a started job only resumes
						setDelay += max(0, r.At-fair[j])
					}
				}
				require.Equal(t, setDelay, late[r.X-1], "at %d", r.At)
			}
			sets, late = [][]job.Index{nil}, nil
		}
	}
}

// TestFairStartsOfFourJobs checks the recorded fair start times of an example with four jobs.
// Compared with these times, EASY starts one job 4 s late and another job 8 s early.
func TestFairStartsOfFourJobs(t *testing.T) {
	jobs, err := policytest.ParseJobs("J1 3/4\nJ2 2/4\nJ3 2/4\nJ4 1/8")
	require.NoError(t, err)
	l := policytest.Simulate(t, 4, jobs, "fair-slack", nil)
	require.Equal(t, []job.Time{0, 4, 4, 8}, fairStarts(l))
}

// TestSoakContractOfFairSlackInSlices tests the contract of fair-slack inside time slices.
func TestSoakContractOfFairSlackInSlices(t *testing.T) {
	s, err := registry.Find("scojo-pect")
	require.NoError(t, err)
	policytest.Suite{Spec: s, Knobs: map[string]string{"inner": "fair-slack"}, Share: 0.003}.Run(t)
}
