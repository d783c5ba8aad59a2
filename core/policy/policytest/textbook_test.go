package policytest_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/textbook"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
)

// runReference runs a case with the reference implementation of its policy.
func runReference(c *policytest.Case) textbook.Result {
	knob := func(name string) policy.Order { return policy.Order(c.Knobs[name]) }
	m, order := &c.Machine, knob("order")
	switch c.Spec.Name {
	case "fcfs":
		return textbook.FCFS(m, c.Jobs, order)
	case "first-fit":
		return textbook.FirstFit(m, c.Jobs, order)
	case "conservative":
		return textbook.Conservative(m, c.Jobs, c.Knobs["compress"], order)
	case "pc", "dc":
		is := func(name, value string) bool { return c.Knobs[name] == value }
		o := textbook.Compression{Order: order, Restart: is("restart", "true"), OnlyEarlyEnd: is("check", "early-end"),
			Protect: is("arrival", "protect"), RestartOnArrival: is("arrival-restart", "true"), FixedLimit: is("arrival-limit", "fixed"), MoveToLimit: is("arrival-tie", "at")}
		if c.Spec.Name == "pc" {
			return textbook.PC(m, c.Jobs, o)
		}
		return textbook.DC(m, c.Jobs, o)
	}
	backfill := knob("backfill-order")
	if backfill == "order" {
		backfill = order
	}
	pick := textbook.Pick{Rule: c.Knobs["pick"], Fullness: c.Knobs["fullness"], Fallback: c.Knobs["fallback"]}
	if c.Knobs["reservations"] == "1" {
		return textbook.EASY(m, c.Jobs, order, backfill, pick)
	}
	n, err := strconv.Atoi(c.Knobs["reservations"])
	if err != nil {
		n = -1
	}
	return textbook.EasyWithReservations(m, c.Jobs, order, backfill, n, pick)
}

// resultOf returns the starts, promises and moves that a log records, in the form of the
// reference implementation.
func resultOf(l *log.Log) (r textbook.Result) {
	for _, o := range l.Outcomes() {
		r.Starts = append(r.Starts, o.Start)
		r.Promised = append(r.Promised, o.Promised)
	}
	for m := range l.All() {
		if m.Kind == log.Move {
			r.Moves = append(r.Moves, textbook.Move{At: m.At, Job: int(m.Job), From: m.X, To: m.Y})
		}
	}
	return r
}

// TestSoakTextbook runs policies with random knobs, and compares the starts, promises and moves
// with those of the reference implementations.
func TestSoakTextbook(t *testing.T) {
	for name, share := range map[string]float64{"fcfs": 0.05, "first-fit": 0.05, "easy": 0.2, "conservative": 0.2, "pc": 0.2, "dc": 0.2} {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, share, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				c := w.Case(t, name, nil)
				c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
				require.Equal(t, runReference(c), resultOf(c.Run(t)), "%s", c)
			})
		})
	}
}

// TestSoakTextbookIsConsistent checks the reference implementations against each other. With one
// reservation, EasyWithReservations must give the same schedule as EASY. With none, it must give
// the same schedule as FirstFit.
func TestSoakTextbookIsConsistent(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		order := policy.Order(rapid.SampledFrom(policy.Orders).Draw(t, "order"))
		backfill := policy.Order(rapid.SampledFrom(policy.Orders).Draw(t, "backfill"))
		pick := textbook.Pick{Rule: rapid.SampledFrom([]string{"first", "bl", "bb"}).Draw(t, "pick"), Fullness: "relaxed", Fallback: rapid.SampledFrom([]string{"first", "none"}).Draw(t, "fallback")}
		require.Equal(t, textbook.EASY(&w.Machine, w.Jobs, order, backfill, pick),
			textbook.EasyWithReservations(&w.Machine, w.Jobs, order, backfill, 1, pick))
		require.Equal(t, textbook.FirstFit(&w.Machine, w.Jobs, order),
			textbook.EasyWithReservations(&w.Machine, w.Jobs, order, order, 0, textbook.Pick{Rule: "first"}))
	})
}

// TestSoakNotation checks that formatted jobs parse to the same jobs, and that invalid text
// is an error.
func TestSoakNotation(t *testing.T) {
	soak.Check(t, 0.01, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		got, err := policytest.ParseJobs(policytest.FormatJobs(w.Jobs))
		require.NoError(t, err)
		require.Equal(t, w.Jobs, got)
		shared, _ := policytest.DrawShared(t, func(j *job.Job, m *cluster.Machine) bool { return j.Procs > 0 && j.Procs <= m.Nodes })
		for i := range shared.Jobs {
			shared.Jobs[i].More.Class = "" // the notation has no classes
		}
		got, err = policytest.ParseJobs(policytest.FormatJobs(shared.Jobs))
		require.NoError(t, err)
		require.Equal(t, shared.Jobs, got)
	})
	for _, bad := range []string{"J1", "J1 2", "J1 x/2", "J1 2/3(x)", "J1 2/3@x", "J1 2/3 more", "J1 2/3 +x", "J1 2/3 +1 2", "J1 2/3 ~1", "J1 2/3 ~1,x", "J1 2/3 ~x,1"} {
		_, err := policytest.ParseJobs(bad)
		require.Error(t, err, bad)
	}
	jobs, err := policytest.ParseJobs("A 1/8(1) # early\n\nB 2/7@3")
	require.NoError(t, err)
	require.Equal(t, job.Job{Request: job.Request{Estimate: 8, Procs: 1}, ID: "A", Runtime: 1}, jobs[0])
	require.Equal(t, job.Job{Request: job.Request{Submit: 3, Estimate: 7, Procs: 2}, ID: "B", Runtime: 7}, jobs[1])
}

// TestSoakOutages runs policies on machines with outages, and compares the starts, promises and
// moves with those of the reference implementations. It also runs the checks of package schedule.
func TestSoakOutages(t *testing.T) {
	for name, share := range map[string]float64{"fcfs": 0.05, "first-fit": 0.05, "easy": 0.2, "conservative": 0.2, "pc": 0.1, "dc": 0.1} {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, share, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				w.AddOutages(t)
				c := w.Case(t, name, nil)
				c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
				l := c.Run(t)
				require.Empty(t, schedule.CheckLog(l, c.Spec.PromisesStarts && c.Knobs["compress"] != "replan"), "%s", c)
				require.Equal(t, runReference(c), resultOf(l), "%s", c)
			})
		})
	}
}

// TestOutagesAreRefused checks that policies without support for outages reject a machine that has
// an outage. Policies that are not in judge.WithOwnTests are tested with outages by package judge.
func TestOutagesAreRefused(t *testing.T) {
	w := policytest.Workload{}
	w.Machine.Nodes, w.Machine.Processors, w.Machine.Cores = 4, 1, 1
	w.Machine.Outages = append(w.Machine.Outages, cluster.Outage{From: 1, To: 2, Procs: 1})
	supporting := []string{}
	for _, spec := range registry.All {
		if _, err := spec.SettingsOn(&w.Machine, nil); err != nil {
			require.EqualError(t, err, "policy "+spec.Name+": expected no outages, because the policy does not support them, got 1")
			continue
		}
		if slices.Contains(judge.WithOwnTests, spec.Name) {
			supporting = append(supporting, spec.Name)
		}
	}
	require.Equal(t, []string{"fcfs", "first-fit", "easy", "conservative", "pc", "dc"}, supporting)
}
