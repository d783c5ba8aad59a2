package session

import (
	"fmt"
	"slices"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// Doc is the scenario as it stands.
func (c *Session) Doc() *document.Doc { return c.history.Now() }

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

// UndoTitle says what Undo takes back, RedoTitle what Redo makes again.
func (c *Session) UndoTitle() string { return titled("Undo", c.history.Undone(), " (Ctrl+Z)") }

func (c *Session) RedoTitle() string { return titled("Redo", c.history.Redone(), " (Ctrl+Shift+Z)") }

func titled(word, edit, key string) string {
	if edit != "" {
		word += ": " + edit
	}
	return word + key
}

// CanUndo reports whether there is an edit to take back.
func (c *Session) CanUndo() bool { return c.history.CanUndo() }

// CanRedo reports whether one was taken back.
func (c *Session) CanRedo() bool { return c.history.CanRedo() }

// Changed checks the document after an edit and has it run.
func (c *Session) Changed() {
	c.Edits++
	c.Events.Viewed()
	c.rename()
	c.Check()
}

// Check has the document run, if it can.
func (c *Session) Check() {
	c.Plan, c.Bad = c.Doc().Check()
	c.Events.Edited()
	c.RunEdited()
}

// TakeFocus returns the id of what to focus after the render, once.
func (c *Session) TakeFocus() string {
	id := c.Focus
	c.Focus = ""
	return id
}

// CloseMenu closes the menu after a choice in it; the keyboard goes back to its button.
func (c *Session) CloseMenu() { c.Focus, c.Menu = c.Menu, "" }

// Replace makes another document the present one; undo leads back. An external schedule
// goes with the scenario that was anonymised with it: beside another one it would have
// its own names again.
func (c *Session) Replace(d document.Doc) {
	if was := c.Doc().Names; d.Names != was && (d.Names == nil || d.Names.Before != was) {
		c.DropBeside()
	}
	c.Why, c.Notice, c.Sought, c.External.Offer = nil, "", nil, browser.FileRef{}
	c.Events.Replaced()
	_ = Chart("whole", "")
	c.Put("", d)
}

func (c *Session) Download(name, mime string, write func(*document.Plan) []byte) {
	c.CloseMenu()
	if c.Plan == nil {
		c.Notice = "The scenario has faults; they are marked. Mend them, then save it."
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

// Bring returns the number of new content of the person.
func (c *Session) Bring() int {
	c.lastBrought++
	return c.lastBrought
}

// Problem is what is wrong with a field of a policy (-1: of the machine).
func (c *Session) Problem(policy int, field string) string {
	for _, p := range c.Bad {
		product := p.Field == document.MachineProduct && slices.Contains(document.MachineFields[:3], field)
		if p.Row < 0 && p.Policy == policy && (p.Field == field || product) {
			return p.Text
		}
	}
	return ""
}

// Fresh reports whether the results are of the document as it stands.
func (c *Session) Fresh() bool { return c.Shown != nil && c.Shown == c.Plan }

// Problems is what keeps the scenario from running, in sentences.
func (c *Session) Problems() (out []string) {
	for _, p := range c.Bad {
		text := p.Text
		if p.Row >= 0 {
			text = fmt.Sprintf("Row %d, %s: %s", p.Row+1, c.Doc().ColumnTitle(p.Column), p.Text)
		}
		if out = append(out, text); len(out) == 5 {
			out = append(out, fmt.Sprintf("and %d more", len(c.Bad)-5))
			break
		}
	}
	return out
}

// ShowTab shows another tab of the panel that edits.
func (c *Session) ShowTab(tab string) {
	c.Tab = tab
	c.Events.TabShown()
	c.Events.Viewed()
}

// ToggleMenu opens a menu, or closes it if it is open.
func (c *Session) ToggleMenu(menu string) {
	if c.Menu == menu {
		menu = ""
	}
	c.Menu = menu
}

// Forget drops the results and what was said about them.
func (c *Session) Forget() {
	c.Ran, c.Shown, c.Places, c.jobRows, c.Failure = nil, nil, nil, nil, ""
	c.Why, c.nextWhy, c.whyAsked, c.Held = nil, nil, 0, 0
}
