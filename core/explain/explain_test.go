package explain_test

import (
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

// Every question has an answer with a sentence, and the states of the jobs
// agree with their outcomes and with the state of the machine.
func TestEveryQuestionHasAnAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := rapid.SampledFrom([]string{"fcfs", "first-fit", "easy", "conservative"}).Draw(t, "policy")
		l := run(t, policy, drawRows(t))
		x, out := explain.NewIndex(l), l.Outcomes()
		at := rapid.Int64Range(0, 200).Draw(t, "at")
		m := x.At(at)
		require.Len(t, m.Waiting, states(x, l, at)[explain.Waiting])
		require.Len(t, m.Running, states(x, l, at)[explain.Running])
		for j := range l.Jobs {
			a := x.Why(job.Index(j), at, explain.Options{Most: 3})
			require.NotEmpty(t, a.Sentences)
			require.NotContains(t, a.Text(), "{")
			require.NotContains(t, a.Text(), "another job")
			require.NotContains(t, a.Text(), "does not say", "the baselines always have a reason: %s", a.Text())
			require.Equal(t, state(&l.Jobs[j], out[j], at), a.State)
			require.Equal(t, overtakers(out, j, l, at), len(a.Overtakers.Items)+a.Overtakers.More)
		}
	})
}

// So it is on machines with extra resources.
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
				require.NotContains(t, a.Text(), "does not say", "there always is a reason: %s", a.Text())
			}
		}
	})
}

// Moldable jobs as well: what waits is explained by the sizes that jobs have at
// that instant.
func TestMoldableJobsAreExplained(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := policytest.DrawDowney(t)
		c := w.Case(t, "moldable", nil)
		c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
		l := c.Run(t)
		x, at := explain.NewIndex(l), rapid.Int64Range(0, 300).Draw(t, "at")
		for j := range l.Jobs {
			a := x.Why(job.Index(j), at, explain.Options{Most: 3})
			require.NotEmpty(t, a.Sentences)
			require.NotContains(t, a.Text(), "{")
			require.NotContains(t, a.Text(), "does not say", "%s at %d: %s", c, at, a.Text())
		}
	})
}

// So it is in time slices: every reason of scojo-pect has its words, whatever
// policy is inside.
func TestEveryQuestionHasAnAnswerInSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		knobs := map[string]string{"interval": "40", "short-max": "5", "medium-max": "15",
			"inner":    rapid.SampledFrom([]string{"conservative", "easy", "fcfs"}).Draw(t, "inner"),
			"overhead": rapid.SampledFrom([]string{"0", "2"}).Draw(t, "overhead"),
			"non-type": rapid.SampledFrom([]string{"true", "false"}).Draw(t, "non-type")}
		l := simulate(t, 8, "scojo-pect", knobs, drawRows(t))
		x, at := explain.NewIndex(l), rapid.Int64Range(0, 300).Draw(t, "at")
		for _, h := range x.At(at).Running {
			require.Equal(t, explain.Running, x.State(h.Job, at))
			require.LessOrEqual(t, h.Until-at, job.Time(40), "no one runs longer than a slice")
		}
		for j := range l.Jobs {
			a := x.Why(job.Index(j), at, explain.Options{})
			text := a.Text()
			for _, bad := range []string{"{", "another job", "does not say", "no recorded reason"} {
				require.NotContains(t, text, bad, "at %d: %s", at, text)
			}
		}
	})
}

// And where jobs share nodes, alone and in time slices.
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
			for _, bad := range []string{"{", "another job", "does not say", "no recorded reason", "NaN"} {
				require.NotContains(t, text, bad, "%s at %d", c, at)
			}
		}
	})
}

func states(x *explain.Index, l *log.Log, at job.Time) (n [5]int) {
	for j := range l.Jobs {
		n[x.State(job.Index(j), at)]++
	}
	return n
}

func state(q *job.Job, o log.Outcome, at job.Time) explain.State {
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

func overtakers(out []log.Outcome, j int, l *log.Log, at job.Time) int {
	n := 0
	for k := j + 1; k < len(out); k++ {
		if out[k].Start < out[j].Start && out[k].Start <= at && out[k].Start >= l.Jobs[j].Submit {
			n++
		}
	}
	return n
}

// Parts carry the jobs and instants that the page makes links of.
func TestPartsAreLinks(t *testing.T) {
	l := twelve(t, "conservative")
	a := explain.Why(l, 3, 5, explain.Options{})
	jobs, moments := 0, 0
	for _, s := range a.Sentences {
		for _, p := range s {
			switch p.Kind {
			case explain.JobName:
				require.True(t, strings.HasSuffix(p.Text, l.Jobs[p.Job].ID))
				jobs++
			case explain.Moment:
				moments++
			}
		}
	}
	require.GreaterOrEqual(t, jobs, 4)
	require.GreaterOrEqual(t, moments, 4)
}

func many(b *testing.B) *log.Log {
	state := uint64(7)
	rnd := func(k int64) int64 {
		state = state*6364136223846793005 + 1442695040888963407
		return int64(state>>33) % k
	}
	var rows [][4]int64
	at := int64(0)
	for range 100_000 {
		at += rnd(300)
		estimate := 1 + rnd(500)
		rows = append(rows, [4]int64{at, 1 + rnd(7), estimate, 1 + rnd(estimate)})
	}
	return run(b, "easy", rows)
}

func BenchmarkIndex(b *testing.B) {
	l := many(b)
	for b.Loop() {
		explain.NewIndex(l)
	}
}

func BenchmarkWhy(b *testing.B) {
	x := explain.NewIndex(many(b))
	j := job.Index(0)
	for b.Loop() {
		j = (j + 7919) % 100_000
		x.Why(j, int64(j)*150, explain.Options{})
	}
}
