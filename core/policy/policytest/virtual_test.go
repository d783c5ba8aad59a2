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

// witness is conservative, noting what it plans on the clock of its virtual
// machine.
type witness struct {
	*conservative.Conservative
	planned map[job.Index]job.Time // of those that wait
	notes   *[]string              // what was not as planned
}

func (w *witness) Schedule(p *sim.Pass) {
	w.Conservative.Schedule(p)
	waits := map[job.Index]bool{}
	for j := range p.Waiting() {
		waits[j] = true
		w.note(j, w.PlannedStart(j))
	}
	for j := range job.Index(p.Jobs()) {
		if _, ok := w.planned[j]; ok && !waits[j] {
			w.note(j, p.Now())
			delete(w.planned, j)
		}
	}
}

// note takes a plan, or a start, that must not be later than the one before it.
func (w *witness) note(j job.Index, at job.Time) {
	if before, ok := w.planned[j]; ok && at > before {
		*w.notes = append(*w.notes, fmt.Sprintf("job %d, planned for %d, goes to %d", j, before, at))
	}
	w.planned[j] = at
}

// Conservative inside of time slices keeps its promises in virtual time: no
// planned start goes later, and each job starts as planned, on a clock that runs
// in the slices of its type only. This is so as long as no guest of another type
// sits on the nodes of a job that is due: always without non-type filling.
func TestSoakVirtualPromises(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		var notes []string
		spec := conservative.Spec
		spec.New = func(v policy.Values) sim.Policy {
			return &witness{conservative.Spec.New(v).(*conservative.Conservative), map[job.Index]job.Time{}, &notes}
		}
		compress := rapid.SampledFrom([]string{"start", "submit", "none"}).Draw(t, "compress")
		c := drawn(t, "scojo-pect", map[string]string{"inner": "conservative", "inner.compress": compress})
		plain := c.Run(t)
		c.Spec = scojo.Spec(policy.Inner{&spec})
		for name := range c.Knobs {
			if !has(c.Spec, name) {
				delete(c.Knobs, name)
			}
		}
		l := c.Run(t)
		policytest.Same(t, plain, l, "with a witness")
		if !sat(l) {
			require.Empty(t, notes)
		}
	})
}

func has(s *policy.Spec, knob string) bool {
	for _, k := range s.Knobs {
		if k.Name == knob {
			return true
		}
	}
	return false
}

// sat reports whether a guest ever sat on the nodes of a job that was due.
func sat(l *log.Log) bool {
	for r := range l.All() {
		if r.Kind == log.Hold && r.Code == log.HeldByOther {
			return true
		}
	}
	return false
}
