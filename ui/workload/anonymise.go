package workload

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// namesRemain tells the person where the old names are still found.
const namesRemain = " Links and files made from now on contain no old name. Undo restores the names until the page is closed or reloaded."

// Anonymise replaces the names in the scenario by numbers, as a single undo step. It
// works in the background so that the page stays responsive.
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

// anonymise does the work of Anonymise in a goroutine. It changes nothing if the person
// cancels, or edits the document meanwhile, so that its edit number is no longer edits.
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
		c.Notice = names.Says() + namesRemain
	}
}
