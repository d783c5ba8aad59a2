package explain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
)

// drawRows draws rows of jobs: submit time, processors, estimate and runtime.
func drawRows(t *rapid.T) [][4]int64 {
	var rows [][4]int64
	at := int64(0)
	for range rapid.IntRange(1, 25).Draw(t, "jobs") {
		at += rapid.Int64Range(0, 6).Draw(t, "gap")
		estimate := rapid.Int64Range(1, 30).Draw(t, "estimate")
		rows = append(rows, [4]int64{at, rapid.Int64Range(1, 8).Draw(t, "procs"), estimate, rapid.Int64Range(1, estimate).Draw(t, "runtime")})
	}
	return rows
}

// TestEveryQuestionHasAnAnswer checks that every answer has a sentence, and that the states of
// jobs agree with their outcomes and with the state of the machine.
func TestEveryQuestionHasAnAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := rapid.SampledFrom([]string{"fcfs", "first-fit", "easy", "conservative"}).Draw(t, "policy")
		l := run(t, policy, drawRows(t))
		x, out := explain.NewIndex(l), l.Outcomes()
		at := rapid.Int64Range(0, 200).Draw(t, "at")
		m := x.At(at)
		require.Len(t, m.Waiting, countStates(x, l, at)[explain.Waiting])
		require.Len(t, m.Running, countStates(x, l, at)[explain.Running])
		for j := range l.Jobs {
			a := x.Why(job.Index(j), at, explain.Options{MaxItems: 3})
			require.NotEmpty(t, a.Sentences)
			require.NotContains(t, a.Text(), "{")
			require.NotContains(t, a.Text(), "another job")
			require.NotContains(t, a.Text(), "does not say", "these policies always record a reason: %s", a.Text())
			require.Equal(t, expectedState(&l.Jobs[j], out[j], at), a.State)
			overtakers := countOvertakers(out, j, l, at)
			require.Equal(t, overtakers, len(a.Overtakers.Items)+a.Overtakers.More)
			require.Equal(t, a.State > explain.Waiting && overtakers > 0, strings.Contains(a.Text(), " submitted later started before it."))
		}
	})
}

// TestSoakQuestionsAboutResources checks answers on machines with extra resources. Every answer
// must have a sentence, and no placeholder may remain. If the policy records all reasons, the
// answer must state a reason.
func TestSoakQuestionsAboutResources(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		spec := rapid.SampledFrom(registry.All).Draw(t, "policy")
		knobs := policytest.DrawKnobs(t, spec, nil)
		l := w.Case(t, spec.Name, knobs).Run(t)
		x, at := explain.NewIndex(l), rapid.Int64Range(0, 100).Draw(t, "at")
		for j := range l.Jobs {
			a := x.Why(job.Index(j), at, explain.Options{})
			require.NotEmpty(t, a.Sentences)
			require.NotContains(t, a.Text(), "{")
			inner := knobs["inner"] != "easy" || knobs["inner.reservations"] == "1"
			if one, given := knobs["reservations"]; one == "1" || !given && inner && knobs["compress"] != "replan" {
				require.NotContains(t, a.Text(), "does not say", "there is always a reason: %s", a.Text())
			}
		}
	})
}

// TestMoldableJobsAreExplained checks that every answer about a moldable job states a reason, and
// that no placeholder remains in it.
func TestMoldableJobsAreExplained(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := policytest.DrawDowneyWorkload(t)
		c := w.Case(t, "moldable", nil)
		c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
		l := c.Run(t)
		x, at := explain.NewIndex(l), rapid.Int64Range(0, 300).Draw(t, "at")
		for j := range l.Jobs {
			a := x.Why(job.Index(j), at, explain.Options{MaxItems: 3})
			require.NotEmpty(t, a.Sentences)
			require.NotContains(t, a.Text(), "{")
			require.NotContains(t, a.Text(), "does not say", "%s at %d: %s", c, at, a.Text())
		}
	})
}

// TestEveryQuestionHasAnAnswerInSlices checks answers under scojo-pect, the policy with time
// slices, with several inner policies. Every answer must state a reason, and no placeholder may
// remain in it.
func TestEveryQuestionHasAnAnswerInSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		knobs := map[string]string{"interval": "40", "short-max": "5", "medium-max": "15",
			"inner":    rapid.SampledFrom([]string{"conservative", "easy", "fcfs"}).Draw(t, "inner"),
			"overhead": rapid.SampledFrom([]string{"0", "2"}).Draw(t, "overhead"),
			"non-type": rapid.SampledFrom([]string{"true", "false"}).Draw(t, "non-type")}
		l := policytest.SimulateRows(t, 8, drawRows(t), "scojo-pect", knobs)
		x, at := explain.NewIndex(l), rapid.Int64Range(0, 300).Draw(t, "at")
		for _, h := range x.At(at).Running {
			require.Equal(t, explain.Running, x.State(h.Job, at))
			require.LessOrEqual(t, h.Until-at, job.Time(40), "no job holds processors longer than a slice")
		}
		for j := range l.Jobs {
			a := x.Why(job.Index(j), at, explain.Options{})
			text := a.Text()
			for _, bad := range []string{"{", "another job", "does not say", "do not say"} {
				require.NotContains(t, text, bad, "at %d: %s", at, text)
			}
		}
	})
}

// TestSoakQuestionsAboutGroups checks, for runs with shared nodes, that every answer states a
// reason and that no placeholder remains in it. Some of the runs have time slices.
func TestSoakQuestionsAboutGroups(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		name, knobs := "glomarc-ts", map[string]string{"short-max": "3", "medium-max": "20", "slack": "4", "min-gain": "0.1"}
		if rapid.Bool().Draw(t, "sliced") {
			name, knobs = "scojo-pect", map[string]string{"inner": "glomarc-ts", "interval": "40", "short-max": "3", "medium-max": "20", "inner.slack": "8", "inner.min-gain": "0.1"}
		}
		w, model := policytest.DrawShared(t, func(q *job.Job, m *cluster.Machine) bool { return q.Procs > 0 && q.Procs <= m.Nodes })
		c := w.Case(t, name, knobs)
		c.Speed = model.Speed(w.Jobs)
		l := c.Run(t)
		x, at := explain.NewIndex(l), rapid.Int64Range(0, 300).Draw(t, "at")
		for j := range l.Jobs {
			a := x.Why(job.Index(j), at, explain.Options{})
			text := a.Text()
			for _, bad := range []string{"{", "another job", "does not say", "do not say", "NaN"} {
				require.NotContains(t, text, bad, "%s at %d", c, at)
			}
		}
	})
}

// countStates returns the number of jobs in each state at the given time.
func countStates(x *explain.Index, l *log.Log, at job.Time) (n [5]int) {
	for j := range l.Jobs {
		n[x.State(job.Index(j), at)]++
	}
	return n
}

// expectedState derives the state of a job from its outcome.
func expectedState(q *job.Job, o log.Outcome, at job.Time) explain.State {
	switch {
	case at < q.Submit:
		return explain.NotSubmitted
	case at < o.Start:
		return explain.Waiting
	case at < o.Finish:
		return explain.Running
	}
	return explain.Done
}

// countOvertakers returns the number of jobs that were submitted after job j, but started before it
// and no later than the given time.
func countOvertakers(out []log.Outcome, j int, l *log.Log, at job.Time) int {
	n := 0
	for k := j + 1; k < len(out); k++ {
		if out[k].Start < out[j].Start && out[k].Start <= at && out[k].Start >= l.Jobs[j].Submit {
			n++
		}
	}
	return n
}

// TestPartsAreLinks checks that the names of jobs and the times in an answer are separate parts, so
// that the page can show them as links.
func TestPartsAreLinks(t *testing.T) {
	l := runExample(t, "conservative")
	a := explain.Why(l, 3, 5, explain.Options{})
	jobs, times := 0, 0
	for _, s := range a.Sentences {
		for _, p := range s {
			switch p.Kind {
			case explain.JobName:
				require.True(t, strings.HasSuffix(p.Text, l.Jobs[p.Job].ID))
				jobs++
			case explain.Instant:
				times++
			}
		}
	}
	require.GreaterOrEqual(t, jobs, 4)
	require.GreaterOrEqual(t, times, 4)
}

// TestLongHistory checks that the history of a job with up to 41 records is complete. With more
// records, it shows the first 10 and the last 30, and says how many are omitted.
func TestLongHistory(t *testing.T) {
	jobs := []job.Job{{ID: "a", Request: job.Request{Procs: 1, Estimate: 500}, Runtime: 500}}
	for _, n := range []int{1, 40, 41, 42, 100} {
		l := log.New(cluster.Flat(1), jobs, log.Full)
		for i := range n {
			l.Add(log.Record{Kind: log.Move, Job: 0, Other: job.None, At: int64(i), X: int64(1000 - i), Y: int64(999 - i)})
		}
		var at []int64
		var text string
		for _, e := range explain.NewIndex(l).Why(0, 200, explain.Options{MaxItems: 100}).History {
			if text += e.Text.Text() + "\n"; strings.Contains(e.Text.Text(), "moved") {
				at = append(at, e.At)
			}
		}
		var want []int64
		for i := range n {
			if n <= 41 || i < 10 || i >= n-30 {
				want = append(want, int64(i))
			}
		}
		require.Equal(t, want, at, text)
		require.Equal(t, n > 41, strings.Contains(text, fmt.Sprintf("(%d entries omitted)", n-40)), text)
	}
}

// largeLog returns the log of 100,000 jobs under EASY.
func largeLog(b *testing.B) *log.Log {
	state := uint64(7)
	random := func(k int64) int64 {
		state = state*6364136223846793005 + 1442695040888963407
		return int64(state>>33) % k
	}
	var rows [][4]int64
	at := int64(0)
	for range 100_000 {
		at += random(300)
		estimate := 1 + random(500)
		rows = append(rows, [4]int64{at, 1 + random(7), estimate, 1 + random(estimate)})
	}
	return run(b, "easy", rows)
}

func BenchmarkIndex(b *testing.B) {
	l := largeLog(b)
	for b.Loop() {
		explain.NewIndex(l)
	}
}

func BenchmarkWhy(b *testing.B) {
	x := explain.NewIndex(largeLog(b))
	j := job.Index(0)
	for b.Loop() {
		j = (j + 7919) % 100_000
		x.Why(j, int64(j)*150, explain.Options{})
	}
}

// runExample runs the first example of the page under a policy.
func runExample(t testing.TB, policy string) *log.Log { return run(t, policy, policytest.ExampleRows) }

// run runs jobs on eight nodes under a policy. A row holds submit time, processors, estimate and
// runtime.
func run(t policytest.TB, policy string, rows [][4]int64) *log.Log {
	return policytest.SimulateRows(t, 8, rows, policy, nil)
}
