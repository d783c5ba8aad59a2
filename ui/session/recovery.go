package session

import (
	"encoding/json"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// failed says what went wrong with a request, or that the worker is gone.
func (c *Session) failed(m browser.Message) error {
	var f protocol.Fault
	if _, checking := c.checks[m.ID]; checking && m.Kind == "error" {
		return nil // of results that are gone
	}
	if m.Kind == "error" {
		if err := json.Unmarshal(m.Head, &f); err != nil {
			return err
		}
	} else {
		var b browser.Fault
		if err := json.Unmarshal(m.Head, &b); err != nil {
			return err
		}
		f.Text = "The simulation has stopped (" + b.Text + ")."
	}
	if m.Kind == browser.KindCrash {
		return c.respawn(f.Text)
	}
	if m.ID != 0 && c.Events.Failed(m.ID) {
		return nil // about results that are gone; the next ones are asked about
	}
	c.Failure = f.Text
	if m.ID == c.External.asking {
		c.External.asking = 0
	}
	if m.ID == c.Task {
		if c.opens && f.Field == protocol.Starts {
			c.External.Offer = c.File
		}
		c.Task, c.Holds = 0, false // whether it took the jobs is not known
		c.refused(&f)
		c.CatchUp()
	}
	return nil
}

// refused marks the cell of a job that only a run finds fault with, such as one that
// a policy could never start. The document is then as one with any other fault.
func (c *Session) refused(f *protocol.Fault) {
	col, here := document.ColumnNamed(f.Field), !c.opens && c.Running == c.Plan
	if f.Row == nil || col < 0 || !here || *f.Row >= c.Doc().Rows.Len() {
		return
	}
	_, text, _ := strings.Cut(f.Text, ", "+f.Field+": ")
	c.Plan, c.Bad = nil, []document.Problem{{Row: *f.Row, Column: col, Policy: -1, Text: text}}
	c.Failure = ""
	c.Events.Edited()
}

// respawn starts another worker after one is gone; nothing typed is lost. A run that
// was under way may be what ended it: it is tried once more, then on demand.
func (c *Session) respawn(why string) error {
	suspect := c.Task != 0 && !c.opens
	run := !suspect || c.fatal != c.Running
	if suspect {
		c.fatal = c.Running
	}
	c.alone()
	if err := c.Start(); err != nil {
		return err
	}
	c.again(run)
	c.Halted = !run
	c.Failure = why + " It was started again; the scenario is as you left it."
	return nil
}

// alone is that no worker is at work, and none knows anything.
func (c *Session) alone() {
	c.Task, c.whyAsked, c.Holds = 0, 0, false
	c.External.asking, c.External.told = 0, nil
	c.Events.Lost()
}

// again gives a new worker the schedule of a file, and may have it run the scenario.
func (c *Session) again(run bool) {
	c.External.rename()
	switch {
	case c.External.file.Valid():
		c.External.set(c.External.file) // and then the run
		c.External.still = !run
	case run:
		c.RunEdited()
	}
}

// Revive ends a worker that does not answer and has another one run the scenario.
func (c *Session) Revive() {
	if c.worker != nil {
		_ = c.worker.Terminate()
	}
	c.Hung = false
	c.alone()
	if err := c.Start(); err != nil {
		c.Failure = err.Error()
		return
	}
	c.again(true)
	c.Notice = "The simulation was started again; the scenario is as you left it."
}

// Fault says why what was asked last was not done.
func (c *Session) Fault() string { return c.Failure }
