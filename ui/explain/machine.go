package explain

import (
	"encoding/json"
	"fmt"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// question identifies one of the what-if questions about the machine or about the estimates of all jobs.
type question uint8

const (
	aboutNodes question = iota // a larger or smaller machine
	aboutDrain                 // nodes that are unavailable for a while
	aboutExact                 // exact estimates
	aboutWalls                 // estimates multiplied by a factor
	questions
)

// questionButtons holds the id of the button of each question.
var questionButtons = [questions]string{"machine-if-open", "drain-if-open", "exact-if-open", "walls-if-open"}

// IDs of the form's fields.
const (
	nodesField   = "machine-if-nodes"
	drainField   = "machine-if-drain"
	fromField    = "machine-if-from"
	toField      = "machine-if-to"
	factorField  = "machine-if-factor"
	overrunField = "machine-if-overrun"
)

// machineTrial holds the form for a what-if change of the machine or of the estimates of all jobs,
// and the worker's answers.
type machineTrial struct {
	open  bool              // the form is shown
	about question          // question that the form asks
	typed map[string]string // texts by field id
	err   string            // an error, or a message that the request was cancelled; "" if neither

	requestID int                               // id of the open request, 0 if none
	progress  protocol.Progress                 // progress of the open request
	outcomes  [questions]*protocol.WhatIfAnswer // by question
}

// MachineIf is the component that shows how a change of the machine, or of all estimates, would change
// the metrics.
type MachineIf struct{ Explainer *Explainer }

// answer handles the worker's answer to the open request.
func (s *machineTrial) answer(c *Explainer, m browser.Message) error {
	if m.Kind == "progress" {
		return json.Unmarshal(m.Head, &s.progress)
	}
	s.requestID = 0
	switch m.Kind {
	case "supposed":
		outcome := &protocol.WhatIfAnswer{}
		s.outcomes[s.about], c.ScrollTo, c.Focus = outcome, "machine-if-said", "machine-if-title"
		return json.Unmarshal(m.Head, outcome)
	case "error":
		var f protocol.Fault
		err := json.Unmarshal(m.Head, &f)
		s.err = fmt.Sprintf("This change is not possible: %s.", f.Text)
		return err
	}
	return nil
}

// MachineIfOpen reports whether the form is open. Without results, it is always closed.
func (c *Explainer) MachineIfOpen() bool { return c.machine.open && c.Ran != nil }

// MachineQuestion is a button that opens the form for a question, as rendered.
type MachineQuestion struct {
	about    question
	ID, Text string
	Open     bool // whether the form is open with this question
}

// Expanded returns the aria-expanded value of the button.
func (q MachineQuestion) Expanded() string { return strconv.FormatBool(q.Open) }

// MachineQuestions returns the buttons of the questions.
func (c *Explainer) MachineQuestions() (out []MachineQuestion) {
	for q, text := range [questions]string{"What if the machine had more nodes?", "What if nodes were drained for a while?", "What if all wall times were exact?", "What if all wall times were longer or shorter?"} {
		about := question(q)
		out = append(out, MachineQuestion{about, questionButtons[q], text, c.MachineIfOpen() && c.machine.about == about})
	}
	return out
}

// ToggleMachineIf opens the form for question q and moves the keyboard focus to its first field. If the form is
// already open for q, ToggleMachineIf closes it instead. The question about exact estimates has no fields, so
// ToggleMachineIf tries this change at once, unless the answer is already known.
func (c *Explainer) ToggleMachineIf(q MachineQuestion) {
	if s := &c.machine; s.open && s.about == q.about {
		s.open = false
		return
	}
	c.openWhatIfForm(q.about)
	switch fields := c.MachineIfFields(); {
	case !c.MachineIfOpen():
	case len(fields) > 0:
		c.Focus = fields[0].ID
	case c.MachineOutcome() == nil:
		c.TryMachineChange()
	}
}

// openWhatIfForm opens the form for a question. If the form was about another question before, openWhatIfForm cancels
// the open request.
func (c *Explainer) openWhatIfForm(about question) {
	s := &c.machine
	if s.open = true; s.about != about {
		c.CancelRequest(s.requestID)
		s.about, s.requestID, s.err = about, 0, ""
	}
}

// MachineIfHelp says what the form does.
func (c *Explainer) MachineIfHelp() string {
	change := [questions]string{"on the changed machine", "with some nodes unavailable during an outage that the policies know about in advance,", "with exact estimates (the wall time limit of each job equals its runtime),", "with the estimates (wall time limits) of all jobs multiplied by a factor,"}[c.machine.about]
	return "Runs every policy " + change + " and compares the metrics with the present ones. The scenario does not change until you select “Make this change”."
}

// OpenNodesQuestion opens the form for the question about more nodes, and moves the keyboard focus to it. On a narrow
// screen, it closes the drawer that would hide the form.
func (c *Explainer) OpenNodesQuestion() { c.openQuestion(aboutNodes) }

// FocusMachineIf moves the keyboard focus to the first question, without opening the form. On a narrow screen, it
// closes the drawer that would hide the questions.
func (c *Explainer) FocusMachineIf() {
	c.Drawer, c.ScrollTo, c.Focus = "", "machine-if", questionButtons[aboutNodes]
}

// OpenDrainQuestion opens the form in the same way as OpenNodesQuestion, but for the question about drained nodes.
func (c *Explainer) OpenDrainQuestion() { c.openQuestion(aboutDrain) }

// OpenWallTimesQuestion opens the form for the question about wall times. It fills in the factor, and what happens to
// jobs that run longer than their new estimates. If the factor is not empty, it also tries the change.
func (c *Explainer) OpenWallTimesQuestion(factor, overrun string) {
	c.machine.typed = map[string]string{factorField: factor, overrunField: overrun}
	if c.openQuestion(aboutWalls) && factor != "" {
		c.TryMachineChange()
	}
}

// openQuestion opens the form for a question and moves the keyboard focus to its first field. It returns false if
// there are no results to compare.
func (c *Explainer) openQuestion(about question) bool {
	if c.openWhatIfForm(about); c.Ran == nil {
		c.Notice = "There are no schedules to compare yet. If a run is in progress, wait until it ends. If the page proposes a machine, accept it. If the scenario has errors, fix them."
		return false
	}
	c.Drawer, c.ScrollTo, c.Focus = "", "machine-if", questionButtons[about]
	if fields := c.MachineIfFields(); len(fields) > 0 {
		c.Focus = fields[0].ID
	}
	return true
}

// TryMachineChange asks the worker for the metrics after the change that the form describes. If the change is invalid
// or the results are outdated, it shows an error instead.
func (c *Explainer) TryMachineChange() {
	s := &c.machine
	change, err := c.machineChange()
	s.err = ""
	if err != nil {
		s.err = err.Error()
		c.Focus = c.MachineIfFields()[max(0, c.wrongField())].ID
		return
	}
	if !c.IsCurrent() || c.Task != 0 {
		s.err = "Wait until the schedules are up to date."
		return
	}
	s.outcomes[s.about], s.progress = nil, protocol.Progress{}
	s.requestID = c.Post("whatif", protocol.WhatIf{Job: -1, Changes: []string{change}, Generation: c.Ran.Generation}, browser.Message{})
}

// MachineIfStatus returns the text of the status line: the progress, an error that belongs to no field, or a
// message that the request was cancelled.
func (c *Explainer) MachineIfStatus() string {
	s := &c.machine
	switch {
	case s.requestID != 0:
		return widgets.ProgressText(&s.progress)
	case c.wrongField() >= 0:
		return ""
	}
	return s.err
}

// MachineIfBusy reports whether a request is open.
func (c *Explainer) MachineIfBusy() bool { return c.machine.requestID != 0 }

// CancelMachineIf cancels the open request.
func (c *Explainer) CancelMachineIf() {
	c.CancelRequest(c.machine.requestID)
	c.machine.requestID, c.machine.err, c.Focus = 0, "Cancelled.", "machine-if-try"
}

// ApplyMachineChange applies the change to the scenario, as a single undo step.
func (c *Explainer) ApplyMachineChange() {
	x := c.MachineOutcome()
	if x == nil {
		return
	}
	change, err := whatif.Parse(x.Changes[0])
	if err != nil {
		c.machine.err = err.Error()
		return
	}
	d := *c.Doc()
	c.InSteps("Make this change", d.Rows.Len(), func(pause func(int) error) (document.Doc, error) {
		return d.ApplyWhatIf(&change, 0, &job.Job{}, pause)
	}, func(d document.Doc, err error) {
		if err != nil {
			c.machine.err = err.Error()
			return
		}
		c.Do("", d)
		c.machine.typed = nil // with the old texts in the form, the user could apply the change twice
		c.Notice, c.Focus = appliedNotice, questionButtons[c.machine.about]
	})
}

// ExportMachineChange opens the dialog that exports tables, with a table of the metrics before and after the change.
func (c *Explainer) ExportMachineChange() { c.exportChange(c.MachineOutcome()) }

// MachineOutcome returns the answer to the selected question about the current results. It returns nil if there is no
// such answer.
func (c *Explainer) MachineOutcome() *protocol.WhatIfAnswer {
	if x := c.machine.outcomes[c.machine.about]; x != nil && c.IsCurrent() && x.Generation == c.Ran.Generation {
		return x
	}
	return nil
}

// MachineChange holds the metrics of a policy before and after the change, as rendered.
type MachineChange struct {
	Title string         // title of the policy
	Cells []MetricChange // one for each of session.Headlines
}

// MetricChange is a metric before and after the change.
type MetricChange struct {
	Before string
	After  widgets.Fact // value after the change, with its difference from Before
}

// MachineHeads returns the headings of the metrics.
func (c *Explainer) MachineHeads() (out []string) {
	for _, h := range session.Headlines {
		text := h.Title
		if unit := session.Metric(h.Name).ShownUnit(c.Clock()); unit != "" {
			text += ", " + unit
		}
		out = append(out, text)
	}
	return out
}

// MachineChanges returns one row for each policy, with the metrics before and after the change. If the jobs do less
// work after the change, no difference counts as better or worse.
func (c *Explainer) MachineChanges() (out []MachineChange) {
	x := c.MachineOutcome()
	if x == nil {
		return nil
	}
	for i := range x.Effects {
		row := MachineChange{Title: x.Effects[i].Title}
		for _, h := range session.Headlines {
			before, after := c.Change(i, h.Name, x.Effects[i].Metrics)
			if x.LessWork {
				after.DeltaClass = session.NeutralClass
			}
			row.Cells = append(row.Cells, MetricChange{before, after})
		}
		out = append(out, row)
	}
	return out
}
