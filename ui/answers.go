package ui

import (
	"encoding/json"
	"fmt"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// receive takes the worker's messages; charts have taken theirs before.
func (c *App) receive(m browser.Message) {
	c.env.Lock()
	if m.Kind == "checked" && !c.checked(m) {
		c.env.UnlockOnly() // nothing to be seen
		return
	}
	defer c.env.UnlockRender()
	defer c.proceed()
	if err := c.answer(m); err != nil {
		c.Notice = fmt.Sprintf("An answer of the simulation could not be read (%s): %v", m.Kind, err)
	}
}

func (c *App) answer(m browser.Message) error {
	l := &c.lab
	if c.ifs.asking != 0 && m.ID == c.ifs.asking && m.Kind != browser.KindPanic && m.Kind != browser.KindCrash {
		return c.ifs.answer(c, m)
	}
	switch m.Kind {
	case "progress":
		if m.ID == l.task {
			return json.Unmarshal(m.Head, &l.progress)
		}
	case "ran":
		if m.ID == l.task {
			return c.ran(m)
		}
	case "beside":
		if m.ID == c.beside.asking {
			c.besides(nil)
		}
	case "cancelled":
		c.givenUp(m.ID)
	case "opened":
		if m.ID == l.task {
			go c.opened(m)
		}
	case "why":
		if m.ID == l.asking {
			return c.explained(m)
		}
	case "played":
		if m.ID == c.player.asking {
			return c.played(m)
		}
	case "decided":
		if m.ID == c.decisions.asking {
			return c.decided(m)
		}
	case "compared":
		if m.ID == c.comparison.asking {
			return c.compared(m)
		}
	case "spreads":
		if m.ID == c.spread.asking {
			return c.spreads(m)
		}
	case "outcomes":
		return c.table.outcomes(c, m)
	case "exported":
		if c.calls.exported(m) {
			return nil
		}
		var x protocol.Exported
		if err := json.Unmarshal(m.Head, &x); err != nil {
			return err
		}
		if strings.HasPrefix(x.Mime, "image/") {
			go c.picture(x.Name, string(m.Bufs[0]))
			return nil
		}
		return browser.Download(x.Name, x.Mime, m.Bufs[0])
	case "error", browser.KindPanic, browser.KindCrash:
		return c.failed(m)
	}
	return nil
}

// explained shows why.
func (c *App) explained(m browser.Message) error {
	l := &c.lab
	l.asking = 0
	why := &protocol.Answers{}
	if err := json.Unmarshal(m.Head, why); err != nil {
		return err
	}
	c.why = why
	c.ifs.settle(c)
	c.share.soon(c) // the job is part of the view
	c.present()
	if q := l.next; q != nil {
		c.ask(q.Job, q.At)
		l.tell = false
	}
	return nil
}

// ran shows new results.
func (c *App) ran(m browser.Message) error {
	l := &c.lab
	l.task = 0
	ran := &protocol.Ran{}
	if err := json.Unmarshal(m.Head, ran); err != nil {
		return err
	}
	l.ran, l.shown, l.holds = ran, l.running, true
	l.place(protocol.RowsOf(m.Bufs))
	err := chart("results", string(m.Head))
	if !c.fresh() { // edited meanwhile, into something that runs later or not at all
		_ = chart("stale", "true")
	}
	c.table.ask(c)
	c.player.renew(c)
	c.decisions.renew(c)
	c.comparison.renew(c)
	c.spread.renew(c)
	c.ifs.renew(c)
	drawn := c.hold()
	if c.sought != nil {
		c.seek()
	} else if c.why != nil {
		c.ask(min(c.why.Job, ran.Jobs-1), c.why.At)
		l.tell = !drawn // the chart has spoken of it
	}
	c.find.ran(c)
	c.checkSoon()
	switch d := &c.beside; {
	case m.ID == d.asking:
		c.besides(ran)
	case d.again:
		c.setBeside(d.coming)
	}
	return err
}
