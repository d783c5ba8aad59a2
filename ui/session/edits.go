package session

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// Do makes an edited document the present one, unless the edit is not allowed. Edits in a
// row with the same key are undone together.
func (c *Session) Do(key string, d document.Doc) {
	if c.Events.Locked(c.Doc(), &d) {
		return
	}
	c.Put(key, d)
}

// Put makes a document the present one. Use Do for edits of the person.
func (c *Session) Put(key string, d document.Doc) {
	c.history.Do(key, d)
	c.Changed()
}

// Undo reverts the last edit.
func (c *Session) Undo() { c.turn((*document.History).Undo, (*document.History).Redo) }

// Redo repeats the edit that was reverted last.
func (c *Session) Redo() { c.turn((*document.History).Redo, (*document.History).Undo) }

// turn goes one step through the history.
func (c *Session) turn(way, back func(*document.History)) {
	was := *c.Doc()
	way(c.history)
	if c.Events.Locked(&was, c.Doc()) {
		back(c.history)
		return
	}
	c.Notice = ""
	c.Changed()
}

// Changed checks and runs the document after an edit.
func (c *Session) Changed() {
	c.Edits++
	c.Events.Viewed()
	c.External.rename()
	c.Check()
}

// Check checks the document and runs it if it has no errors.
func (c *Session) Check() {
	c.Plan, c.Bad = c.Doc().Check()
	c.Events.Edited()
	c.RunEdited()
}

// Replace makes another scenario the present one; undo returns to the former one. It drops
// an external schedule that was anonymised with the former scenario: with another one it
// would show its own names again.
func (c *Session) Replace(d document.Doc) {
	if was := c.Doc().Names; d.Names != was && (d.Names == nil || d.Names.Before != was) {
		c.External.Forget()
	}
	c.Why, c.Notice, c.LinkedView, c.External.Offer = nil, "", nil, browser.FileRef{}
	c.Events.Replaced()
	_ = Chart("whole", "")
	c.Put("", d)
}

// Download hands a file made from the present plan to the person.
func (c *Session) Download(name, mime string, write func(*document.Plan) []byte) {
	c.CloseMenu()
	if c.Plan == nil {
		c.Notice = "The scenario has errors, which are marked. Fix them, then save it."
		return
	}
	if err := browser.Download(name, mime, write(c.Plan)); err != nil {
		c.Notice = err.Error()
	}
}

// InSteps changes n rows: few at once, many in steps with progress, which the person can
// cancel. done receives the changed document.
func (c *Session) InSteps(phase string, n int, change func(pause func(done int) error) (document.Doc, error), done func(document.Doc, error)) {
	switch {
	case c.Editing.Phase != "": // another change is under way
	case n <= liveRows:
		done(change(document.Unpaused))
	default:
		c.Editing = protocol.Progress{Phase: phase, Total: int64(n), Unit: "jobs"}
		c.EditCancelled = false
		go c.runSteps(c.Edits, change, done)
	}
}

func (c *Session) runSteps(edits int, change func(pause func(done int) error) (document.Doc, error), done func(document.Doc, error)) {
	defer browser.Recover("operation")
	d, err := change(c.Pacing(func() bool { return c.Edits == edits && !c.EditCancelled }))
	c.Env.Lock()
	defer c.Env.UnlockRender()
	c.Editing = protocol.Progress{}
	switch {
	case c.EditCancelled:
		c.Notice = "Cancelled. The jobs are as they were."
	case c.Edits != edits:
		c.Notice = "The scenario was changed meanwhile: nothing was done to the jobs."
	default:
		done(d, err)
	}
}

// Pacing returns a function that long work calls after each step. It lets the page work
// now and then, reports progress, and returns ErrChanged once the work is not wanted.
func (c *Session) Pacing(wanted func() bool) func(done int) error {
	var pace browser.Pace
	told := 0
	return func(done int) error {
		if pace.Breathe() && (done < told || done-told > 1<<16) {
			told = done
			c.Env.Lock()
			c.Editing.Done = int64(done)
			c.Env.UnlockRender()
		}
		if !wanted() {
			return ErrChanged
		}
		return nil
	}
}

// Fresh reports whether the results belong to the present document.
func (c *Session) Fresh() bool { return c.Shown != nil && c.Shown == c.Plan }

// ShowTab shows another tab of the panel that edits.
func (c *Session) ShowTab(tab string) {
	c.Tab = tab
	c.Events.TabShown()
	c.Events.Viewed()
}

// Forget drops the results and the answers about them.
func (c *Session) Forget() {
	c.Ran, c.Shown, c.Places, c.jobRows, c.Failure = nil, nil, nil, nil, ""
	c.Why, c.nextWhy, c.whyAsked, c.ReselectRow = nil, nil, 0, 0
}

// Age returns the CSS class of an answer about results: old if the results are outdated or
// another answer is on its way, else now.
func (c *Session) Age(asking int) string {
	if !c.Fresh() || asking != 0 {
		return "old"
	}
	return "now"
}
