package session

import (
	"encoding/json"
	"errors"
	"time"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

const (
	liveRows = 2000                   // largest number of rows with which the scenario runs immediately after an edit
	Pause    = 150 * time.Millisecond // larger scenarios run when the user has not edited them for this long
)

// RunEdited clears the last failure and calls Rerun. It does nothing without a worker.
func (c *Session) RunEdited() {
	if c.worker == nil {
		return
	}
	c.Failure, c.PolicyFault = "", nil
	c.Rerun()
}

// Rerun marks the results as outdated and runs the document, at once or after a pause. It does not run
// a document that has errors or no policies, or whose machine or scripts the user has not accepted
// yet.
func (c *Session) Rerun() {
	_ = CallCharts("stale", "true")
	c.cancelPendingRun()
	if c.Plan == nil || len(c.Plan.Run.Policies) == 0 || c.AsksMachine() || c.AsksForScriptConsent() {
		return
	}
	if c.needsScripts() {
		c.startScripts()
		return
	}
	if c.Plan.Rows.Len() <= liveRows {
		c.run()
		return
	}
	c.stopTimer = time.AfterFunc(Pause, func() {
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if c.Plan != nil {
			c.run()
		}
	}).Stop
}

// cancelPendingRun cancels a run that has not been sent to the worker yet.
func (c *Session) cancelPendingRun() {
	if c.stopTimer != nil {
		c.stopTimer()
	}
	c.nextPlan = nil
}

// RunIfOutdated runs the document if it has neither current results nor a run in progress. This can
// happen after the user opens a file: opening the file cancels the run, and may then fail or be
// cancelled too.
func (c *Session) RunIfOutdated() {
	if c.RunPlan != c.Plan || c.taskOpens && !c.IsComplete() {
		c.Rerun()
	}
	c.taskOpens = false
}

// run requests a run of the document. It sends only the rows that have changed since the last
// request. If many rows have changed, it encodes them in steps.
func (c *Session) run() { c.runFirst(len(c.Plan.Run.Policies)) }

// runFirst is like run, but runs only the given number of policies, beginning with the first. If the number
// is 0, it requests no run and drops the results.
func (c *Session) runFirst(policies int) {
	plan, ask := c.Plan, c.Plan.Run
	if c.Skipped = len(ask.Policies) - policies; policies == 0 {
		c.ForgetResults()
		return
	}
	ask.Policies = ask.Policies[:policies]
	if c.Halted {
		c.Halted, c.Notice = false, ""
	}
	c.nextPlan = plan
	from, n := 0, plan.Rows.Len()
	if c.WorkerHasJobs {
		var removed int
		if from, removed, n = plan.Rows.Since(c.Sent); n < plan.Rows.Len() {
			ask.Edit = &protocol.Edit{Row: from, Removed: removed}
		}
		if n == 0 && removed == 0 {
			ask.Edit = nil
		}
	}
	ask.Scenario, ask.Calendar = c.Doc().FileWithoutJobs(), c.calendar()
	ask.Seconds = c.Seconds || c.Events.InLesson() // the texts of lessons have times in seconds
	m := browser.Message{}
	if c.Doc().Generated() { // the worker generates the jobs itself, unless it has them
		ask.Edit = nil
		c.requestRun(plan, ask, m)
		c.WorkerHasJobs = false // the worker may not have the jobs yet
		return
	}
	if all := !c.WorkerHasJobs || ask.Edit != nil || n > 0; !all {
		c.requestRun(plan, ask, m)
	} else if n <= liveRows {
		m.Bufs, _ = plan.Rows.Write(from, n, func(int) error { return nil })
		c.requestRun(plan, ask, m)
	} else {
		go c.writeRows(plan, ask, from, n)
	}
}

// requestRun sends the request for a run.
func (c *Session) requestRun(plan *document.Plan, ask protocol.Run, m browser.Message) {
	c.Sent, c.WorkerHasJobs, c.RunPlan = plan.Rows, true, plan
	c.BeginTask(c.Post("run", ask, m))
}

// writeRows encodes n rows in steps, starting with row i. Then it requests the run, unless the page has to run
// another version of the document by then.
func (c *Session) writeRows(plan *document.Plan, ask protocol.Run, i, n int) {
	defer browser.Recover("sending the jobs")
	var m browser.Message
	var err error
	m.Bufs, err = plan.Rows.Write(i, n, PauseFunc(func() bool { return c.nextPlan == plan }))
	if err != nil {
		return
	}
	c.Env.Lock()
	defer c.Env.UnlockRender()
	if c.nextPlan == plan {
		c.requestRun(plan, ask, m)
	}
}

// ErrChanged is the error of work that stops because the document has changed since the work began.
var ErrChanged = errors.New("the document changed during the operation")

// PauseFunc returns a pause function, which long work calls after each step. The function lets the
// page handle events. It returns ErrChanged once wanted returns false.
func PauseFunc(wanted func() bool) func(done int) error {
	var pace browser.Pace
	return func(int) error {
		if pace.YieldIfDue(); !wanted() {
			return ErrChanged
		}
		return nil
	}
}

// BeginTask makes a request the current task and resets its progress.
func (c *Session) BeginTask(task int) {
	c.Task, c.taskOpens = task, false
	c.Progress = protocol.Progress{}
}

// checkSoon requests checks of the schedules that the worker has not checked yet, unless the run is large
// (see protocol.CheckBelow). It waits for the duration Pause first, so that the charts are drawn before the checks.
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
		if c.Ran != ran || c.Task != 0 { // newer results have arrived or will arrive
			return
		}
		c.checks = map[int]int{}
		for i := range ran.Results {
			if !ran.Results[i].Checked {
				c.checks[c.Post("check", protocol.TimeQuery{Result: i, Generation: ran.Generation}, browser.Message{})] = i
			}
		}
	})
}

// receiveCheck stores the findings of a check and reports whether there are any.
func (c *Session) receiveCheck(m browser.Message) bool {
	i, ok := c.checks[m.ID]
	if x := (protocol.Checked{}); ok && json.Unmarshal(m.Head, &x) == nil && x.Generation == c.Ran.Generation {
		r := &c.Ran.Results[i]
		r.Checked, r.Findings = true, x.Findings
		return len(x.Findings) > 0
	}
	return false
}
