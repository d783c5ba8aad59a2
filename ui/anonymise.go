package ui

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
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
	if c.Editing.Phase == "" {
		c.Editing = protocol.Progress{Phase: "Anonymise", Total: int64(c.Doc().Rows.Len()), Unit: "jobs"}
		c.EditCancelled = false
		go c.anonymise(*c.Doc(), c.Edits)
	}
}

func (c *App) anonymise(d document.Doc, edits int) {
	defer browser.Recover("anonymise")
	out, names, err := d.Anonymised(c.pacing(func() bool { return c.Edits == edits && !c.EditCancelled }))
	c.env.Lock()
	defer c.env.UnlockRender()
	c.Editing = protocol.Progress{}
	switch {
	case c.EditCancelled:
		c.Notice = "Cancelled. The names are as they were."
	case err != nil:
		c.Notice = "The scenario was changed meanwhile: the names are as they were."
	default:
		c.interrupt()
		c.replace(out)
		c.wipe()
		c.Notice = names.Says() + stillThere
	}
}

// interrupt cancels a run of the scenario as it was named, whose results would come
// late. A schedule that was on its way is asked for again after the next run.
func (c *App) interrupt() {
	l, d := &c.lab, &c.beside
	if l.task == 0 {
		return
	}
	if l.worker != nil {
		_ = l.worker.Post(browser.Message{Kind: "cancel", ID: l.task, Head: []byte("{}")})
	}
	l.task = 0
	if d.asking != 0 {
		d.asking, d.again = 0, true
	}
}

// wipe forgets all that the page shows or holds of the scenario as it was named: the
// results, until those of the new names are there, what was typed in forms, what was
// found and said.
func (c *App) wipe() {
	l := &c.lab
	l.ran, l.shown, l.places, l.rows, l.fault = nil, nil, nil, nil, ""
	c.why, l.next, l.asking, c.held = nil, nil, 0, 0
	c.ifs.cancel(c)
	c.find, c.ifs, c.work.typed, c.grid.chosen = find{}, supposing{}, nil, chosen{}
	c.comparison.shown, c.comparison.titles = nil, nil
	c.spread.shown, c.spread.coming, c.spread.titles = nil, nil, nil
	c.table = table{window: c.table.window, Open: c.table.Open}
	c.player.shown, c.player.seeking.none, c.decisions.shown = nil, "", nil
	c.colour.scale = nil
	_ = chart("wipe", "")
}
