// Package workload implements the Workload panel, whose operations apply to all jobs at
// once. It generates jobs from a model, cuts, scales, filters and trims the workload,
// and anonymises it. It also selects what is read from accounting records, and shows
// statistics of the jobs.
package workload

import "backfill-lab/ui/session"

// Workload is the state of the workload panel.
type Workload struct {
	*session.Session

	work  operationForms
	stats jobStats
	gen   generatorForm
}

// New returns the workload panel of a session.
func New(s *session.Session) *Workload { return &Workload{Session: s, gen: generatorForm{seed: "1"}} }

// Refresh recomputes in the background what the panel shows: statistics of the jobs,
// the effect of the open operation, and a preview of generated jobs.
func (c *Workload) Refresh() {
	c.survey()
	c.updateForecast()
	c.preview()
}

// Forget drops the text typed in the forms of operations.
func (c *Panel) Forget() { c.Workload.work.typed = nil }

type (
	// Panel is the component of the Workload panel.
	Panel struct{ Workload *Workload }
	// Generator is the component with the form of a workload model.
	Generator struct{ Workload *Workload }
	// Records is the component that selects what is read from accounting records.
	Records struct{ Workload *Workload }
	// Anonymise is the component that replaces names by numbers.
	Anonymise struct{ Workload *Workload }
)
