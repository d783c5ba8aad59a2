package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"backfill-lab/core/format"
	"backfill-lab/core/scenario"
	"backfill-lab/public/examples"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Examples returns the list of examples.
func (c *Files) Examples() []examples.Example { return examples.List }

// ShowExample opens an example.
func (c *Files) ShowExample(x examples.Example) {
	c.CloseMenu()
	d, err := document.Read([]byte(x.Scenario))
	if err != nil {
		c.Notice = err.Error()
		return
	}
	d.ContentID = c.NewContentID()
	c.StartOver(d)
}

// TraceTitle returns the title of the example that is a real trace.
func (c *Files) TraceTitle() string { return examples.Trace.Title }

// ShowTrace fetches the real trace and opens it.
func (c *Files) ShowTrace() {
	c.CloseMenu()
	c.Notice = "Fetching the trace."
	go func() {
		defer browser.Recover("fetching the trace")
		f, err := browser.FetchFile("trace", examples.Trace.File)
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if err != nil {
			c.Notice = fmt.Sprintf("The trace could not be fetched: %v. The page must be loaded from a web server, and the first fetch needs a network connection.", err)
			return
		}
		c.OpenFile(f, 0)
	}()
}

// describeTrace sets the title and the text of a document with the real trace, and gives it the policies of the first
// example.
func describeTrace(d *document.Doc) {
	d.Title, d.Text = examples.Trace.Title, examples.Trace.Text
	if first, err := document.Read([]byte(examples.List[0].Scenario)); err == nil {
		d.Policies = first.Policies
	}
}

// Open lets the user pick a file, and opens it.
func (c *Files) Open() {
	_ = browser.PickFile(".swf,.gz,.csv,.sacct,.json,.txt", func(f browser.FileRef) { c.Accept(f) })
}

// Accept asks the worker to read a file. The document changes only when the whole file is
// read. If the embedding page has locked a part, Accept only shows a notice.
func (c *Files) Accept(f browser.FileRef) {
	if c.Env != nil {
		c.Env.Lock()
		defer c.Env.UnlockRender()
	}
	if len(c.outer.Lock) > 0 {
		c.Notice = "This page does not allow opening files."
		return
	}
	c.OpenFile(f, 0)
}

// receiveOpened converts the worker's answer to a document, in steps. Until it is done, the user can go on
// working with the previous document.
func (c *Files) receiveOpened(m browser.Message) {
	defer browser.Recover("opening a file")
	o, rows, err := c.decodeOpened(m)
	if errors.Is(err, session.ErrChanged) {
		return
	}
	c.Env.Lock()
	defer c.Env.UnlockRender()
	if m.ID != c.Task {
		return
	}
	c.Task = 0
	if err == nil {
		err = c.useOpened(o, rows)
	}
	if err != nil {
		c.RunIfOutdated()
		c.Failure = fmt.Sprintf("The file could not be used: %v", err)
	}
	c.ContinueCalls()
}

// decodeOpened decodes the worker's answer in steps, so that the page stays responsive. It
// returns session.ErrChanged if the task was cancelled or replaced meanwhile.
func (c *Files) decodeOpened(m browser.Message) (o *protocol.Opened, rows document.Rows, err error) {
	o = &protocol.Opened{}
	if err := json.Unmarshal(m.Head, o); err != nil {
		return nil, rows, err
	}
	t, err := protocol.NewJobDecoder(m.Bufs)
	if err != nil {
		return nil, rows, err
	}
	var pace browser.Pace
	reported := 0
	rows, err = document.ReadRows(t, o.UnknownFields, func(done int) error {
		if pace.YieldIfDue() && done-reported > 1<<16 {
			reported = done
			c.Env.Lock()
			c.Progress = protocol.Progress{Phase: "filling the table", Done: int64(done), Total: int64(t.Len()), Unit: "jobs"}
			c.Env.UnlockRender()
		}
		if m.ID != c.Task {
			return session.ErrChanged
		}
		return nil
	})
	return o, rows, err
}

// useOpened replaces the document with the opened scenario. If a feature has set OnOpened, useOpened passes the
// scenario to this function instead.
func (c *Files) useOpened(o *protocol.Opened, rows document.Rows) error {
	sc, err := scenario.Parse(o.Scenario)
	if err != nil {
		return err
	}
	d := document.FromScenario(sc, rows)
	if take := c.OnOpened; take != nil {
		c.Sent, c.WorkerHasJobs = rows, true
		take(d, o)
		return nil
	}
	c.complete(&d, o)
	if o.Name == examples.Trace.File {
		describeTrace(&d)
	}
	d.Source, d.ContentID = "the file "+o.Name, c.FileContentID
	if d.ContentID == 0 { // the embedding page sent the scenario; an external schedule would be for another one
		c.External.Forget()
	}
	c.Sent, c.WorkerHasJobs = rows, true
	c.Events.Opened()
	c.ReplaceByFile(d, session.Source{File: c.File, Opened: o, Jobs: d.Origin})
	c.Notice = o.Name + ": " + format.Count(rows.Len(), "job") + "."
	if o.TooWide > 0 {
		c.Notice += fmt.Sprintf(" The file does not describe a machine. %s %s left out because the current machine has only %s.", format.Count(o.TooWide, "job"), format.SingularOrPlural(o.TooWide, "is", "are"), format.Count(o.Procs, "processor"))
	}
	if len(o.Lesson) > 0 {
		return c.lessons.ShowLessonFile(o.Name, o.Lesson)
	}
	return nil
}

// complete adds what the file does not contain: the policies and the machine of the current document, and the name of
// the file as the title. If the file is a scenario with invalid rows that its data rules repair, Check then accepts
// these rows; see document.Doc.Excuse.
func (c *Files) complete(d *document.Doc, o *protocol.Opened) {
	if len(d.Policies) == 0 { // a trace has no policies
		d.Policies = c.Doc().Policies
	}
	if !o.MachineKnown && o.Procs == c.Doc().Slots() { // a table has no machine: its jobs run on the current one
		d.Machine, d.Outages = c.Doc().Machine, c.Doc().Outages
	}
	if o.Records != nil {
		c.completeRecords(d, o)
	}
	if d.Base.Workload.File == nil {
		d.Excuse(nil)
	}
	if d.Title == "" {
		d.Title = o.Name
	}
}

// completeRecords completes a document that was read from accounting records. For a new file, the page asks for the
// machine. If the user has only changed how the same file is read, completeRecords keeps the outages. It also keeps
// the machine, unless the user selected another partition or another unit of processors: the page then asks for the
// machine again. If only the partition is new, the page proposes the machine that the user typed, if any.
func (c *Files) completeRecords(d *document.Doc, o *protocol.Opened) {
	d.MachineIsProposed = true
	source := c.SourceFile()
	if source == nil || source.Opened.Name != o.Name {
		return
	}
	d.Outages = c.Doc().Outages
	was, machine := source.Opened.Records, c.Doc().Machine
	if was == nil || was.Unit != o.Records.Unit {
		return
	}
	if was.Partition == o.Records.Partition {
		d.Machine, d.MachineIsProposed = machine, c.Doc().MachineIsProposed
	} else if machine[0] != strconv.Itoa(was.Nodes) || machine[1] != "1" || machine[2] != strconv.Itoa(was.Cores) {
		d.Machine = machine
	}
}

// Export asks the worker for a file about result i. The argument `what` is a value of protocol.Export.What.
func (c *Files) Export(what string, i int) {
	c.CloseMenu()
	if !c.ShowsResults() { // for example after the scenario was anonymised
		c.Notice = c.NothingToExport()
		return
	}
	c.PostExport(what, i)
}

// Print draws the charts for paper and prints the page.
func (c *Files) Print() {
	c.CloseMenu()
	go c.drawCharts("", "")
}

// drawCharts draws the visible charts into a file with the given name and caption. If the name ends
// in "figure", drawCharts opens the dialog for a figure instead. If the name is empty, it prints
// the page.
func (c *Files) drawCharts(name, caption string) {
	defer browser.Recover("drawing the charts")
	if _, err := browser.CallAsync("labPicture", name, caption); err != nil {
		c.Env.Lock()
		defer c.Env.UnlockRender()
		c.Notice = fmt.Sprintf("The charts could not be drawn: %v", err)
	}
}

// Save downloads the scenario as a JSON file.
func (c *Files) Save() { c.Download("scenario.json", "application/json", c.Doc().File) }

// SaveTable downloads the jobs as a CSV file.
func (c *Files) SaveTable() { c.Download("workload.csv", "text/csv", (*document.Plan).JobsCSV) }

// ExportID returns the id of an entry of the export menu.
func (c *Files) ExportID(what string, i int) string { return fmt.Sprintf("export-%s-%d", what, i) }
