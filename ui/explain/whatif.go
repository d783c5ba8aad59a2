package explain

import (
	"encoding/json"
	"fmt"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// maxPredicted is the largest number of jobs with which the page predicts starts automatically. In
// larger runs, the user has to ask for a prediction.
const maxPredicted = 300

// trial holds the what-if form for the selected job, and the worker's answers.
type trial struct {
	job    int                       // index of the job that the form is about
	id     string                    // ID of the job
	values [policyField]int64        // values of the job in the scenario, by field
	typed  [len(whatIfFields)]bool   // by field: the user has typed a text
	texts  [len(whatIfFields)]string // texts of the fields that are typed; the others show their values
	err    string                    // message about the form, "" if none

	requestID  int                          // id of the open request, 0 if none
	progress   protocol.Progress            // progress of the open request
	outcome    *protocol.WhatIfAnswer       // effects of the tried changes, nil if there are none
	found      *protocol.StartEarlierAnswer // changes that make the job start earlier, nil if none were searched for
	prediction *protocol.Predicted          // predicted start of the job, nil if there is none

	focusAnswer bool // move the keyboard focus to the effects of the tried changes when they arrive
	row         int  // 1 + row of the job to which the user has just applied a change, 0 if there is none
}

// updateForm updates the form after the worker has explained a job. If it is the same job as before, updateForm keeps
// the texts that the user typed, unless they equal the values of the job.
func (s *trial) updateForm(c *Explainer) {
	w := c.Why
	now := [policyField]int64{int64(w.Procs), w.Submit, w.Estimate}
	if s.job != w.Job {
		s.cancel(c)
		s.outcome, s.found, s.err, s.typed, s.values = nil, nil, "", [len(whatIfFields)]bool{}, [policyField]int64{}
	}
	for i := range now {
		if text := c.whatIfValue(i); text == "" || text == strconv.FormatInt(s.values[i], 10) {
			s.typed[i] = false
		}
	}
	s.job, s.id, s.values = w.Job, w.ID, now
	s.predict(c)
}

// dropAnswers drops the answers about the previous results. If the user has just applied a change to a
// job, dropAnswers selects this job again, because its index may differ in the new results.
func (s *trial) dropAnswers(c *Explainer) {
	s.outcome, s.found, s.prediction, s.requestID, s.err = nil, nil, nil, 0, ""
	if row := s.row - 1; c.Why != nil && row >= 0 && row < len(c.JobOfRow) && c.JobOfRow[row] >= 0 {
		c.Why.Job = int(c.JobOfRow[row])
		s.job = c.Why.Job
		_ = session.CallCharts("select", fmt.Sprint(s.job))
	}
	s.row = 0
}

// ask sends a request to the worker. If the results are outdated or another task is running, it sets an error
// instead.
func (s *trial) ask(c *Explainer, kind string, head any) {
	if s.err = ""; !c.IsCurrent() || c.Task != 0 {
		s.err = "Wait until the schedules are up to date."
		return
	}
	s.requestID, s.progress = c.Post(kind, head, browser.Message{}), protocol.Progress{}
}

// predict asks the worker to predict, from the state at the time of the explanation, when the waiting jobs start. It
// asks only if the run is small and up to date, the job is waiting, no request is open, and there is no prediction.
func (s *trial) predict(c *Explainer) {
	if s.requestID == 0 && c.Ran.Jobs <= maxPredicted && c.Task == 0 && c.IsCurrent() && c.isWaiting() && !s.hasPrediction(c) {
		s.requestID, s.progress = c.Post("predict", protocol.Predict{At: c.Why.At}, browser.Message{}), protocol.Progress{}
	}
}

// hasPrediction reports whether there is a prediction for the time of the explanation.
func (s *trial) hasPrediction(c *Explainer) bool {
	return s.prediction != nil && s.prediction.At == c.Why.At
}

// isWaiting reports whether the selected job is waiting under at least one policy.
func (c *Explainer) isWaiting() bool {
	for _, a := range c.Answers() {
		if a.State == "waiting" {
			return true
		}
	}
	return false
}

// cancel cancels the open request, if any.
func (s *trial) cancel(c *Explainer) {
	c.CancelRequest(s.requestID)
	s.requestID = 0
}

// answer handles the worker's answer to the open request.
func (s *trial) answer(c *Explainer, m browser.Message) (err error) {
	if m.Kind == "progress" {
		return json.Unmarshal(m.Head, &s.progress)
	}
	s.requestID = 0
	switch m.Kind {
	case "supposed":
		s.outcome, c.ScrollTo = &protocol.WhatIfAnswer{}, "if-said"
		if s.focusAnswer {
			c.Focus = "if-said-title"
		}
		err = json.Unmarshal(m.Head, s.outcome)
	case "found":
		s.found, c.ScrollTo = &protocol.StartEarlierAnswer{}, "if-found"
		err = json.Unmarshal(m.Head, s.found)
	case "predicted":
		s.prediction = &protocol.Predicted{}
		err = json.Unmarshal(m.Head, s.prediction)
	case "error":
		var f protocol.Fault
		err = json.Unmarshal(m.Head, &f)
		s.err = f.Text
		return err
	}
	if err == nil && m.Kind != "cancelled" {
		s.predict(c) // while another request was open, the cursor may have moved to another time
	}
	return err
}

// TryWhatIf asks the worker what would happen if the job had the values in the form. If no value has changed,
// or a value is invalid, it sets an error instead.
func (c *Explainer) TryWhatIf() {
	s := &c.trial
	var changes []string
	for i, x := range whatIfFields {
		text := c.whatIfValue(i)
		switch {
		case i == policyField && (text == "" || text == shownPolicies), i < policyField && text == strconv.FormatInt(s.values[i], 10):
			continue
		}
		if n, err := strconv.ParseInt(text, 10, 64); x.name == "estimate" && c.Clock().Units && err == nil && n < c.Why.Runtime {
			s.err = fmt.Sprintf("estimate: expected at least %s (the runtime), got %s", c.Clock().Duration(c.Why.Runtime), s.texts[i])
			return
		}
		changes = append(changes, x.name+"="+text)
	}
	if changes == nil {
		s.err = "Change at least one value first."
		return
	}
	c.try(changes)
}

// try asks the worker for the effects of the changes. If one of the changes is invalid, it sets an error instead.
func (c *Explainer) try(changes []string) {
	for _, text := range changes {
		if _, err := whatif.Parse(text); err != nil {
			c.trial.err = err.Error()
			return
		}
	}
	c.trial.focusAnswer = false
	c.trial.ask(c, "whatif", protocol.WhatIf{Job: c.trial.job, Changes: changes})
}

// WhatIfButton is a button of the what-if form. If Changes is not empty, the button tries these changes. If Changes
// is empty and Result is predictStart, the button predicts the start. Otherwise, it searches for changes that make
// the job start earlier under the policy with index Result.
type WhatIfButton struct {
	ID, Text, Label string // Label: the text for screen readers
	Changes         []string
	Result          int
}

// WhatIfButtons returns the buttons that try a change or predict the start.
func (c *Explainer) WhatIfButtons() (out []WhatIfButton) {
	add := func(id, text string, changes ...string) {
		out = append(out, WhatIfButton{"if-" + id, text, text, changes, 0})
	}
	if c.Why.Estimate > c.Why.Runtime {
		add("exact", "Exact estimate", "exact")
	}
	add("remove", "Without this job", "remove")
	add("node", "One more node", "nodes=1")
	if c.isWaiting() && !c.trial.hasPrediction(c) && c.Ran.Jobs > maxPredicted {
		out = append(out, WhatIfButton{"if-predict", "Predict the start of the job", "Predict the start of the job", nil, predictStart})
	}
	return out
}

// EarlierButtons returns the buttons that search for changes that make the job start earlier.
func (c *Explainer) EarlierButtons() (out []WhatIfButton) {
	for _, a := range c.Answers() {
		i := a.Result
		if c.Ran != nil && i < len(c.Ran.Results) && c.Ran.Results[i].IsExternal { // an external schedule has no policy to try
			continue
		}
		out = append(out, WhatIfButton{fmt.Sprintf("if-sooner-%d", i), a.Title, fmt.Sprintf("Try under %s: find changes that start the job earlier", a.Title), nil, i})
	}
	return out
}

// PressWhatIfButton performs the action of a button.
func (c *Explainer) PressWhatIfButton(b WhatIfButton) {
	switch {
	case b.Changes != nil:
		c.try(b.Changes)
	case b.Result == predictStart:
		c.trial.ask(c, "predict", protocol.Predict{At: c.Why.At})
		c.Focus = "if-title" // the pressed button disappears
	default:
		c.trial.ask(c, "sooner", protocol.StartEarlier{Job: c.trial.job, Result: b.Result})
	}
}

// CancelWhatIf cancels the open what-if request.
func (c *Explainer) CancelWhatIf() {
	c.trial.cancel(c)
	c.trial.err, c.Focus = "Cancelled.", "if-title"
}

// appliedNotice is the notice after the page has applied a what-if change to the scenario.
const appliedNotice = "The change was applied to the scenario. Undo reverts it."

// ApplyWhatIf applies the change that was tried last to the document, as a single undo step.
func (c *Explainer) ApplyWhatIf() {
	outcome := c.Outcome()
	if outcome == nil {
		return
	}
	row := c.RowOfJob(outcome.Job)
	ran := &job.Job{ID: outcome.ID, Runtime: c.Why.Runtime, Request: job.Request{Estimate: c.Why.Estimate}}
	d := *c.Doc()
	for _, text := range outcome.Changes {
		x, err := whatif.Parse(text)
		if err == nil {
			d, err = d.ApplyWhatIf(&x, row, ran, document.NoPause)
		}
		if err != nil {
			c.trial.err = err.Error()
			return
		}
	}
	c.trial.row = c.rowIn(&d, row, outcome.ID) + 1
	c.Focus = "if-title"
	if c.trial.row == 0 {
		c.CloseWhy()
		c.Focus = "why-title"
	}
	c.Do("", d)
	c.Notice = appliedNotice
}

// rowIn returns the row of a job in the changed document d, or -1 if the change removed the job. If
// the change removed a job above it, the job has moved up by one row.
func (c *Explainer) rowIn(d *document.Doc, row int, name string) int {
	if removed := c.Doc().Rows.Len() - d.Rows.Len(); removed == 0 {
		return row
	}
	for _, i := range []int{row, row - 1} {
		if i >= 0 && i < d.Rows.Len() && d.Rows.At(i).Name == name {
			return i
		}
	}
	return -1
}
