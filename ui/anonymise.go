package ui

import (
	"backfill-lab/ui/bridge"
	"backfill-lab/ui/proto"
	"backfill-lab/ui/state"
)

// Anonymise is what takes the names out of a scenario.
type Anonymise struct{ App *App }

// stillThere is what to say of names that are still somewhere.
const stillThere = " Links and files made from now on hold no old name. Undo leads back to them until the page is closed or loaded again."

// Anonymise replaces the names by numbers, in steps; it is one step back.
func (c *App) Anonymise() {
	if c.plan == nil {
		c.Notice = "The scenario has faults, which may hold names; they are marked. Mend them, then anonymise it."
		return
	}
	w := &c.work
	if w.progress.Phase == "" {
		w.progress = proto.Progress{Phase: "Anonymise", Total: int64(c.Doc().Rows.Len()), Unit: "jobs"}
		w.given = false
		go c.anonymise(*c.Doc(), c.share.edits)
	}
}

func (c *App) anonymise(d state.Doc, edits int) {
	defer bridge.Recover("anonymise")
	w := &c.work
	out, names, err := d.Anonymised(c.pacing(func() bool { return c.share.edits == edits && !w.given }))
	c.env.Lock()
	defer c.env.UnlockRender()
	w.progress = proto.Progress{}
	switch {
	case w.given:
		c.Notice = "Cancelled. The names are as they were."
	case err != nil:
		c.Notice = "The scenario was changed meanwhile: the names are as they were."
	default:
		c.replace(out)
		c.find, c.unnamed = find{}, c.plan
		c.Notice = names.Says() + stillThere
	}
}
