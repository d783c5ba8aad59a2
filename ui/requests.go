package ui

import (
	"slices"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// open has a file read; procs is the size of the machine if it is not the one at hand.
func (l *lab) open(c *App, f browser.FileRef, procs int) { l.reopen(c, f, protocol.Open{Procs: procs}) }

// reopen has a file read with a choice of what is read of it.
func (l *lab) reopen(c *App, f browser.FileRef, ask protocol.Open) {
	ask.Name, ask.AtHand, ask.Extras = f.Name(), c.Doc().Slots(), c.Doc().Extras()
	l.read(c, ask, browser.Message{File: f}, nil)
	l.file, l.brought, c.beside.offer = f, c.bring(), browser.FileRef{}
}

// read has the worker read what a message brings; a run is given up for it.
func (l *lab) read(c *App, ask protocol.Open, m browser.Message, take func(document.Doc, *protocol.Opened)) {
	l.drop()
	l.fault, c.Notice = "", ""
	l.begin(l.post("open", ask, m))
	l.opens, l.holds, l.take, l.brought = true, false, take, 0 // it may soon hold the jobs of that
}

// draw has the jobs of a scenario drawn by its generator, then takes the document.
func (l *lab) draw(c *App, s *scenario.Scenario, take func(document.Doc, *protocol.Opened)) {
	l.read(c, protocol.Open{Name: "generated jobs"}, browser.Message{Bufs: [][]byte{scenario.Format(s)}}, take)
}

func (l *lab) export(c *App, what string, result int) {
	l.post("export", protocol.Export{What: what, Result: result}, browser.Message{})
}

// ask asks why a job is where it is at a moment. Job -1 closes the answer.
func (c *App) ask(index int, at int64) {
	l := &c.lab
	c.share.soon(c)
	if index < 0 || l.shown == nil {
		c.why, l.next, l.asking = nil, nil, 0
		return
	}
	if row := slices.Index(l.places, int32(index)); row >= 0 && c.fresh() {
		c.grid.row = row
	}
	l.asking, l.next = l.post("why", protocol.Why{Job: index, At: at}, browser.Message{}), nil
	l.tell = true
}

// follow asks about the job of the answer at another moment. While an answer is
// awaited it waits: only the last moment of a moving cursor counts.
func (c *App) follow(at int64) {
	l := &c.lab
	switch {
	case c.why == nil || !c.fresh():
	case l.asking != 0:
		l.next = &protocol.Why{Job: c.why.Job, At: at}
	default:
		c.ask(c.why.Job, at)
		l.tell = false // the charts have spoken of the moment
	}
}
