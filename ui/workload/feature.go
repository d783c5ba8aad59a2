// Package workload implements the Workload panel, whose operations apply to all jobs at
// once. It generates jobs from a model, cuts, scales, filters and trims the workload,
// and anonymises it. It also selects what is read from accounting records, and shows
// statistics of the jobs.
package workload

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

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

// namesRemain tells the person where the old names are still found.
const namesRemain = " Links and files made from now on contain no old name. Undo restores the names until the page is closed or reloaded."

// Anonymise replaces the names in the scenario by numbers, as a single undo step. It
// works in the background so that the page stays responsive.
func (c *Workload) Anonymise() {
	if c.Plan == nil {
		c.Notice = "The scenario has errors, which are marked and may contain names. Fix them, then anonymise it."
		return
	}
	if c.Editing.Phase == "" {
		c.Editing = protocol.Progress{Phase: "Anonymise", Total: int64(c.Doc().Rows.Len()), Unit: "jobs"}
		c.EditCancelled = false
		go c.anonymise(*c.Doc(), c.Edits)
	}
}

// anonymise does the work of Anonymise in a goroutine. It changes nothing if the person
// cancels, or edits the document meanwhile, so that its edit number is no longer edits.
func (c *Workload) anonymise(d document.Doc, edits int) {
	defer browser.Recover("anonymise")
	out, names, err := d.Anonymised(c.Pacing(func() bool { return c.Edits == edits && !c.EditCancelled }))
	c.Env.Lock()
	defer c.Env.UnlockRender()
	c.Editing = protocol.Progress{}
	switch {
	case c.EditCancelled:
		c.Notice = "Cancelled. The names are as they were."
	case err != nil:
		c.Notice = "The scenario was changed meanwhile: the names are as they were."
	default:
		c.Interrupt()
		c.Replace(out)
		c.Events.Anonymised()
		c.Notice = names.Summary() + namesRemain
	}
}
