package session

import (
	"encoding/json"
	"fmt"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// receive handles a message of the worker, except messages for the charts.
func (c *Session) receive(m browser.Message) {
	c.Env.Lock()
	if m.Kind == "checked" && !c.receiveCheck(m) {
		c.Env.UnlockOnly() // nothing to draw
		return
	}
	defer c.Env.UnlockRender()
	defer c.Events.Received()
	if err := c.handleMessage(m); err != nil {
		c.Notice = fmt.Sprintf("The page could not read a message from the simulation (%s): %v", m.Kind, err)
	}
}

// handleMessage handles a message of the worker, or passes it to the feature that sent the request.
func (c *Session) handleMessage(m browser.Message) error {
	if m.Kind != browser.KindPanic && m.Kind != browser.KindCrash {
		if taken, err := c.Events.Answered(m); taken {
			return err
		}
	}
	switch m.Kind {
	case "progress":
		if m.ID == c.Task {
			return json.Unmarshal(m.Head, &c.Progress)
		}
	case "ran", "partial":
		if m.ID == c.Task {
			return c.receiveRun(m)
		}
	case "external":
		if m.ID == c.External.request {
			c.External.receive(nil)
		}
	case "cancelled":
		c.External.handleCancelled(m.ID)
	case "why":
		if m.ID == c.whyRequest {
			return c.receiveAnswer(m)
		}
	case "error", browser.KindPanic, browser.KindCrash:
		return c.handleFailure(m)
	}
	return nil
}

// receiveAnswer stores and shows an answer about the selected job. If another question about a job waits, it
// then sends this question.
func (c *Session) receiveAnswer(m browser.Message) error {
	c.whyRequest = 0
	why := &protocol.Answers{}
	if err := json.Unmarshal(m.Head, why); err != nil {
		return err
	}
	c.Why = why
	c.Events.Explained()
	c.Events.Viewed() // the selected job is part of what the page shows
	c.showAnswer()
	if q := c.nextWhy; q != nil {
		c.AskWhy(q.Job, q.At)
		c.Announce = false
	}
	return nil
}

// receiveRun stores and shows the results of a run: all results, or during a long run the results
// of the policies that are done.
func (c *Session) receiveRun(m browser.Message) error {
	ran := &protocol.Ran{}
	if err := json.Unmarshal(m.Head, ran); err != nil {
		c.Task = 0
		return err
	}
	if m.Kind == "ran" {
		c.Task = 0
	}
	c.WorkerHasJobs = true
	c.ShowResults(ran, c.RunPlan, protocol.DecodeRows(m.Bufs))
	err := CallCharts("results", fmt.Sprintf("%s,%q", m.Head, c.hueLetters()))
	if !c.IsCurrent() { // the document was edited meanwhile; another run follows, unless the new version is invalid
		_ = CallCharts("stale", "true")
	}
	c.Events.Ran()
	c.whyFirst = c.NewIndex(c.whyFirst)
	editedInChart := c.reselectJob()
	if c.LinkedView != nil && c.Task == 0 {
		c.ApplyLinkedView()
	} else if q, ok := c.lastQuestion(); ok {
		c.AskWhy(min(q.Job, ran.Jobs-1), q.At)
		c.Announce = !editedInChart // otherwise the chart has announced the edit
	}
	c.Events.Settled()
	if c.Task != 0 {
		return err
	}
	c.checkSoon()
	switch d := &c.External; {
	case m.ID == d.request:
		c.External.receive(ran)
	case d.repeat:
		c.External.setFile(d.pending)
	}
	c.afterRun()
	return err
}
