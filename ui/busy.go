package ui

import (
	"encoding/json"
	"fmt"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// Cancel gives up what is under way; what is shown stays.
func (c *App) Cancel() {
	l := &c.lab
	if c.Editing.Phase != "" {
		c.EditCancelled = true
		return
	}
	if l.task == 0 {
		return
	}
	head, _ := json.Marshal(struct{}{})
	_ = l.worker.Post(browser.Message{Kind: "cancel", ID: l.task, Head: head})
	l.task, c.decisions.asking = 0, 0 // the task may be a decision
	c.Notice = "Cancelled."
	if !l.opens && !c.fresh() {
		l.halted = true
		c.Notice = "Cancelled. The pictures and figures are those of an earlier scenario."
	}
	l.catchUp(c)
}

// CanRunAgain reports whether what is shown is outdated because a run was
// cancelled.
func (c *App) CanRunAgain() bool {
	return c.lab.halted && c.lab.task == 0 && c.plan != nil && !c.fresh()
}

// RunAgain runs what was cancelled.
func (c *App) RunAgain() {
	if c.CanRunAgain() {
		c.lab.run(c)
	}
}

// Busy reports whether something has been under way long enough to say so.
func (c *App) Busy() bool { return c.underWay().Phase != "" }

// underWay is the progress of what is computed, for a run or aside.
func (c *App) underWay() *protocol.Progress {
	switch {
	case c.Editing.Done > 0: // less is too short to tell
		return &c.Editing
	case c.lab.task != 0:
		return &c.lab.progress
	}
	return &protocol.Progress{}
}

// BusyText is what is under way.
func (c *App) BusyText() string { return progressText(c.underWay()) }

func progressText(p *protocol.Progress) string {
	if p.Total <= 0 {
		return fmt.Sprintf("%s: %d %s", p.Phase, p.Done, p.Unit)
	}
	return fmt.Sprintf("%s: %d of %d %s", p.Phase, p.Done, p.Total, p.Unit)
}

// BusyPart is the part that is done, for a progress element.
func (c *App) BusyPart() float64 {
	if p := c.underWay(); p.Total > 0 {
		return float64(p.Done) / float64(p.Total)
	}
	return 0
}
