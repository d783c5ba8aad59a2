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

// Start starts the worker. If runsScripts is set, the worker runs the program that can run scripts, otherwise
// the main program.
func (c *Session) Start() (err error) {
	name := "main"
	if c.runsScripts {
		name = "scripts"
	}
	c.worker, err = browser.Spawn(name, c.receive)
	return err
}

// needsScripts reports whether the document has a policy written as a script and the worker cannot run
// scripts.
func (c *Session) needsScripts() bool { return !c.runsScripts && c.Doc().HasScript() }

// startScripts replaces the worker by one that runs scripts, and then runs the document.
func (c *Session) startScripts() {
	c.runsScripts = true
	if c.worker != nil {
		_ = c.worker.Terminate()
	}
	c.forgetWorker()
	if err := c.Start(); err != nil {
		c.Failure = err.Error()
		return
	}
	c.resume(true)
}

// WithScripts calls f as soon as no run is in progress and the worker runs the program wasm/script. This program can
// run scripts and search for counterexamples. WithScripts replaces the worker if necessary. If the user edits the
// document or cancels before the call, it does not call f.
func (c *Session) WithScripts(f func()) {
	if c.runsScripts && c.Task == 0 {
		f()
		return
	}
	current := c.Doc()
	c.whenRun = func() {
		if c.Doc() == current {
			f()
		}
	}
	if !c.runsScripts {
		c.startScripts()
	}
}

// ReportChange adds a sentence to the notice after the next run of the document. The sentence compares the metrics of
// the baseline with `before`, the results before the edit. ReportChange does nothing if `before` is nil. It also does
// nothing in a lesson, because a question of the lesson may ask for this comparison. It adds no sentence if the run is
// not completed or has another baseline, or if the document or the notice changes before the run ends.
func (c *Session) ReportChange(before *protocol.Ran) {
	if before == nil || c.Events.InLesson() {
		return
	}
	notice, current := c.Notice, c.Doc()
	c.whenRun = func() {
		if c.Doc() != current || c.Notice != notice || !c.IsComplete() {
			return
		}
		if text := c.changeSince(before); text != "" {
			c.Notice += " " + text
		}
	}
}

// afterRun calls whenRun once no task is in progress, if WithScripts or ReportChange has set whenRun. It
// calls this function only once.
func (c *Session) afterRun() {
	if use := c.whenRun; use != nil && c.Task == 0 {
		c.whenRun = nil
		use()
	}
}

// AsksForScriptConsent reports whether the document came from a link and has a script that the user has not allowed to
// run yet. Until then the scenario does not run.
func (c *Session) AsksForScriptConsent() bool { return c.ScriptsNeedConsent && c.Doc().HasScript() }

// AllowScripts runs the scripts of a document that came with a link.
func (c *Session) AllowScripts() {
	c.ScriptsNeedConsent = false
	c.RunEdited()
}

// Post sends a request and returns its ID.
func (c *Session) Post(kind string, head any, m browser.Message) int {
	c.lastID++
	m.Kind, m.ID = kind, c.lastID
	m.Head, _ = json.Marshal(head)
	if c.worker != nil {
		if err := c.worker.Post(m); err != nil {
			c.Failure = err.Error()
		}
	}
	return c.lastID
}

// OpenFile opens a file. The argument procs is the number of processors of the machine. If procs is 0, the number comes
// from the file, or from the current machine if the file does not contain it.
func (c *Session) OpenFile(f browser.FileRef, procs int) {
	c.ReopenFile(f, protocol.Open{Procs: procs})
}

// ReopenFile opens a file again, with the given options.
func (c *Session) ReopenFile(f browser.FileRef, ask protocol.Open) {
	ask.Name, ask.CurrentProcs, ask.Extras = f.Name(), c.Doc().Slots(), c.Doc().Extras()
	c.ReadFile(ask, browser.Message{File: f}, nil)
	c.File, c.FileContentID = f, c.NewContentID()
}

// ReadFile makes the worker read the content of a message. It cancels the current run. It passes the opened document to
// onOpened. If onOpened is nil, the document replaces the current one.
func (c *Session) ReadFile(ask protocol.Open, m browser.Message, onOpened func(document.Doc, *protocol.Opened)) {
	c.cancelPendingRun()
	c.Failure, c.Notice = "", ""
	c.BeginTask(c.Post("open", ask, m))
	c.taskOpens, c.WorkerHasJobs, c.OnOpened, c.FileContentID = true, false, onOpened, 0 // the worker may soon hold other jobs
}

// GenerateJobs makes the worker generate the jobs of scenario s with the generator of s. It passes the resulting
// document to onOpened.
func (c *Session) GenerateJobs(s *scenario.Scenario, onOpened func(document.Doc, *protocol.Opened)) {
	c.ReadFile(protocol.Open{Name: "generated jobs"}, browser.Message{Bufs: [][]byte{scenario.Format(s)}}, onOpened)
}

// ShowsResults reports whether the page shows results. Once the table of jobs has been empty, the
// page shows no results until new ones arrive. It also shows none while it asks for the machine.
func (c *Session) ShowsResults() bool { return c.Ran != nil && !c.Emptied && !c.AsksMachine() }

// NothingToExport returns the notice for an attempt to export schedules while the page shows none.
func (c *Session) NothingToExport() string {
	if c.LacksOnlyJobs() {
		return c.FirstFixNotice("export the schedules")
	}
	return "There are no schedules to export yet. Export them once the run is done."
}

// PostExport requests an exported file and returns the ID of the request.
func (c *Session) PostExport(what string, result int) int {
	return c.Post("export", protocol.Export{What: what, Result: result}, browser.Message{})
}

// AskWhy selects the job with this index and asks the worker why the job waits or runs at a time. The time -1 stands
// for the start of the job (see timeToAsk). If the index is negative or there are no results, AskWhy unselects the
// job.
func (c *Session) AskWhy(index int, at int64) {
	c.Events.Viewed()
	if index < 0 || c.ShownPlan == nil {
		c.Why, c.nextWhy, c.whyRequest = nil, nil, 0
		return
	}
	c.lastWhyJobID = ""
	if row := slices.Index(c.JobOfRow, int32(index)); row >= 0 {
		c.lastWhyJobID = c.ShownPlan.Rows.At(row).Name
		if c.IsCurrent() {
			c.Events.Selected(row)
		}
	}
	c.lastWhy, c.nextWhy = protocol.Why{Job: index, At: c.timeToAsk(at)}, nil
	c.whyRequest = c.Post("why", c.lastWhy, browser.Message{})
	c.Announce = true
}

// lastQuestion returns the last question about a job, which may still be unanswered. ok is false if
// no job is selected.
func (c *Session) lastQuestion() (q protocol.Why, ok bool) {
	switch {
	case c.whyRequest != 0:
		return c.lastWhy, true
	case c.Why != nil:
		return protocol.Why{Job: c.Why.Job, At: c.Why.At}, true
	}
	return q, false
}

// timeToAsk returns the time of a question about a job. While a lesson hides later events, it replaces -1
// (the start of the job) by the time that the player shows. Otherwise, the answer might reveal a later start.
func (c *Session) timeToAsk(at int64) int64 {
	if at < 0 && c.Events.HidesLaterEvents() {
		return c.Events.PlayedAt()
	}
	return at
}

// ShowAt asks about the selected job at another time. While a request is unanswered, ShowAt only stores
// the time for the next request. The worker then need not answer for every position of a moving cursor.
func (c *Session) ShowAt(at int64) {
	switch {
	case c.Why == nil || !c.IsCurrent():
	case c.whyRequest != 0:
		c.nextWhy = &protocol.Why{Job: c.lastWhy.Job, At: at}
	default:
		c.AskWhy(c.Why.Job, at)
		c.Announce = false // the charts have announced the time
	}
}

// Cancel cancels the current task, or the current change of many rows. Results that have arrived
// stay.
func (c *Session) Cancel() {
	if c.EditProgress.Phase != "" {
		c.EditCancelled = true
		return
	}
	if c.Task == 0 {
		return
	}
	c.CancelRequest(c.Task)
	c.Events.Failed(c.Task) // the task may be a request of the charts for a decision
	c.Task, c.whenRun = 0, nil
	c.Notice = "Cancelled."
	if !c.taskOpens && !c.IsComplete() {
		c.Halted = true
		c.Notice = "Cancelled. Charts and metrics do not show the current scenario."
		if c.IsCurrent() {
			c.Notice = "Cancelled. Charts and metrics show the policies that had finished."
		}
	}
	c.RunIfOutdated()
}

// CanRunAgain reports whether the page offers to repeat the last run, because the user cancelled it or it
// crashed the worker twice.
func (c *Session) CanRunAgain() bool {
	return c.Halted && c.Task == 0 && c.Plan != nil && !c.IsComplete()
}

// RunAgain repeats the last run if CanRunAgain returns true.
func (c *Session) RunAgain() {
	if c.CanRunAgain() {
		c.run()
	}
}

// Busy reports whether a task takes long enough to show its progress.
func (c *Session) Busy() bool { return c.currentProgress().Phase != "" }

// currentProgress returns the progress of the current task or change of many rows. It is empty if
// there is none.
func (c *Session) currentProgress() *protocol.Progress {
	switch {
	case c.EditProgress.Done > 0: // a change without reported progress is too short to be shown
		return &c.EditProgress
	case c.Task != 0:
		return &c.Progress
	}
	return &protocol.Progress{}
}

// BusyText describes the current task.
func (c *Session) BusyText() string { return widgets.ProgressText(c.currentProgress()) }

// BusyFraction returns the completed fraction of the current task, for a progress element.
func (c *Session) BusyFraction() float64 {
	if p := c.currentProgress(); p.Total > 0 {
		return float64(p.Done) / float64(p.Total)
	}
	return 0
}

// Interrupt cancels the current task after the scenario was anonymised, because the results of the
// task would contain the original names. If the task reads an external schedule, it is repeated
// after the next run.
func (c *Session) Interrupt() {
	if c.Task == 0 {
		return
	}
	c.CancelRequest(c.Task)
	c.Task = 0
	if x := &c.External; x.request != 0 {
		x.request, x.repeat = 0, true
	}
}

// CancelRequest cancels a request; ID 0 is ignored.
func (c *Session) CancelRequest(id int) {
	if id != 0 && c.worker != nil {
		_ = c.worker.Post(browser.Message{Kind: "cancel", ID: id, Head: []byte("{}")})
	}
}

// Source is a file that the user has opened, with the report about it.
type Source struct {
	File   browser.FileRef  // zero if Restored
	Opened *protocol.Opened // the report
	Jobs   document.Rows    // the rows as they were read

	Restored bool // only the report was restored after a reload, without the file
}

// mostSources is the largest number of opened files whose reports the page keeps, so that undo can
// show them again.
const mostSources = 20

// AddSource records an opened file from which the jobs of the document come.
func (c *Session) AddSource(s Source) {
	if c.sources = append(c.sources, s); len(c.sources) > mostSources {
		c.sources = c.sources[1:]
	}
}

// ReplaceByFile replaces the current document by the scenario of an opened file.
func (c *Session) ReplaceByFile(d document.Doc, s Source) {
	c.AddSource(s)
	c.Replace(d)
}

// SourceFile returns the file from which the current jobs come, nil if there is none.
func (c *Session) SourceFile() *Source {
	for i := range c.sources {
		if s := &c.sources[i]; s.Jobs.Same(c.Doc().Origin) {
			return s
		}
	}
	return nil
}

// Source returns the report about the file from which the current jobs come, nil if there is none.
func (c *Session) Source() *protocol.Opened {
	if s := c.SourceFile(); s != nil {
		return s.Opened
	}
	return nil
}

// AsksMachine reports whether the user still has to accept or change the machine that is
// proposed for accounting records. Until then the scenario does not run.
func (c *Session) AsksMachine() bool { return c.Doc().MachineIsProposed }

// Records returns the summary of the accounting records from which the current jobs come. It
// returns nil for other jobs, and if the page no longer has the file.
func (c *Session) Records() *protocol.Records {
	if s := c.SourceFile(); s != nil && !s.Restored {
		return s.Opened.Records
	}
	return nil
}
