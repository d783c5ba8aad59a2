// Package judge tests what the contract in package policytest cannot test: that a policy schedules
// as its paper describes, and that the reasons it records are true. Each policy has a test in its
// own folder that calls Run.
package judge

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/truth"
	"backfill-lab/core/speed"
)

// WithOwnTests lists the policies whose second implementations and reason checks are in package
// policytest and its subpackages. Do not add a policy here. The tests of a new policy call Run from the
// folder of the policy.
var WithOwnTests = []string{"fcfs", "first-fit", "easy", "conservative", "pc", "dc", "fair-slack", "scojo-pect", "glomarc-ts", "moldable"}

// Policy holds the policy to test, a second implementation of it, and the rules for its reasons.
type Policy struct {
	Spec   *policy.Spec
	Knobs  map[string]string                   // fixed knobs; the other knobs are random
	Draw   func(*rapid.T) policytest.Workload  // nil: rigid jobs, often with a long queue
	Starts func(c *policytest.Case) []job.Time // a second, simple implementation: the start of each job
	Rules  truth.Rules
}

// Run tests the policy on random workloads:
//
//   - starts: every job starts at the time that Starts returns
//   - reasons: every recorded reason is one of Rules and is true, and every reason of Rules
//     occurs
//   - answers: every answer to "why is this job where it is?" is true
func Run(t *testing.T, p Policy) {
	require.NotNil(t, p.Starts, "a second implementation")
	require.NotEmpty(t, p.Rules.Reasons[log.Start], "the reasons for starts")
	t.Run("starts", p.testStarts)
	t.Run("reasons", p.testReasons)
	t.Run("answers", p.testAnswers)
}

// drawCase draws a workload, and values for the knobs that are not fixed.
func (p *Policy) drawCase(t *rapid.T) *policytest.Case {
	draw := p.Draw
	if draw == nil {
		draw = rapid.SampledFrom(RigidWorkloads).Draw(t, "draw")
	}
	w := draw(t)
	if p.Spec.HandlesOutages && rapid.Bool().Draw(t, "outages") {
		w.AddOutages(t)
	}
	return w.Case(t, p.Spec.Name, policytest.DrawKnobs(t, p.Spec, p.Knobs))
}

// RigidWorkloads holds the generators of workloads of rigid jobs.
var RigidWorkloads = []func(*rapid.T) policytest.Workload{policytest.DrawWorkload, policytest.DrawBlockedQueue}

// testStarts compares the start of each job with the start in the second implementation.
func (p *Policy) testStarts(t *testing.T) {
	soak.Check(t, 0.2, func(t *rapid.T) {
		c := p.drawCase(t)
		var got []job.Time
		for _, o := range c.Run(t).Outcomes() {
			got = append(got, o.Start)
		}
		require.Equal(t, p.Starts(c), got, "%s", c)
	})
}

// testReasons checks the recorded reasons of random runs.
func (p *Policy) testReasons(t *testing.T) {
	CheckReasons(t, func(run int) (*policytest.Case, *truth.Case) {
		c := rapid.Custom(p.drawCase).Example(run)
		tc := p.truthCase(t, c)
		require.Empty(t, tc.Unchecked(), "each reason in the rules needs a check")
		return c, tc
	})
}

// CheckReasons checks the recorded reasons of random runs until each reason that the policy may
// give has been checked often enough. It calls drawRun to draw each run by its number. CheckReasons
// fails if a reason was checked too rarely, or if a run has an error. It returns how often each
// possible reason was checked.
func CheckReasons(t *testing.T, drawRun func(run int) (*policytest.Case, *truth.Case)) truth.Counts {
	counts, possible, required, runs := truth.Counts{}, map[log.Code]bool{}, RequiredChecks(t), 0
	for ; runs < 3000*required && (runs < 20 || fewestChecks(counts, possible) < required); runs++ {
		c, tc := drawRun(runs)
		for _, code := range tc.AllReasons() {
			possible[code] = true
		}
		if untrue := tc.Check(counts); len(untrue) > 0 {
			t.Fatalf("%s\n%s\n%s", c, strings.Join(untrue, "\n"), Excerpt(policytest.FormatLog(tc.Log)))
		}
	}
	for code := range possible {
		counts[code] += 0
	}
	for code, n := range counts {
		if n < required {
			t.Errorf("%s: checked %d times in %d runs, expected at least %d", log.Codes[code].Name, n, runs, required)
		}
	}
	return counts
}

// fewestChecks returns the number of checks of the reason that was checked least often. It
// considers only possible reasons.
func fewestChecks(counts truth.Counts, possible map[log.Code]bool) int {
	least := 1 << 30
	for code := range possible {
		if code != log.NoReason {
			least = min(least, counts[code])
		}
	}
	return least
}

// testAnswers checks the answers about random jobs and times.
func (p *Policy) testAnswers(t *testing.T) {
	const perRun = 40
	seen := map[string]int{}
	for run := range max(20, soak.CaseCount(t)/100/perRun) {
		c := rapid.Custom(p.drawCase).Example(2000 + run)
		tc := p.truthCase(t, c)
		require.Empty(t, tc.Check(truth.Counts{}), "%s", c)
		for _, untrue := range UntrueAnswers(tc, rand.New(rand.NewPCG(1, uint64(run))), perRun, seen) {
			t.Fatalf("%s\n%s\n%s", c, untrue, Excerpt(policytest.FormatLog(tc.Log)))
		}
	}
}

// truthCase runs a case and returns it with the rules of the policy.
func (p *Policy) truthCase(t *testing.T, c *policytest.Case) *truth.Case {
	tc := TruthCase(t, c)
	tc.Rules = &p.Rules
	return tc
}

// TruthCase runs a case and returns it in the form that package truth checks.
func TruthCase(t policytest.TB, c *policytest.Case) *truth.Case {
	v, err := c.Spec.Settings(c.Knobs)
	require.NoError(t, err)
	brief := c.Engine(t)
	brief.Log().Level = log.Decisions
	out := &truth.Case{Log: c.Run(t), Brief: policytest.RunToEnd(t, brief), Policy: c.Spec.Name, Knobs: v}
	if s, ok := c.Speed.(speed.Contention); ok {
		out.Slowdown = s.Cos
	}
	return out
}

// RequiredChecks returns how many records with each reason a test must check: 5 by default (1 in
// WebAssembly), and 1,000 if BACKFILL_SOAK is 100,000.
func RequiredChecks(t *testing.T) int {
	if n := soak.CaseCount(t); n >= 100_000 {
		return n / 100
	}
	return soak.CaseCount(t) / 1000
}

// Excerpt returns the first 4000 bytes of a text.
func Excerpt(text string) string { return text[:min(len(text), 4000)] }

// UntrueAnswers asks n random questions about a run in which Case.Check found no error. It returns
// a description of each untrue answer. Every third answer is made from the brief log of the run. It
// counts in the map seen how often each sentence pattern occurred.
func UntrueAnswers(tc *truth.Case, r *rand.Rand, n int, seen map[string]int) (texts []string) {
	full, brief, checker := explain.NewIndex(tc.Log), explain.NewIndex(tc.Brief), tc.NewAnswerChecker(seen)
	for i, q := range Questions(tc, r, n) {
		index := full
		if i%3 == 0 {
			index = brief
		}
		a := index.Why(q.Job, q.At, explain.Options{MaxItems: []int{0, 0, 1, 3}[r.IntN(4)]})
		parsed := truth.ParseAnswer(a.Text(), q.Job, q.At)
		parsed.Brief = index == brief
		if untrue := checker.Check(parsed); len(untrue) > 0 {
			texts = append(texts, strings.Join(untrue, "\n")+"\n"+a.Text())
		}
	}
	return texts
}

// Question asks why a job is in its state at a given time.
type Question struct {
	Job job.Index
	At  job.Time
}

// Questions draws n questions about a run and sorts them by time. Some ask about the time of an event.
// Others ask about a time near an event, between two events, before a submission or after the end.
func Questions(tc *truth.Case, r *rand.Rand, n int) (out []Question) {
	last := tc.Log.Record(tc.Log.Len() - 1).At
	for range n {
		q := Question{Job: job.Index(r.IntN(len(tc.Log.Jobs)))}
		switch event := tc.Log.Record(r.IntN(tc.Log.Len())).At; r.IntN(6) {
		case 0, 1:
			q.At = event
		case 2:
			q.At = max(0, event+r.Int64N(5)-2)
		case 3:
			q.At = r.Int64N(last + 10)
		case 4: // usually while the job waits
			q.At = tc.Log.Jobs[q.Job].Submit + r.Int64N(1+max(0, event-tc.Log.Jobs[q.Job].Submit))
		case 5:
			q.At = max(0, tc.Log.Jobs[q.Job].Submit+r.Int64N(3)-1)
		}
		out = append(out, q)
	}
	slices.SortStableFunc(out, func(a, b Question) int { return int(a.At - b.At) })
	return out
}
