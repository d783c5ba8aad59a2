package session

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// Do is every edit's way into the history.
func (c *Session) Do(key string, d document.Doc) {
	if c.Events.Locked(c.Doc(), &d) {
		return
	}
	c.Put(key, d)
}

func (c *Session) Put(key string, d document.Doc) {
	c.history.Do(key, d)
	c.Changed()
}

// Undo takes the last edit back.
func (c *Session) Undo() { c.turn((*document.History).Undo, (*document.History).Redo) }

// Redo makes it again.
func (c *Session) Redo() { c.turn((*document.History).Redo, (*document.History).Undo) }

// turn goes through the history; what was said is of where it came from.
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

// Changed checks the document after an edit and has it run.
func (c *Session) Changed() {
	c.Edits++
	c.Events.Viewed()
	c.External.rename()
	c.Check()
}

// Check has the document run, if it can.
func (c *Session) Check() {
	c.Plan, c.Bad = c.Doc().Check()
	c.Events.Edited()
	c.RunEdited()
}

// Replace makes another document the present one; undo leads back. An external schedule
// goes with the scenario that was anonymised with it: beside another one it would have
// its own names again.
func (c *Session) Replace(d document.Doc) {
	if was := c.Doc().Names; d.Names != was && (d.Names == nil || d.Names.Before != was) {
		c.External.Forget()
	}
	c.Why, c.Notice, c.Sought, c.External.Offer = nil, "", nil, browser.FileRef{}
	c.Events.Replaced()
	_ = Chart("whole", "")
	c.Put("", d)
}

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

// Aside does something to n rows: few at once, many in steps, with progress and a
// way to give it up. done takes what came of it.
func (c *Session) Aside(phase string, n int, change func(pause func(done int) error) (document.Doc, error), done func(document.Doc, error)) {
	switch {
	case c.Editing.Phase != "": // one after the other
	case n <= liveRows:
		done(change(document.Unpaused))
	default:
		c.Editing = protocol.Progress{Phase: phase, Total: int64(n), Unit: "jobs"}
		c.EditCancelled = false
		go c.stepAside(c.Edits, change, done)
	}
}

func (c *Session) stepAside(edits int, change func(pause func(done int) error) (document.Doc, error), done func(document.Doc, error)) {
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

// Pacing lets the page work now and then, and tells progress, as long as what is
// computed is still wanted.
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

// Fresh reports whether the results are of the document as it stands.
func (c *Session) Fresh() bool { return c.Shown != nil && c.Shown == c.Plan }

// ShowTab shows another tab of the panel that edits.
func (c *Session) ShowTab(tab string) {
	c.Tab = tab
	c.Events.TabShown()
	c.Events.Viewed()
}

// Forget drops the results and what was said about them.
func (c *Session) Forget() {
	c.Ran, c.Shown, c.Places, c.jobRows, c.Failure = nil, nil, nil, nil, ""
	c.Why, c.nextWhy, c.whyAsked, c.Held = nil, nil, 0, 0
}

// Age returns the class of what was worked out of results: whether these are outdated, or an
// answer is awaited.
func (c *Session) Age(asking int) string {
	if !c.Fresh() || asking != 0 {
		return "old"
	}
	return "now"
}
