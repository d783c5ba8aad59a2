package ui

import (
	"backfill-lab/ui/bridge"
	"backfill-lab/ui/json"
)

// Cancel gives up what is under way; what is shown stays.
func (c *App) Cancel() {
	l := &c.lab
	if l.task == 0 {
		return
	}
	head, _ := json.Marshal(struct{}{})
	_ = l.worker.Post(bridge.Message{Kind: "cancel", ID: l.task, Head: head})
	l.task = 0
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
