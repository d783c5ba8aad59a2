package ui

import (
	"errors"
	"time"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// liveRows is the size up to which an edit runs at once; larger workloads wait
// for a pause.
const (
	liveRows = 2000
	pause    = 150 * time.Millisecond
)

// edited has the document run, at once or after a pause, and marks what is
// shown as outdated.
func (l *lab) edited(c *App) {
	if l.worker == nil {
		return
	}
	l.fault = ""
	l.renew(c)
}

// renew is edited where what is said stays.
func (l *lab) renew(c *App) {
	_ = chart("stale", "true")
	l.drop()
	if c.plan == nil || len(c.plan.Run.Policies) == 0 {
		return
	}
	if c.plan.Rows.Len() <= liveRows {
		l.run(c)
		return
	}
	l.unask = time.AfterFunc(pause, func() {
		c.env.Lock()
		defer c.env.UnlockRender()
		if c.plan != nil {
			l.run(c)
		}
	}).Stop
}

// drop drops the run that is to come.
func (l *lab) drop() {
	if l.unask != nil {
		l.unask()
	}
	l.wanted = nil
}

// catchUp runs what an open has ended or kept from running, if it came to nothing.
func (l *lab) catchUp(c *App) {
	if l.running != c.plan || l.opens && !c.fresh() {
		l.renew(c)
	}
	l.opens = false
}

// run has the document run. The worker is told what it does not hold yet; where
// that is much, it is written in steps.
func (l *lab) run(c *App) {
	plan, ask := c.plan, c.plan.Run
	if l.halted {
		l.halted, c.Notice = false, ""
	}
	l.wanted = plan
	from, n := 0, plan.Rows.Len()
	if l.holds {
		var gone int
		if from, gone, n = plan.Rows.Since(l.sent); n < plan.Rows.Len() {
			ask.Edit = &protocol.Edit{Row: from, Gone: gone}
		}
		if n == 0 && gone == 0 {
			ask.Edit = nil
		}
	}
	ask.Scenario = c.Doc().Frame()
	m := browser.Message{}
	if c.Doc().Generated() { // the worker draws what it does not hold
		ask.Edit = nil
		l.ask(plan, ask, m)
		l.holds = false // until it has
		return
	}
	if all := !l.holds || ask.Edit != nil || n > 0; !all {
		l.ask(plan, ask, m)
	} else if n <= liveRows {
		m.Bufs, _ = plan.Rows.Write(from, n, func(int) error { return nil })
		l.ask(plan, ask, m)
	} else {
		go c.write(plan, ask, from, n)
	}
}

func (l *lab) ask(plan *document.Plan, ask protocol.Run, m browser.Message) {
	l.sent, l.holds, l.running = plan.Rows, true, plan
	l.begin(l.post("run", ask, m))
}

// write writes rows with pauses, and asks for the run unless the document has
// changed meanwhile.
func (c *App) write(plan *document.Plan, ask protocol.Run, from, n int) {
	defer browser.Recover("sending the jobs")
	var m browser.Message
	var err error
	m.Bufs, err = plan.Rows.Write(from, n, paced(func() bool { return c.lab.wanted == plan }))
	if err != nil {
		return
	}
	c.env.Lock()
	defer c.env.UnlockRender()
	if c.lab.wanted == plan {
		c.lab.ask(plan, ask, m)
	}
}

// errChanged ends what was begun for a document that is gone.
var errChanged = errors.New("changed meanwhile")

// paced is what long work calls now and then: it lets the page work, and ends
// what is no longer wanted.
func paced(wanted func() bool) func(done int) error {
	var pace browser.Pace
	return func(int) error {
		if pace.Breathe(); !wanted() {
			return errChanged
		}
		return nil
	}
}

func (l *lab) begin(task int) {
	l.task, l.opens = task, false
	l.progress = protocol.Progress{}
}
