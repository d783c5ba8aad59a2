// Package workload implements the Workload panel. Its operations cut, scale, filter and anonymise all jobs at
// once, or set which jobs the metrics count. The panel also generates jobs from a model, selects what is read
// from accounting records, and shows statistics of the jobs.
package workload

import (
	"backfill-lab/core/anonymise"
	"backfill-lab/ui/session"
)

// Workload is the state of the workload panel.
type Workload struct {
	*session.Session

	work   operationForms
	limits recordLimits // wall time limits that the user typed
	stats  jobStats
	gen    generatorForm

	compareWalls func(factor, overrun string) // see New
}

// New returns the workload panel of a session. The function compareWalls compares the schedules before
// and after wall times are scaled. Its arguments are the texts of the fields.
func New(s *session.Session, compareWalls func(factor, overrun string)) *Workload {
	return &Workload{Session: s, gen: generatorForm{seed: "1"}, compareWalls: compareWalls}
}

// Refresh recomputes, in the background, what the panel shows: statistics of the jobs, the effect
// of the open operation, and a preview of generated jobs.
func (c *Workload) Refresh() {
	c.survey()
	c.updateForecast()
	c.preview()
}

// Forget drops the text that the user typed in the forms of operations and of accounting records.
func (c *Panel) Forget() { c.Workload.work.typed, c.Workload.limits = nil, recordLimits{} }

type (
	// Panel is the component of the Workload panel.
	Panel struct{ Workload *Workload }
	// Generator is the component with the form of a workload model.
	Generator struct{ Workload *Workload }
	// Records is the component that selects what is read from accounting records.
	Records struct{ Workload *Workload }
	// AskMachine is the component that asks which machine ran the jobs of accounting records.
	AskMachine struct{ Workload *Workload }
	// Anonymise is the component that replaces names by numbers.
	Anonymise struct{ Workload *Workload }
)

// anonymisedNote says, after the scenario was anonymised, what is free of old names, and that Undo can restore them.
const anonymisedNote = " Links and files made from now on contain no old names. Undo can restore the names until you close or reload the page."

var namesKept = session.Unchanged{Cancelled: "Cancelled. The names are unchanged.", Edited: "The scenario changed during the operation, so the names were left unchanged."}

// Anonymise replaces the names in the scenario by numbers, and removes its title and text, as a single undo step.
// It works in the background, so that the page stays responsive. If the scenario has errors, it shows a notice
// instead.
func (c *Workload) Anonymise() {
	if c.Plan == nil {
		c.Notice = c.FirstFixNotice("anonymise the scenario") + " Invalid cells may contain names."
		return
	}
	d := *c.Doc()
	var names *anonymise.Names
	c.InBackground("Anonymise", d.Rows.Len(), namesKept, func(pause func(done int) error) (err error) {
		d, names, err = d.Anonymised(pause)
		return err
	}, func(err error) {
		if err != nil {
			c.Notice = err.Error()
			return
		}
		c.Interrupt()
		c.Replace(d)
		c.Events.Anonymised()
		c.Notice = names.Summary() + anonymisedNote
	})
}
