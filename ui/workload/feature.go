// Package workload is what is done to all jobs at once: generating them from a model,
// cutting, scaling, filtering and trimming, anonymising, choosing what is read of
// accounting records, and a survey of what the jobs are.
package workload

import "backfill-lab/ui/session"

// Workload is the state of the workload panel.
type Workload struct {
	*session.Session

	work     shaping
	jobsSeen surveyed
	gen      generating
}

// New returns the workload panel of a session.
func New(s *session.Session) *Workload { return &Workload{Session: s, gen: generating{seed: "1"}} }

// Refresh works out anew, aside, what the panel shows of jobs and forms.
func (c *Workload) Refresh() {
	c.survey()
	c.foresee()
	c.preview()
}

// Forget drops what was typed in the forms of operations.
func (c *Panel) Forget() { c.Workload.work.typed = nil }

type (
	// Panel is where the jobs come from and what can be done to all of them.
	Panel struct{ Workload *Workload }
	// Generator is the form of a workload model.
	Generator struct{ Workload *Workload }
	// Records is the form of what is read of accounting records.
	Records struct{ Workload *Workload }
	// Anonymise is the form that replaces names by numbers.
	Anonymise struct{ Workload *Workload }
)
