package session

import (
	"encoding/json"
	"slices"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// Start starts the worker.
func (c *Session) Start() (err error) {
	c.worker, err = browser.Spawn("main", c.receive)
	return err
}

// Post sends a request and returns its id.
func (c *Session) Post(kind string, head any, m browser.Message) int {
	c.asked++
	m.Kind, m.ID = kind, c.asked
	m.Head, _ = json.Marshal(head)
	if c.worker != nil {
		if err := c.worker.Post(m); err != nil {
			c.Failure = err.Error()
		}
	}
	return c.asked
}

// OpenFile reads a file. procs is the size of the machine, 0: that of the present one.
func (c *Session) OpenFile(f browser.FileRef, procs int) {
	c.ReopenFile(f, protocol.Open{Procs: procs})
}

// ReopenFile reads a file with other options.
func (c *Session) ReopenFile(f browser.FileRef, ask protocol.Open) {
	ask.Name, ask.AtHand, ask.Extras = f.Name(), c.Doc().Slots(), c.Doc().Extras()
	c.ReadFile(ask, browser.Message{File: f}, nil)
	c.File, c.FileContent, c.External.Offer = f, c.NewContent(), browser.FileRef{}
}

// ReadFile has the worker read the content of a message; it cancels a run.
func (c *Session) ReadFile(ask protocol.Open, m browser.Message, take func(document.Doc, *protocol.Opened)) {
	c.dropRun()
	c.Failure, c.Notice = "", ""
	c.BeginTask(c.Post("open", ask, m))
	c.opens, c.Holds, c.Take, c.FileContent = true, false, take, 0 // it may soon hold other jobs
}

// DrawJobs draws the jobs of a scenario's generator and hands the document to take.
func (c *Session) DrawJobs(s *scenario.Scenario, take func(document.Doc, *protocol.Opened)) {
	c.ReadFile(protocol.Open{Name: "generated jobs"}, browser.Message{Bufs: [][]byte{scenario.Format(s)}}, take)
}

// PostExport requests a file about a result and returns the id of the request.
func (c *Session) PostExport(what string, result int) int {
	return c.Post("export", protocol.Export{What: what, Result: result}, browser.Message{})
}

// AskWhy asks why a job is where it is at a time. Job -1 closes the answer.
func (c *Session) AskWhy(index int, at int64) {
	c.Events.Viewed()
	if index < 0 || c.Shown == nil {
		c.Why, c.nextWhy, c.whyAsked = nil, nil, 0
		return
	}
	if row := slices.Index(c.Places, int32(index)); row >= 0 && c.Fresh() {
		c.Events.Selected(row)
	}
	c.whyAsked, c.nextWhy = c.Post("why", protocol.Why{Job: index, At: at}, browser.Message{}), nil
	c.Announce = true
}

// ShowAt asks about the selected job at another time. While an answer is on its way it
// waits: only the last time of a moving cursor counts.
func (c *Session) ShowAt(at int64) {
	switch {
	case c.Why == nil || !c.Fresh():
	case c.whyAsked != 0:
		c.nextWhy = &protocol.Why{Job: c.Why.Job, At: at}
	default:
		c.AskWhy(c.Why.Job, at)
		c.Announce = false // the charts have announced the time
	}
}

// Cancel cancels what is under way; the results stay.
func (c *Session) Cancel() {
	if c.Editing.Phase != "" {
		c.EditCancelled = true
		return
	}
	if c.Task == 0 {
		return
	}
	c.CancelRequest(c.Task)
	c.Events.Failed(c.Task) // it may be a decision that the charts asked for
	c.Task = 0
	c.Notice = "Cancelled."
	if !c.opens && !c.Fresh() {
		c.Halted = true
		c.Notice = "Cancelled. Charts and figures show an earlier scenario."
	}
	c.CatchUp()
}

// CanRunAgain reports whether the results are outdated because a run was cancelled.
func (c *Session) CanRunAgain() bool {
	return c.Halted && c.Task == 0 && c.Plan != nil && !c.Fresh()
}

// RunAgain repeats a cancelled run.
func (c *Session) RunAgain() {
	if c.CanRunAgain() {
		c.run()
	}
}

// Busy reports whether something takes long enough to show its progress.
func (c *Session) Busy() bool { return c.underWay().Phase != "" }

// underWay returns the progress of a run or of a change to many rows.
func (c *Session) underWay() *protocol.Progress {
	switch {
	case c.Editing.Done > 0: // less is too short to tell
		return &c.Editing
	case c.Task != 0:
		return &c.Progress
	}
	return &protocol.Progress{}
}

// BusyText returns what is under way.
func (c *Session) BusyText() string { return widgets.ProgressText(c.underWay()) }

// BusyPart returns the part that is done, for a progress element.
func (c *Session) BusyPart() float64 {
	if p := c.underWay(); p.Total > 0 {
		return float64(p.Done) / float64(p.Total)
	}
	return 0
}

// Interrupt cancels a run of the scenario as it was named, whose results would come
// late. A schedule that was on its way is asked for again after the next run.
func (c *Session) Interrupt() {
	if c.Task == 0 {
		return
	}
	c.CancelRequest(c.Task)
	c.Task = 0
	if x := &c.External; x.asking != 0 {
		x.asking, x.again = 0, true
	}
}

// CancelRequest cancels a request; 0 is none.
func (c *Session) CancelRequest(id int) {
	if id != 0 && c.worker != nil {
		_ = c.worker.Post(browser.Message{Kind: "cancel", ID: id, Head: []byte("{}")})
	}
}
