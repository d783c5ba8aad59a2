package workload

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// stillThere is what to say of names that are still somewhere.
const stillThere = " Links and files made from now on contain no old name. Undo restores the names until the page is closed or reloaded."

// Anonymise replaces the names by numbers, in steps; it is one step back.
func (c *Workload) Anonymise() {
	if c.Plan == nil {
		c.Notice = "The scenario has errors, which are marked and may contain names. Fix them, then anonymise it."
		return
	}
	if c.Editing.Phase == "" {
		c.Editing = protocol.Progress{Phase: "Anonymise", Total: int64(c.Doc().Rows.Len()), Unit: "jobs"}
		c.EditCancelled = false
		go c.anonymise(*c.Doc(), c.Edits)
	}
}

func (c *Workload) anonymise(d document.Doc, edits int) {
	defer browser.Recover("anonymise")
	out, names, err := d.Anonymised(c.Pacing(func() bool { return c.Edits == edits && !c.EditCancelled }))
	c.Env.Lock()
	defer c.Env.UnlockRender()
	c.Editing = protocol.Progress{}
	switch {
	case c.EditCancelled:
		c.Notice = "Cancelled. The names are as they were."
	case err != nil:
		c.Notice = "The scenario was changed meanwhile: the names are as they were."
	default:
		c.Interrupt()
		c.Replace(out)
		c.Events.Anonymised()
		c.Notice = names.Says() + stillThere
	}
}
