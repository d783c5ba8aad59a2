package firstfit_test

import (
	"testing"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/firstfit"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/policytest/textbook"
	"backfill-lab/core/policy/policytest/truth"
)

// TestSoakJudge compares first fit with a second implementation and checks the reasons that first fit
// records. Copy this test for a new policy (see CONTRIBUTING.md). Package truth already has a check for
// the reason FirstFit; the entry in Checks replaces it.
func TestSoakJudge(t *testing.T) {
	judge.Run(t, judge.Policy{
		Spec: &firstfit.Spec,
		Starts: func(c *policytest.Case) []job.Time {
			return textbook.FirstFit(&c.Machine, c.Jobs, policy.Order(c.Knobs["order"])).Starts
		},
		Rules: truth.Rules{
			Reasons: map[log.Kind][]log.Code{log.Start: {log.Head, log.FirstFit}},
			Checks:  map[log.Code]func(*truth.Facts){log.FirstFit: checkFirstFit},
		},
	})
}

// checkFirstFit checks that the started job is not the head of the queue, but the first job that can
// start. It also checks that the reason gives the number of free processors, as its field X.
func checkFirstFit(f *truth.Facts) {
	r, plan := f.Record(), f.Plan()
	f.ExpectEqual("free processors", r.X, f.Free())
	f.Expect(f.Queue()[0] != r.Job, "another job is first in the queue")
	for _, k := range f.Queue() {
		if k == r.Job {
			break
		}
		f.Expect(!plan.Fits(k, f.Now()), "job %s is earlier in the queue and cannot start", f.Log().Jobs[k].ID)
	}
	f.Expect(plan.Fits(r.Job, f.Now()), "the job can start")
}
