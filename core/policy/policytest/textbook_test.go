package policytest_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/textbook"
)

// byTheBook runs a case by the second implementation.
func byTheBook(c *policytest.Case) textbook.Result {
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
		on := func(name, value string) bool { return c.Knobs[name] == value }
		o := textbook.Compression{Order: order, Restart: on("restart", "true"), Early: on("check", "early-end"),
			Protect: on("arrival", "protect"), Again: on("arrival-restart", "true"), Fixed: on("arrival-limit", "fixed"), Ties: on("arrival-tie", "at")}
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
	return textbook.Reserving(m, c.Jobs, order, backfill, n, pick)
}

// result reads from a log what the second implementation tells.
func result(l *log.Log) (r textbook.Result) {
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

// Starts, promises and moves are those of the second implementation, under all
// knobs.
func TestSoakTextbook(t *testing.T) {
	for name, share := range map[string]float64{"fcfs": 0.05, "first-fit": 0.05, "easy": 0.2, "conservative": 0.2, "pc": 0.2, "dc": 0.2} {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, share, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				c := w.Case(t, name, nil)
				c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
				require.Equal(t, byTheBook(c), result(c.Run(t)), "%s", c)
			})
		})
	}
}

// EASY is the case of one reservation.
func TestSoakTextbookAgreesWithItself(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		order := policy.Order(rapid.SampledFrom(policy.Orders).Draw(t, "order"))
		backfill := policy.Order(rapid.SampledFrom(policy.Orders).Draw(t, "backfill"))
		pick := textbook.Pick{Rule: rapid.SampledFrom([]string{"first", "bl", "bb"}).Draw(t, "pick"), Fullness: "relaxed", Fallback: rapid.SampledFrom([]string{"first", "none"}).Draw(t, "fallback")}
		require.Equal(t, textbook.EASY(&w.Machine, w.Jobs, order, backfill, pick),
			textbook.Reserving(&w.Machine, w.Jobs, order, backfill, 1, pick))
		require.Equal(t, textbook.FirstFit(&w.Machine, w.Jobs, order),
			textbook.Reserving(&w.Machine, w.Jobs, order, order, 0, textbook.Pick{Rule: "first"}))
	})
}

// The notation survives a round trip.
func TestSoakNotation(t *testing.T) {
	soak.Check(t, 0.01, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		got, err := policytest.ParseJobs(policytest.FormatJobs(w.Jobs))
		require.NoError(t, err)
		require.Equal(t, w.Jobs, got)
		shared, _ := policytest.DrawShared(t, func(j *job.Job, m *cluster.Machine) bool { return j.Procs > 0 && j.Procs <= m.Nodes })
		for i := range shared.Jobs {
			shared.Jobs[i].More.Class = "" // has no notation
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
