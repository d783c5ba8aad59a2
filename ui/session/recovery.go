package session

import (
	"encoding/json"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// handleFailure handles the failure of a request, an internal error of the worker, or the end of the worker. It ignores
// failures of outdated requests. If the failed policy is still the script that the student was given at the start of an
// exercise, handleFailure runs only the policies before it.
func (c *Session) handleFailure(m browser.Message) error {
	var f protocol.Fault
	if _, checking := c.checks[m.ID]; checking && m.Kind == "error" {
		return nil // the check was about results that no longer exist
	}
	if m.Kind == "error" {
		if err := json.Unmarshal(m.Head, &f); err != nil {
			return err
		}
	} else {
		var b browser.Fault
		if err := json.Unmarshal(m.Head, &b); err != nil {
			return err
		}
		f.Text = "The simulation has stopped (" + b.Text + ")."
	}
	if m.Kind == browser.KindCrash {
		return c.respawn(f.Text)
	}
	if m.ID != 0 && c.Events.Failed(m.ID) {
		return nil // the request was about results that no longer exist; the feature repeats it for the new ones
	}
	if f.Policy != nil && m.ID != c.Task {
		return nil // an earlier run failed, before the user edited the scenario; another run follows
	}
	if f.Policy != nil && c.Events.Unwritten(*f.Policy) {
		c.Task, c.WorkerHasJobs = 0, false
		c.runFirst(*f.Policy)
		c.afterRun()
		return nil
	}
	c.Failure = f.Text
	if f.Policy != nil {
		c.PolicyFault = &f
	}
	c.External.handleFailed(m.ID)
	if m.ID == c.Task {
		if c.taskOpens && f.Field == protocol.StartsField {
			c.External.Offer()
		}
		c.Task, c.WorkerHasJobs = 0, false // it is unknown whether the worker received the jobs
		c.markRejected(&f)
		c.RunIfOutdated()
		c.afterRun()
	}
	return nil
}

// markRejected marks the invalid cell after a run has rejected a job, for example because a policy could
// never start the job. The page then shows this problem like those that it finds before a run.
func (c *Session) markRejected(f *protocol.Fault) {
	col, here := document.ColumnNamed(f.Field), !c.taskOpens && c.RunPlan == c.Plan
	if f.Row == nil || col < 0 || !here || *f.Row >= c.Doc().Rows.Len() {
		return
	}
	_, text, _ := strings.Cut(f.Text, ", "+f.Field+": ")
	c.Plan, c.Bad = nil, []document.Problem{{Row: *f.Row, Column: col, Policy: -1, Text: text}}
	c.Failure = ""
	c.Events.Edited()
}

// respawn starts a new worker after the old one has ended, and repeats the run. The scenario does not change. If the
// worker has ended twice during the same run, respawn does not repeat the run, but the user can. The page shows the
// given sentence, which says how the worker ended.
func (c *Session) respawn(why string) error {
	runInterrupted := c.Task != 0 && !c.taskOpens
	run := !runInterrupted || c.crashedPlan != c.RunPlan
	if runInterrupted {
		c.crashedPlan = c.RunPlan
	}
	c.forgetWorker()
	if err := c.Start(); err != nil {
		return err
	}
	c.resume(run)
	c.Halted = !run
	c.Failure = why + " It has restarted. Your scenario did not change."
	return nil
}

// forgetWorker resets the state that belongs to a worker that has ended.
func (c *Session) forgetWorker() {
	c.Task, c.whyRequest, c.WorkerHasJobs = 0, 0, false
	c.External.handleFailed(c.External.request)
	c.External.namesSent = nil
	c.Events.Lost()
}

// resume sends the external schedule, if any, to a new worker. It then runs the scenario if run is true.
func (c *Session) resume(run bool) {
	c.External.rename()
	switch {
	case c.External.file.Valid():
		c.External.setFile(c.External.file) // the run follows after the answer
		c.External.noRun = !run
	case run:
		c.RunEdited()
	}
}

// Revive replaces a worker that does not answer, and runs the scenario.
func (c *Session) Revive() {
	if c.worker != nil {
		_ = c.worker.Terminate()
	}
	c.Unresponsive = false
	c.forgetWorker()
	if err := c.Start(); err != nil {
		c.Failure = err.Error()
		return
	}
	c.resume(true)
	c.Notice = "The simulation has restarted. Your scenario did not change."
}
