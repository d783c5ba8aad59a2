package session

import (
	"fmt"

	"backfill-lab/core/anonymise"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// External controls the external schedule, which the page shows together with the schedules of the
// policies. The worker holds the schedule. External holds the state of requests, and the file of
// the schedule, which a restarted worker must read again.
type External struct {
	session *Session

	file    browser.FileRef         // the file of the schedule, zero if none
	pending browser.FileRef         // the file of the last request, zero if that request removed the schedule
	choice  *protocol.RecordsChoice // how to read accounting records, nil for other files
	own     bool                    // the schedule is the actual schedule of an opened file
	owner   browser.FileRef         // this file, as it was opened
	request int                     // ID of the unanswered request, 0 if none
	noRun   bool                    // do not run the scenario after the answer, because its last run crashed the worker
	repeat  bool                    // a run or an anonymisation cancelled the request, or it is outdated; repeat it after the next run
	again   bool                    // the request reads the schedule again, so it keeps the last notice
	offer   browser.FileRef         // the last file that has start times but is no workload, which the page offers to show; zero if none
	offerTo document.Rows           // Origin of the documents for which the page offers this file

	base      *anonymise.Names // Doc.Names when the file was added
	namesSent *anonymise.Names // Doc.Names when the names were last sent to the worker

	ContentID int // number of the content (see NewContentID), 0 if there is no schedule
}

// rename makes the worker show the schedule with the job names of the scenario. These are the new names
// after the scenario was anonymised, and the original names after an undo.
func (x *External) rename() {
	names := x.session.Doc().Names
	if x.namesSent == names {
		return
	}
	x.namesSent = names
	q, m := protocol.Rename{}, browser.Message{}
	if r := names.RenamingSince(x.base); r != nil {
		q.Anonymous, q.Earlier = true, r.Shift
		m.Bufs = [][]byte{protocol.EncodeTexts(r.Pairs)}
	}
	x.session.Post("rename", q, m)
}

// refresh handles a schedule that comes from the accounting records of the current jobs, after the page has read these
// jobs in another way. The schedule is then outdated, so the worker drops it, and reads it again after the next run.
func (x *External) refresh() {
	s := x.session.SourceFile()
	if s == nil || !x.isOf(s) || s.Opened.Records == nil || sameStarts(x.choice, &s.Opened.Records.RecordsChoice) {
		return
	}
	if !s.Opened.HasStarts {
		x.Forget()
		return
	}
	if x.request == 0 && !x.repeat {
		x.pending = x.file
	}
	x.choice, x.request, x.repeat, x.again = &s.Opened.Records.RecordsChoice, 0, true, true
	x.session.Post("rename", protocol.Rename{Drop: true}, browser.Message{})
	x.namesSent = x.base
	x.rename()
}

// isOf reports whether the schedule is the actual schedule of an opened file.
func (x *External) isOf(s *Source) bool { return x.own && x.owner.Same(s.File) }

// sameStarts reports whether two ways to read accounting records give the same starts. Limits and extra resources do
// not affect starts.
func sameStarts(a, b *protocol.RecordsChoice) bool {
	return a != nil && a.Partition == b.Partition && a.Unit == b.Unit && a.SubmitTime == b.SubmitTime
}

// Add lets the user select a file with a schedule.
func (x *External) Add() {
	_ = browser.PickFile(".csv,.gz,.txt,.swf,.sacct", func(f browser.FileRef) {
		x.session.Env.Lock()
		defer x.session.Env.UnlockRender()
		x.showFile(f)
	})
}

// Drop removes the schedule.
func (x *External) Drop() {
	x.own, x.ContentID, x.again = false, 0, false
	x.setFile(browser.FileRef{})
	x.session.Focus = "add-schedule"
}

// Offer makes the page offer to show a file as a schedule, although the file cannot be opened as a workload. The offer
// ends when other jobs replace the current ones.
func (x *External) Offer() { x.offer, x.offerTo = x.session.File, x.session.Doc().Origin }

// Offered reports whether the page offers to show a file as a schedule.
func (x *External) Offered() bool { return x.offered().Valid() && !x.session.AsksMachine() }

// offered returns the file that the page offers to show as a schedule, zero if there is none. This is the file of
// the current jobs, if it has start times that the page does not show yet, or a file that cannot be opened as a
// workload (see Offer).
func (x *External) offered() browser.FileRef {
	switch {
	case x.offer.Valid() && x.offerTo.Same(x.session.Doc().Origin):
		return x.offer
	case x.sourceHasMore():
		return x.session.SourceFile().File
	}
	return browser.FileRef{}
}

// sourceHasMore reports whether the file of the current jobs has start times that the page does not show as a schedule.
func (x *External) sourceHasMore() bool {
	s := x.session.SourceFile()
	return s != nil && s.Opened.HasStarts && !x.isOf(s)
}

// NeedsFile reports whether a reload has lost an opened file with start times. The user must select this file again
// before the page can show these start times as a schedule.
func (x *External) NeedsFile() bool {
	s := x.session.SourceFile()
	return s != nil && s.Restored && s.Opened.HasStarts && !x.Exists() && !x.session.AsksMachine()
}

// FileText says which file the page has lost.
func (x *External) FileText() string {
	return "The page no longer has the file " + x.session.Source().Name + "."
}

// ShowOffered shows the offered file as a schedule.
func (x *External) ShowOffered() {
	f := x.offered()
	x.offer = browser.FileRef{}
	x.showFile(f)
}

// showFile shows the schedule in a file that the user selected.
func (x *External) showFile(f browser.FileRef) {
	x.base, x.namesSent, x.choice, x.ContentID = x.session.Doc().Names, x.session.Doc().Names, nil, x.session.NewContentID()
	x.own, x.again = false, false
	if s := x.session.SourceFile(); s != nil {
		x.own, x.owner = s.Opened.Name == f.Name(), s.File
		if s.Opened.Records != nil {
			x.choice = &s.Opened.Records.RecordsChoice
		}
	}
	x.session.Post("rename", protocol.Rename{}, browser.Message{})
	x.setFile(f)
}

// Forget removes the schedule at once, without a run.
func (x *External) Forget() {
	x.file, x.pending, x.request, x.repeat, x.base, x.namesSent, x.ContentID = browser.FileRef{}, browser.FileRef{}, 0, false, nil, x.session.Doc().Names, 0
	x.own, x.again = false, false
	x.session.Post("rename", protocol.Rename{Drop: true}, browser.Message{})
}

// setFile makes the worker read a file as the external schedule. If f is zero, it makes the worker
// remove the schedule.
func (x *External) setFile(f browser.FileRef) {
	x.session.cancelPendingRun()
	if x.session.Failure = ""; !x.again {
		x.session.Notice = ""
	}
	q := protocol.OpenExternal{Records: x.choice}
	if f.Valid() {
		q.Name = f.Name()
	}
	x.pending, x.repeat, x.noRun = f, false, false
	x.request = x.session.Post("external", q, browser.Message{File: f})
	x.session.BeginTask(x.request)
	x.session.RunPlan = x.session.ShownPlan
}

// receive handles the worker's answer, which is nil if there are no results yet.
func (x *External) receive(ran *protocol.Ran) {
	x.file, x.request = x.pending, 0
	if ran == nil {
		if x.session.Task = 0; !x.noRun {
			x.session.Rerun()
		}
		return
	}
	if ran.External != nil && ran.External.Unfit == "" && !x.again {
		x.session.Notice = fmt.Sprintf("%s is shown as an external schedule.", ran.External.Name)
	}
	if len(ran.Pending) > 0 { // reading the schedule has cancelled a run, so the results of some policies are missing
		x.session.Rerun()
		return
	}
	x.session.RunIfOutdated()
}

// handleCancelled records that the worker cancelled the request with this ID. If the worker did so
// because a run began, External repeats the request after the run.
func (x *External) handleCancelled(id int) {
	if id != 0 && id == x.request {
		x.request, x.repeat = 0, x.session.Task != 0
		x.own = x.own && x.repeat
	}
}

// handleFailed records that the request with this ID failed.
func (x *External) handleFailed(id int) {
	if id != 0 && id == x.request {
		x.request, x.own = 0, false
	}
}

// describe returns the worker's description of the schedule, nil if there is none.
func (x *External) describe() *protocol.External {
	if x.session.Ran == nil {
		return nil
	}
	return x.session.Ran.External
}

// Exists reports whether there is a schedule.
func (x *External) Exists() bool { return x.describe() != nil }

// AddLabel returns the label of the button that adds a schedule.
func (x *External) AddLabel() string {
	if x.Exists() {
		return "Another file…"
	}
	return "Choose a file…"
}

// Name returns the name of the schedule, "" if there is none.
func (x *External) Name() string {
	if a := x.describe(); a != nil {
		return a.Name
	}
	return ""
}

// Notes returns remarks about the schedule.
func (x *External) Notes() []string {
	if a := x.describe(); a != nil {
		return a.Notes
	}
	return nil
}

// UnfitReason explains why the page does not show the schedule. It returns "" if the page shows it.
func (x *External) UnfitReason() string {
	if a := x.describe(); a != nil && a.Unfit != "" {
		return fmt.Sprintf("%s is not shown: %s.", a.Name, a.Unfit)
	}
	return ""
}
