package policytest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/conservative"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/scojo"
	"backfill-lab/core/sim"
)

// planRecorder wraps conservative backfilling and records its planned starts, in virtual time. It
// collects violations: planned or actual starts that are later than the previous planned start.
type planRecorder struct {
	*conservative.Conservative
	planned    map[job.Index]job.Time // planned start of each waiting job
	violations *[]string              // descriptions of planned starts that moved later
}

func (w *planRecorder) Schedule(p *sim.Pass) {
	w.Conservative.Schedule(p)
	waits := map[job.Index]bool{}
	for j := range p.Waiting() {
		waits[j] = true
		w.recordStart(j, w.PlannedStart(j))
	}
	for j := range job.Index(p.JobCount()) {
		if _, ok := w.planned[j]; ok && !waits[j] {
			w.recordStart(j, p.Now())
			delete(w.planned, j)
		}
	}
}

// recordStart records a planned or actual start of job j. If the start is later than the previous
// planned start, recordStart adds a violation.
func (w *planRecorder) recordStart(j job.Index, at job.Time) {
	if before, ok := w.planned[j]; ok && at > before {
		*w.violations = append(*w.violations, fmt.Sprintf("job %d, planned for %d, moves to %d", j, before, at))
	}
	w.planned[j] = at
}

// TestSoakVirtualPromises checks that conservative backfilling keeps its promises in time slices.
// Planned starts never move later in virtual time, which runs only in the slices of the job's type.
// The test ignores runs in which a guest (a job of another type) still held the nodes of a job at
// its planned start.
func TestSoakVirtualPromises(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		var violations []string
		spec := conservative.Spec
		spec.New = func(v policy.Values) sim.Policy {
			return &planRecorder{conservative.Spec.New(v).(*conservative.Conservative), map[job.Index]job.Time{}, &violations}
		}
		compress := rapid.SampledFrom([]string{"start", "submit", "none"}).Draw(t, "compress")
		c := drawCase(t, "scojo-pect", map[string]string{"inner": "conservative", "inner.compress": compress})
		plain := c.Run(t)
		c.Spec = scojo.Spec(policy.Inner{&spec})
		for name := range c.Knobs {
			if c.Spec.Knob(name) == nil {
				delete(c.Knobs, name)
			}
		}
		l := c.Run(t)
		policytest.RequireSameLog(t, plain, l, "with the plan recorder")
		if !guestsBlockedPlannedStart(l) {
			require.Empty(t, violations)
		}
	})
}

// guestsBlockedPlannedStart reports whether some job could not start at its planned time because a
// guest, a job of another type, still held its nodes.
func guestsBlockedPlannedStart(l *log.Log) bool {
	for r := range l.All() {
		if r.Kind == log.Hold && r.Code == log.HeldByOther {
			return true
		}
	}
	return false
}
