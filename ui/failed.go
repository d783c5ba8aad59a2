package ui

import (
	"encoding/json"
	"slices"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// failed says what went wrong with a request, or that the worker is gone.
func (c *App) failed(m browser.Message) error {
	l := &c.lab
	var f protocol.Fault
	if _, checking := l.checks[m.ID]; checking && m.Kind == "error" {
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
	if m.ID != 0 && (m.ID == c.comparison.asking || m.ID == c.spread.asking) { // of results that are gone; the next ones are asked about
		return nil
	}
	l.fault = f.Text
	if m.ID == c.player.asking {
		c.player.asking = 0
	}
	if m.ID == c.decisions.asking {
		c.decisions.asking = 0
	}
	if m.ID == c.beside.asking {
		c.beside.asking = 0
	}
	if m.ID == l.task {
		if l.opens && f.Field == protocol.Starts {
			c.beside.offer = l.file
		}
		l.task, l.holds = 0, false // whether it took the jobs is not known
		c.refused(&f)
		l.catchUp(c)
	}
	return nil
}

// refused marks the cell of a job that only a run finds fault with, such as one that
// a policy could never start. The document is then as one with any other fault.
func (c *App) refused(f *protocol.Fault) {
	l := &c.lab
	col, here := slices.Index(document.Names[:], f.Field), !l.opens && l.running == c.plan
	if f.Row == nil || col < 0 || !here || *f.Row >= c.Doc().Rows.Len() {
		return
	}
	_, text, _ := strings.Cut(f.Text, ", "+f.Field+": ")
	c.plan, c.bad = nil, []document.Problem{{Row: *f.Row, Column: document.Column(col), Policy: -1, Text: text}}
	l.fault = ""
	c.grid.settle(c)
}

// respawn starts another worker after one is gone; nothing typed is lost. A run that
// was under way may be what ended it: it is tried once more, then on demand.
func (c *App) respawn(why string) error {
	l := &c.lab
	suspect := l.task != 0 && !l.opens
	run := !suspect || l.fatal != l.running
	if suspect {
		l.fatal = l.running
	}
	c.alone()
	if err := l.start(c); err != nil {
		return err
	}
	c.again(run)
	l.halted = !run
	l.fault = why + " It was started again; the scenario is as you left it."
	return nil
}

// alone is that no worker is at work, and none knows anything.
func (c *App) alone() {
	l := &c.lab
	l.task, l.asking, l.holds = 0, 0, false
	c.player.asking, c.decisions.asking, c.comparison.asking, c.spread.asking, c.ifs.asking, c.beside.asking = 0, 0, 0, 0, 0, 0
	c.beside.told = nil
}

// again gives a new worker the schedule of a file, and may have it run the scenario.
func (c *App) again(run bool) {
	c.rename()
	switch {
	case c.beside.file.Valid():
		c.setBeside(c.beside.file) // and then the run
		c.beside.still = !run
	case run:
		c.lab.edited(c)
	}
}

// Revive ends a worker that does not answer and has another one run the scenario.
func (c *App) Revive() {
	l := &c.lab
	if l.worker != nil {
		_ = l.worker.Terminate()
	}
	c.Hung = false
	c.alone()
	if err := l.start(c); err != nil {
		l.fault = err.Error()
		return
	}
	c.again(true)
	c.Notice = "The simulation was started again; the scenario is as you left it."
}

// Fault is why what was asked last was not done.
func (c *App) Fault() string { return c.lab.fault }
