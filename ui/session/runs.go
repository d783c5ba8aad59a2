package session

import (
	"encoding/json"
	"errors"
	"time"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// liveRows is the number of rows up to which an edit runs at once; larger workloads wait
// for Pause.
const (
	liveRows = 2000
	Pause    = 150 * time.Millisecond
)

// RunEdited marks the results as outdated and runs the document, at once or after a pause.
func (c *Session) RunEdited() {
	if c.worker == nil {
		return
	}
	c.Failure = ""
	c.Rerun()
}

// Rerun is RunEdited without clearing the last failure.
func (c *Session) Rerun() {
	_ = Chart("stale", "true")
	c.dropRun()
	if c.Plan == nil || len(c.Plan.Run.Policies) == 0 {
		return
	}
	if c.Plan.Rows.Len() <= liveRows {
		c.run()
		return
	}
	c.unask = time.AfterFunc(Pause, func() {
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if c.Plan != nil {
			c.run()
		}
	}).Stop
}

// dropRun cancels the run that waits for a pause.
func (c *Session) dropRun() {
	if c.unask != nil {
		c.unask()
	}
	c.wanted = nil
}

// CatchUp runs the document if a failed or cancelled open had kept it from running.
func (c *Session) CatchUp() {
	if c.Running != c.Plan || c.opens && !c.Fresh() {
		c.Rerun()
	}
	c.opens = false
}

// run runs the document. It sends the worker the rows that the worker does not hold, many
// rows in steps.
func (c *Session) run() {
	plan, ask := c.Plan, c.Plan.Run
	if c.Halted {
		c.Halted, c.Notice = false, ""
	}
	c.wanted = plan
	from, n := 0, plan.Rows.Len()
	if c.Holds {
		var gone int
		if from, gone, n = plan.Rows.Since(c.Sent); n < plan.Rows.Len() {
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
		c.askRun(plan, ask, m)
		c.Holds = false // until it has drawn them
		return
	}
	if all := !c.Holds || ask.Edit != nil || n > 0; !all {
		c.askRun(plan, ask, m)
	} else if n <= liveRows {
		m.Bufs, _ = plan.Rows.Write(from, n, func(int) error { return nil })
		c.askRun(plan, ask, m)
	} else {
		go c.writeRows(plan, ask, from, n)
	}
}

func (c *Session) askRun(plan *document.Plan, ask protocol.Run, m browser.Message) {
	c.Sent, c.Holds, c.Running = plan.Rows, true, plan
	c.BeginTask(c.Post("run", ask, m))
}

// writeRows writes rows in steps and then requests the run, unless the document has changed
// meanwhile.
func (c *Session) writeRows(plan *document.Plan, ask protocol.Run, from, n int) {
	defer browser.Recover("sending the jobs")
	var m browser.Message
	var err error
	m.Bufs, err = plan.Rows.Write(from, n, Paced(func() bool { return c.wanted == plan }))
	if err != nil {
		return
	}
	c.Env.Lock()
	defer c.Env.UnlockRender()
	if c.wanted == plan {
		c.askRun(plan, ask, m)
	}
}

// ErrChanged ends work on a document that has changed meanwhile.
var ErrChanged = errors.New("changed meanwhile")

// Paced returns a function that long work calls after each step. It lets the page work and
// returns ErrChanged once the work is not wanted.
func Paced(wanted func() bool) func(done int) error {
	var pace browser.Pace
	return func(int) error {
		if pace.Breathe(); !wanted() {
			return ErrChanged
		}
		return nil
	}
}

func (c *Session) BeginTask(task int) {
	c.Task, c.opens = task, false
	c.Progress = protocol.Progress{}
}

// checkSoon requests the check of results that were not checked, after the charts had time
// to draw.
func (c *Session) checkSoon() {
	ran := c.Ran
	c.checks = nil
	if ran.Jobs >= protocol.CheckBelow {
		return
	}
	time.AfterFunc(Pause, func() {
		defer browser.Recover("checking")
		c.Env.Lock()
		defer c.Env.UnlockOnly()
		if c.Ran != ran || c.Task != 0 { // other results are on their way
			return
		}
		c.checks = map[int]int{}
		for i := range ran.Results {
			if !ran.Results[i].Checked {
				c.checks[c.Post("check", protocol.Moment{Result: i, Generation: ran.Generation}, browser.Message{})] = i
			}
		}
	})
}

// checked takes the findings of the checker; it reports whether there are any.
func (c *Session) checked(m browser.Message) bool {
	i, ok := c.checks[m.ID]
	if x := (protocol.Checked{}); ok && json.Unmarshal(m.Head, &x) == nil && x.Generation == c.Ran.Generation {
		r := &c.Ran.Results[i]
		r.Checked, r.Findings = true, x.Findings
		return len(x.Findings) > 0
	}
	return false
}
