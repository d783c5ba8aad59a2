package lessons

import (
	"encoding/json"
	"fmt"
	"slices"

	"backfill-lab/core/policy/script"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// The last page of a lesson with an exercise shows its task. If the scenario has a policy written as a
// script, students write this policy. Otherwise they build the workload. The worker checks what they submit.

// check records a request to check a submission until the worker has answered the request.
type check struct {
	request int         // ID of the request, 0 if none
	lesson  *openLesson // the lesson that was open when the check began
	edits   int         // Edits of the session when the check began
}

// HasTask reports whether the current page has a task.
func (c *Lessons) HasTask() bool {
	return c.open != nil && c.open.Exercise != nil && c.open.page == c.open.last()
}

// EditTask opens the tab with what the student has to edit, and moves the keyboard focus there.
func (c *Lessons) EditTask() { c.Drawer, c.Focus = "edit", c.showTaskTab() }

// scrollToTask shows what the student has to edit, and scrolls there. In a frame, where the task is below
// the charts, it does not scroll, so that the lesson stays in view.
func (c *Lessons) scrollToTask() {
	if element := c.showTaskTab(); !c.Embedded {
		c.ScrollTo = element
	}
}

// showTaskTab shows the tab with what the student has to edit, and returns the ID of the element to edit.
func (c *Lessons) showTaskTab() (element string) {
	i := slices.IndexFunc(c.Doc().Policies, func(p document.Policy) bool { return p.Name == script.Name })
	if i < 0 {
		c.ShowTab("jobs")
		return "cell-0-0"
	}
	c.ShowTab("policies")
	return fmt.Sprintf("script-%d", i)
}

// CheckDisabled returns "true" if the button that checks a script is disabled, because the user has
// not allowed scripts to run.
func (c *Lessons) CheckDisabled() string { return fmt.Sprint(c.AsksForScriptConsent()) }

// Check sends the submission to the worker, which checks it. If the scenario has errors, Check shows
// a notice instead.
func (c *Lessons) Check() {
	switch {
	case c.AsksForScriptConsent() || c.isChecking():
		return
	case c.Plan == nil:
		c.Notice = c.FirstFixNotice("check")
		return
	}
	c.Notice = ""
	l, edits := c.open, c.Edits
	q := protocol.Refute{Exercise: l.Exercise, Submission: string(c.Doc().File(c.Plan))}
	c.WithScripts(func() {
		c.check = check{c.Post("refute", q, browser.Message{}), l, edits}
		c.BeginTask(c.check.request)
	})
}

func (c *Lessons) isChecking() bool { return c.check.request != 0 && c.check.request == c.Task }

// stopCheck cancels the check of a submission, because the lesson is being closed.
func (c *Lessons) stopCheck() {
	if c.isChecking() {
		c.CancelRequest(c.Task)
		c.Task = 0
	}
}

// HandleAnswer handles the answer to a check. It returns false if m is not such an answer.
func (c *Lessons) HandleAnswer(m browser.Message) (bool, error) {
	x := c.check
	if m.Kind != "refuted" || m.ID != x.request {
		return false, nil
	}
	if c.check = (check{}); m.ID != c.Task || x.lesson != c.open {
		return true, nil // the check was cancelled
	}
	c.Task = 0
	l := c.open
	l.result, l.edits = protocol.Refuted{}, x.edits
	if err := json.Unmarshal(m.Head, &l.result); err != nil {
		return true, err
	}
	c.recordFinished()
	if !c.Doc().HasScript() {
		c.seekDifference()
	}
	c.Graded(l.result.Grade)
	return true, nil
}

// seekDifference moves the charts to the time and the job in the result of the last check: the first
// different decision, or the broken rule. If the charts do not show the checked workload yet, they move when
// they show it. If the result names no job, seekDifference does nothing.
func (c *Lessons) seekDifference() {
	if r := &c.open.result; r.Job != "" {
		c.LinkedView = &link.View{Cursor: r.At, Job: r.Job}
		if c.IsComplete() {
			c.ApplyLinkedView()
		}
	}
}

// TaskResult describes the result of the last check of the submission. It returns "" before the
// first check.
func (c *Lessons) TaskResult() string { return c.open.result.Title }

// TaskStale says that the scenario has changed since the last check. It returns "" if the scenario has
// not changed.
func (c *Lessons) TaskStale() string {
	if c.open.result.Title == "" || c.open.edits == c.Edits {
		return ""
	}
	return "The scenario has changed since this check."
}

// Unwritten reports whether a policy is still the script that the open exercise starts from. This script may be
// incomplete, so its failure is not an error of the student.
func (c *Lessons) Unwritten(policy int) bool {
	return c.open != nil && c.open.Exercise != nil && c.Doc().Policies[policy].Name == script.Name && policiesText(c.Doc()) == c.open.policies
}

// TaskStart says why the script from which the exercise starts has no chart. It returns "" if the script has a
// chart, or if the current scenario has not run yet.
func (c *Lessons) TaskStart() string {
	if c.Skipped == 0 || c.RunPlan != c.Plan {
		return ""
	}
	return "The script is not complete yet, so it has no chart. Press Edit to write it."
}

// CanShowExample reports whether there is a workload on which the script failed.
func (c *Lessons) CanShowExample() bool {
	return c.open.result.Scenario != nil && c.Doc().HasScript()
}

// ShowExample shows the workload on which the check failed, at the first different decision or the broken rule. It
// does not change the student's script.
func (c *Lessons) ShowExample() {
	before := *c.Doc()
	if c.showWorkload(c.open.result.Scenario) {
		c.open.before = &before
		c.seekDifference()
		c.ScrollTo = "charts"
	}
}

// CanReturn reports whether the task is to write a policy and the page shows a workload other than that
// of the lesson.
func (c *Lessons) CanReturn() bool {
	return c.HasTask() && c.Doc().HasScript() && workloadText(c.Doc()) != c.open.workload
}

// ReturnToTask restores the workload that the page showed before ShowExample. If the page no longer has it,
// ReturnToTask shows the workload of the lesson. The script stays.
func (c *Lessons) ReturnToTask() {
	if d := c.open.before; d != nil {
		c.replaceWorkload(*d)
	} else {
		c.showWorkload(c.open.Scenario)
	}
	c.open.before, c.Focus = nil, "task-check"
}

// showWorkload replaces the workload by the workload of a scenario in JSON. If the scenario is invalid,
// showWorkload shows a notice and returns false.
func (c *Lessons) showWorkload(text []byte) bool {
	d, err := document.Read(text)
	if err != nil {
		c.Notice = err.Error()
		return false
	}
	c.replaceWorkload(d)
	return true
}

// replaceWorkload replaces the document by d, but keeps the title, the text and the policies. This is one undo
// step. If the user has removed the built-in policy, the document has fewer policies than d. It then gets the policies
// of d.
func (c *Lessons) replaceWorkload(d document.Doc) {
	now := c.Doc()
	if len(now.Policies) >= len(d.Policies) {
		d.Policies = now.Policies
	}
	d.Title, d.Text, d.Lesson, d.ContentID = now.Title, now.Text, now.Lesson, now.ContentID
	fresh := c.TaskStale() == ""
	c.player.Close()
	c.Events.JobsReplaced()
	c.ReplaceUnchecked("", d)
	_ = session.CallCharts("whole", "")
	if fresh {
		c.open.edits = c.Edits
	}
}
