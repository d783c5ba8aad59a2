package session

import (
	"fmt"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// Do replaces the current document by an edited one. If Events.Locked forbids the edit, Do does nothing. Consecutive
// edits with the same non-empty key form one undo step. Do also removes the last notice, because the notice
// refers to the previous document.
func (c *Session) Do(key string, d document.Doc) {
	if c.Events.Locked(c.Doc(), &d) {
		return
	}
	c.Notice = ""
	c.ReplaceUnchecked(key, d)
}

// ReplaceUnchecked replaces the current document even if Events.Locked forbids the edit. Use Do for
// edits by the user.
func (c *Session) ReplaceUnchecked(key string, d document.Doc) {
	before := *c.Doc()
	c.history.Do(key, d)
	c.showWhole(&before)
	c.HandleChange()
}

// showWhole makes the charts show the whole time range of the next results if an operation on all jobs, or its undo,
// has changed the first or last submit time. The argument is the document before this change.
func (c *Session) showWhole(before *document.Doc) {
	if c.Doc().LastRules == before.LastRules {
		return
	}
	a, b := before.Rows.Summary(), c.Doc().Rows.Summary()
	if a.First != b.First || a.Last != b.Last {
		_ = CallCharts("whole", "")
	}
}

// DoText is like Do, for an edit of texts that do not affect schedules, such as the title. It does not run the
// scenario. It keeps the last notice, unless the notice mentions Undo, because Undo would now revert this edit.
func (c *Session) DoText(key string, d document.Doc) {
	if c.Events.Locked(c.Doc(), &d) {
		return
	}
	if c.OffersUndo() {
		c.Notice = ""
	}
	c.history.Do(key, d)
	c.Edits++
	c.Events.Viewed()
	c.Events.Edited()
}

// Undo reverts the last edit.
func (c *Session) Undo() { c.undoOrRedo((*document.History).Undo, (*document.History).Redo) }

// Redo applies the last undone edit again.
func (c *Session) Redo() { c.undoOrRedo((*document.History).Redo, (*document.History).Undo) }

// undoOrRedo calls apply, which is Undo or Redo. If Events.Locked forbids the change, undoOrRedo then calls revert,
// the inverse of apply.
func (c *Session) undoOrRedo(apply, revert func(*document.History) error) {
	before := *c.Doc()
	if err := apply(c.history); err != nil {
		c.Notice = fmt.Sprintf("This step cannot be undone or redone: %v.", err)
		return
	}
	if c.Events.Locked(&before, c.Doc()) {
		_ = revert(c.history) // this cannot fail, because the previous document is already unpacked
		return
	}
	c.Notice = ""
	if c.Doc().Origin.Same(before.Origin) {
		c.showWhole(&before)
	} else { // the selected job and the cursor belong to other jobs
		c.Why, c.nextWhy, c.whyRequest = nil, nil, 0
		_ = CallCharts("clear", "")
	}
	c.HandleChange()
}

// HandleChange must be called after every change of the document, except changes of texts (see DoText).
// It checks and runs the document.
func (c *Session) HandleChange() {
	c.Edits++
	c.Events.Viewed()
	c.External.rename()
	c.External.refresh()
	c.Check()
}

// Check checks the document and runs it if it has no errors. See Rerun for the other conditions.
func (c *Session) Check() {
	c.Plan, c.Bad = c.Doc().Check()
	if c.Doc().Rows.Len() == 0 { // nothing runs, so no result replaces the explanation of a deleted job
		c.Emptied, c.Why, c.nextWhy, c.whyRequest = true, nil, nil, 0
	}
	c.Events.Edited()
	c.RunEdited()
}

// Replace replaces the current document by another scenario. Undo restores the previous document. If an external
// schedule was anonymised together with the old scenario, Replace drops the schedule, which would otherwise show its
// original names again.
func (c *Session) Replace(d document.Doc) {
	if before := c.Doc().Names; d.Names != before && (d.Names == nil || d.Names.Previous != before) {
		c.External.Forget()
	}
	c.Why, c.nextWhy, c.whyRequest, c.Notice, c.LinkedView = nil, nil, 0, "", nil
	c.Events.Replaced()
	_ = CallCharts("whole", "")
	c.ReplaceUnchecked("", d)
}

// StartOver replaces the current document by an example or a lesson. It also resets what the
// page showed of the old scenario: selection, cursor, window, search, colours and answers.
// Undo restores only the document.
func (c *Session) StartOver(d document.Doc) {
	c.ReselectRow, c.Asked = 0, false
	c.Events.Started()
	_ = CallCharts("clear", "")
	c.Replace(d)
}

// Download lets the user save a file made from the current plan.
func (c *Session) Download(name, mime string, write func(*document.Plan) []byte) {
	c.CloseMenu()
	if c.Plan == nil {
		c.Notice = c.FirstFixNotice("save it")
		return
	}
	if err := browser.Download(name, mime, write(c.Plan)); err != nil {
		c.Notice = err.Error()
	}
}

// InSteps calls change, which edits n rows, and then calls done with the resulting document. If there are many rows,
// the change function works in steps, the page shows progress, and the user can cancel. InSteps does nothing if other
// background work is in progress.
func (c *Session) InSteps(phase string, n int, change func(pause func(done int) error) (document.Doc, error), done func(document.Doc, error)) {
	if n <= liveRows && c.EditProgress.Phase == "" {
		done(change(document.NoPause))
		return
	}
	var d document.Doc
	c.InBackground(phase, n, jobsUnchanged, func(pause func(done int) error) (err error) {
		d, err = change(pause)
		return err
	}, func(err error) { done(d, err) })
}

// Unchanged holds the notices for background work that changed nothing. Cancelled is the notice if the
// user cancelled the work. Edited is the notice if the user edited the document before the work was
// done.
type Unchanged struct{ Cancelled, Edited string }

// jobsUnchanged holds the notices for edits of many rows.
var jobsUnchanged = Unchanged{"Cancelled. The jobs are unchanged.", "The scenario changed during the operation, so the jobs were left unchanged."}

// InBackground calls work, which processes n rows, in a goroutine, and shows its progress. Then it calls done with the
// error that work returned. If the user cancels, or edits the document before work returns, the pause function that
// work receives returns ErrChanged. The page then shows one of the notices, and InBackground does not call done.
// InBackground does nothing if other background work is in progress.
func (c *Session) InBackground(phase string, n int, notices Unchanged, work func(pause func(done int) error) error, done func(error)) {
	if c.EditProgress.Phase != "" {
		return
	}
	c.EditProgress = protocol.Progress{Phase: phase, Total: int64(n), Unit: "jobs"}
	c.EditCancelled = false
	edits := c.Edits
	go func() {
		defer browser.Recover(phase)
		err := work(c.StepPacer(func() bool { return c.Edits == edits && !c.EditCancelled }))
		c.Env.Lock()
		defer c.Env.UnlockRender()
		c.EditProgress = protocol.Progress{}
		switch {
		case c.EditCancelled:
			c.Notice = notices.Cancelled
		case c.Edits != edits:
			c.Notice = notices.Edited
		default:
			done(err)
		}
	}()
}

// StepPacer is like PauseFunc, but the pause function also reports the progress of a change of many rows.
func (c *Session) StepPacer(wanted func() bool) func(done int) error {
	var pace browser.Pace
	reported := 0
	return func(done int) error {
		if pace.YieldIfDue() && (done < reported || done-reported > 1<<16) {
			reported = done
			c.Env.Lock()
			c.EditProgress.Done = int64(done)
			c.Env.UnlockRender()
		}
		if !wanted() {
			return ErrChanged
		}
		return nil
	}
}

// IsCurrent reports whether the results belong to the current document.
func (c *Session) IsCurrent() bool { return c.ShownPlan != nil && c.ShownPlan == c.Plan }

// IsComplete reports whether the results belong to the current document and no policy is missing.
func (c *Session) IsComplete() bool { return c.IsCurrent() && len(c.Ran.Pending) == 0 }

// ShowTab shows another tab of the editing panel.
func (c *Session) ShowTab(tab string) {
	c.Tab = tab
	c.Events.TabShown()
	c.Events.Viewed()
}

// OpenTab shows a tab of the editing panel, and opens the panel if the screen is narrow.
func (c *Session) OpenTab(tab string) {
	c.ShowTab(tab)
	c.Drawer = "edit"
}

// ForgetResults drops the results and the answers about them.
func (c *Session) ForgetResults() {
	c.Ran, c.ShownPlan, c.JobOfRow, c.jobRows, c.hues, c.Failure = nil, nil, nil, nil, hues{}, ""
	c.Why, c.nextWhy, c.whyRequest, c.whyFirst, c.ReselectRow = nil, nil, 0, 0, 0
}

// AnswerClass returns the CSS class of an answer about results. It is "old" if the results are
// outdated or a new request is unanswered, otherwise "now". requestID is the ID of this request, 0
// if there is none.
func (c *Session) AnswerClass(requestID int) string {
	if !c.IsCurrent() || requestID != 0 {
		return "old"
	}
	return "now"
}
