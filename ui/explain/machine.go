package explain

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// machineTrial holds the form for a what-if change of the machine or of the estimates of all jobs,
// and the worker's answer.
type machineTrial struct {
	open  bool
	exact bool   // the form is about exact estimates, not about the machine
	text  string // number of nodes to add, as typed
	err   string

	asking   int // id of the open request, 0 if none
	progress protocol.Progress
	outcome  *protocol.WhatIfAnswer
}

// MachineIf is the component that shows how a change of the machine, or exact estimates, would change
// the metrics.
type MachineIf struct{ Explainer *Explainer }

// answer handles the worker's answer to the open request.
func (s *machineTrial) answer(c *Explainer, m browser.Message) error {
	if m.Kind == "progress" {
		return json.Unmarshal(m.Head, &s.progress)
	}
	s.asking = 0
	switch m.Kind {
	case "supposed":
		s.outcome, c.ScrollTo, c.Focus = &protocol.WhatIfAnswer{}, "machine-if-said", "machine-if-title"
		return json.Unmarshal(m.Head, s.outcome)
	case "error":
		var f protocol.Fault
		err := json.Unmarshal(m.Head, &f)
		s.err = fmt.Sprintf("With this change: %s.", f.Text)
		return err
	}
	return nil
}

// MachineIfOpen reports whether the form is open. Without results, it is always closed.
func (c *Explainer) MachineIfOpen() bool { return c.machine.open && c.Ran != nil }

// MachineIfExpanded returns the aria-expanded value of the button about the machine.
func (c *Explainer) MachineIfExpanded() string {
	return strconv.FormatBool(c.MachineIfOpen() && !c.machine.exact)
}

// ExactIfExpanded returns the aria-expanded value of the button about exact estimates.
func (c *Explainer) ExactIfExpanded() string {
	return strconv.FormatBool(c.MachineIfOpen() && c.machine.exact)
}

// ToggleMachineIf opens the form about the machine, or closes it.
func (c *Explainer) ToggleMachineIf() { c.toggleMachineIf(false) }

// ToggleExactIf tries exact estimates and opens the form with the answer, or closes it.
func (c *Explainer) ToggleExactIf() {
	if c.toggleMachineIf(true); c.MachineIfOpen() {
		c.TryMachine()
	}
}

// toggleMachineIf opens the form about exact estimates or about the machine, or closes it if it is
// open.
func (c *Explainer) toggleMachineIf(exact bool) {
	if s := &c.machine; s.open && s.exact == exact {
		s.open = false
	} else {
		c.openMachineIf(exact)
	}
}

// openMachineIf opens the form about exact estimates or about the machine. It drops the answer to
// the other question.
func (c *Explainer) openMachineIf(exact bool) {
	s := &c.machine
	if s.open = true; s.exact != exact {
		c.CancelRequest(s.asking)
		s.exact, s.asking, s.outcome, s.err = exact, 0, nil, ""
	}
}

// MachineIfHelp says what the form does.
func (c *Explainer) MachineIfHelp() string {
	change := "on the changed machine"
	if c.machine.exact {
		change = "as if the estimate (wall time limit) of every job were its runtime,"
	}
	return "Runs every policy " + change + " and compares the metrics. The scenario does not change until you select “Make this change”."
}

// ShowMachineIf opens the form and moves the keyboard focus to it. On a narrow screen, it closes
// the drawer that would hide the form.
func (c *Explainer) ShowMachineIf() {
	if c.openMachineIf(false); c.Ran == nil {
		c.Notice = "There are no schedules to compare yet. Wait until the run ends, or accept the proposed machine."
		return
	}
	c.Drawer, c.Focus = "", "machine-if-nodes"
}

// MachineIfFields returns the field of the form about the machine.
func (c *Explainer) MachineIfFields() []widgets.Field {
	if c.machine.exact {
		return nil
	}
	f := widgets.Field{ID: "machine-if-nodes", Label: "More nodes", Text: c.machine.text, Kind: policy.Integer,
		Options: []string{}, Help: "number of nodes to add; a negative number removes nodes"}
	problem, _ := strings.CutPrefix(c.machine.err, "nodes: ")
	if problem == c.machine.err {
		problem = ""
	}
	f.SetProblem(problem)
	return []widgets.Field{f}
}

// SetMachineIf stores what the user typed.
func (c *Explainer) SetMachineIf(e vugu.DOMEvent, _ widgets.Field) {
	c.machine.text, c.machine.err = e.PropString("target", "value"), ""
}

// TryMachine asks what would happen with the changed machine, or with exact estimates.
func (c *Explainer) TryMachine() {
	s := &c.machine
	change := "nodes=" + strings.TrimSpace(s.text)
	if s.exact {
		change = "exact-all"
	}
	s.err = ""
	if _, err := whatif.Parse(change); err != nil {
		s.err, c.Focus = err.Error(), "machine-if-nodes"
		return
	}
	if !c.IsCurrent() || c.Task != 0 {
		s.err = "Wait until the schedules are up to date."
		return
	}
	s.outcome, s.progress = nil, protocol.Progress{}
	s.asking = c.Post("whatif", protocol.WhatIf{Job: -1, Changes: []string{change}, Generation: c.Ran.Generation}, browser.Message{})
}

// MachineIfSays returns the text of the status line: the progress, or an error that belongs to no
// field.
func (c *Explainer) MachineIfSays() string {
	s := &c.machine
	switch {
	case s.asking != 0:
		return widgets.ProgressText(&s.progress)
	case strings.HasPrefix(s.err, "nodes: "):
		return ""
	}
	return s.err
}

// MachineIfBusy reports whether a request is open.
func (c *Explainer) MachineIfBusy() bool { return c.machine.asking != 0 }

// CancelMachineIf cancels the open request.
func (c *Explainer) CancelMachineIf() {
	c.CancelRequest(c.machine.asking)
	c.machine.asking, c.machine.err, c.Focus = 0, "Cancelled.", "machine-if-try"
}

// MachineOutcome returns the answer, nil if there is none about the current results.
func (c *Explainer) MachineOutcome() *protocol.WhatIfAnswer {
	if x := c.machine.outcome; x != nil && c.IsCurrent() && x.Generation == c.Ran.Generation {
		return x
	}
	return nil
}

// MachineChange holds the metrics of a policy before and after the change, as rendered.
type MachineChange struct {
	Title string
	Cells []MetricChange
}

// MetricChange is a metric before and after the change.
type MetricChange struct {
	Before string
	After  widgets.Fact
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

// MachineChanges returns the metrics before and after the change, a row for each policy.
func (c *Explainer) MachineChanges() (out []MachineChange) {
	x := c.MachineOutcome()
	if x == nil {
		return nil
	}
	for i := range x.Effects {
		row := MachineChange{Title: x.Effects[i].Title}
		for k := range session.Headlines {
			before, after := c.Change(i, k, x.Effects[i].Metrics)
			row.Cells = append(row.Cells, MetricChange{before, after})
		}
		out = append(out, row)
	}
	return out
}

// MakeMachine applies the change to the scenario, as a single undo step.
func (c *Explainer) MakeMachine() {
	x := c.MachineOutcome()
	if x == nil {
		return
	}
	change, err := whatif.Parse(x.Changes[0])
	d := *c.Doc()
	if err == nil {
		d, err = d.ApplyWhatIf(&change, 0, &job.Job{})
	}
	if err != nil {
		c.machine.err = err.Error()
		return
	}
	c.Do("", d)
	c.Notice, c.Focus = applied, "machine-if-open"
	if c.machine.exact {
		c.Focus = "exact-if-open"
	}
}
