package worker_test

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/policytest/truth"
	"backfill-lab/core/policy/registry"
	"backfill-lab/ui/protocol"
)

// All sentences in the answer to a "why" request are true, for random jobs and times. The test runs the policies in
// judge.WithOwnTests, and scojo-pect also with several inner policies.
func TestWhyAnswersAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("verifying every answer takes long")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var jobs []job.Job
	submit := int64(0)
	for i := range 60 {
		submit += r.Int64N(4)
		estimate := 1 + r.Int64N(30)
		jobs = append(jobs, job.Job{ID: strconv.Itoa(i + 1), Runtime: 1 + r.Int64N(estimate), Request: job.Request{Submit: submit, Procs: 1 + r.IntN(7), Estimate: estimate}})
	}
	var all []protocol.Policy
	for _, name := range judge.WithOwnTests {
		all = append(all, protocol.Policy{Name: name})
	}
	for _, inner := range []string{"fcfs", "easy", "conservative", "fair-slack", "glomarc-ts"} {
		all = append(all, protocol.Policy{Name: "scojo-pect", Knobs: map[string]string{"inner": inner, "interval": "90", "short-max": "5", "medium-max": "15", "overhead": "1"}})
	}
	seen := map[string]int{}
	for len(all) > 0 {
		n := min(len(all), 4)
		checkAnswers(t, r, jobs, all[:n], seen)
		all = all[n:]
	}
	require.Greater(t, len(seen), 40, "many kinds of sentences are checked")
}

// checkAnswers runs the jobs under some policies and checks the answers of the worker.
func checkAnswers(t *testing.T, r *rand.Rand, jobs []job.Job, all []protocol.Policy, seen map[string]int) {
	const questions = 150
	p := newPage(t)
	p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: all}, protocol.EncodeJobs(jobs)...)
	var readers []*truth.AnswerChecker
	last := int64(0)
	for i := range all {
		text := p.ask("exported", "export", protocol.Export{What: "log", Result: i}).bufs[0]
		l, _, err := log.Read(bytes.NewReader(text))
		require.NoError(t, err)
		last = max(last, l.Record(l.Len()-1).At)
		spec, err := registry.Find(all[i].Name)
		require.NoError(t, err)
		v, err := spec.Settings(all[i].Knobs)
		require.NoError(t, err)
		c := &truth.Case{Log: l, Policy: spec.Name, Knobs: v, Slowdown: func(a, b job.Index) float64 { return 1 }}
		require.Empty(t, c.Check(truth.Counts{}), spec.Name)
		readers = append(readers, c.NewAnswerChecker(seen))
	}
	for range questions {
		k, at := job.Index(r.IntN(len(jobs))), r.Int64N(last+10)
		if r.IntN(2) == 0 {
			at = jobs[k].Submit + r.Int64N(20)
		}
		head := read[protocol.Answers](t, p.ask("why", "why", protocol.Why{Job: int(k), At: at}))
		require.Len(t, head.Answers, len(all))
		for i := range head.Answers {
			a := &head.Answers[i]
			require.Empty(t, readers[i].Check(answerText(a, k, at)), "%s", all[i])
			require.Equal(t, textOf(a.Facts[0].Parts), strings.SplitN(a.State, ",", 2)[0])
			require.True(t, a.Procs == 0 || a.Start != nil && *a.Start <= at, "a future start has no size yet")
		}
	}
}

// answerText converts an answer of the worker to text.
func answerText(a *protocol.Answer, k job.Index, at job.Time) *truth.Answer {
	out := &truth.Answer{Job: k, At: at, Lines: linesOf(a.Lines), Holders: linesOf(a.Holders.Lines), Overtakers: linesOf(a.Overtakers.Lines),
		MoreHolders: a.Holders.More, MoreOvertakers: a.Overtakers.More, History: linesOf(a.History), Later: linesOf(a.Later)}
	for _, f := range a.Facts {
		out.Facts = append(out.Facts, truth.Line{Name: f.Name, Text: textOf(f.Parts)})
	}
	return out
}

func linesOf(lines []protocol.Line) (out []truth.Line) {
	for _, l := range lines {
		x := truth.Line{Text: textOf(l.Parts)}
		if l.At != nil {
			x.Name = strconv.FormatInt(*l.At, 10)
		}
		out = append(out, x)
	}
	return out
}

func textOf(parts []protocol.Part) (text string) {
	for _, p := range parts {
		text += p.Text
	}
	return text
}
