package files

import (
	"encoding/json"
	"errors"
	"fmt"

	"backfill-lab/core/scenario"
	"backfill-lab/public/examples"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Examples returns the list of examples.
func (c *Files) Examples() []examples.Example { return examples.List }

// Show opens an example.
func (c *Files) Show(x examples.Example) {
	c.CloseMenu()
	d, err := document.Read([]byte(x.Scenario))
	if err != nil {
		c.Notice = err.Error()
		return
	}
	d.Brought = c.NewContent()
	c.Replace(d)
}

// Open asks the person for a file.
func (c *Files) Open() {
	_ = browser.PickFile(".swf,.gz,.csv,.sacct,.json,.txt", func(f browser.FileRef) { c.Accept(f) })
}

// Accept has the worker read a file. Until it is read whole nothing changes.
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

// opened takes over what the worker has read, in steps. Until that is done the
// document before stays, and can be worked with.
func (c *Files) opened(m browser.Message) {
	defer browser.Recover("opened file")
	o, rows, err := c.taken(m)
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
		err = c.begin(o, rows)
	}
	if err != nil {
		c.CatchUp()
		c.Failure = "The file could not be taken over: " + err.Error()
	}
	c.Proceed()
}

// taken reads the answer to open, letting the page work meanwhile.
func (c *Files) taken(m browser.Message) (o *protocol.Opened, rows document.Rows, err error) {
	o = &protocol.Opened{}
	if err := json.Unmarshal(m.Head, o); err != nil {
		return nil, rows, err
	}
	t, err := protocol.NewTable(m.Bufs)
	if err != nil {
		return nil, rows, err
	}
	var pace browser.Pace
	told := 0
	rows, err = document.ReadRows(t, o.Kept, func(done int) error {
		if pace.Breathe() && done-told > 1<<16 {
			told = done
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

// begin makes what was opened the document.
func (c *Files) begin(o *protocol.Opened, rows document.Rows) error {
	sc, err := scenario.Parse(o.Scenario)
	if err != nil {
		return err
	}
	d := document.FromScenario(sc, rows)
	if take := c.Take; take != nil {
		c.Sent, c.Holds = rows, true
		take(d, o)
		return nil
	}
	c.complete(&d, o)
	d.Source, d.Brought = "the file "+o.Name, c.FileContent
	if d.Brought == 0 { // the page around this one sent it: the schedule beside it is of another scenario
		c.External.Forget()
	}
	c.Sent, c.Holds = rows, true
	c.Replace(d)
	c.From(session.Source{File: c.File, Opened: o, Jobs: d.Origin})
	if o.Starts {
		c.External.Offer = c.File
	}
	c.Notice = fmt.Sprintf("%s: %d jobs.", o.Name, rows.Len())
	if o.TooWide > 0 {
		c.Notice += fmt.Sprintf(" The file names no machine. %d jobs are left out because the machine here has only %d processors.", o.TooWide, o.Procs)
	}
	if len(o.Lesson) > 0 {
		return c.lessons.LearnFile(o.Name, o.Lesson)
	}
	return nil
}

// complete fills in what a file does not say from the document at hand.
func (c *Files) complete(d *document.Doc, o *protocol.Opened) {
	if len(d.Policies) == 0 { // a trace says nothing about them
		d.Policies = c.Doc().Policies
	}
	if !o.Told && o.Procs == c.Doc().Slots() { // a table says nothing about a machine: its jobs are for the one at hand
		d.Machine, d.Blocks = c.Doc().Machine, c.Doc().Blocks
	}
	if was := c.SourceFile(); o.Records != nil && was != nil && was.Opened.Name == o.Name { // another choice of the same file
		d.Blocks = c.Doc().Blocks
	}
	if d.Base.Workload.File == nil {
		d.Excuse(nil)
	}
	if d.Title == "" {
		d.Title = o.Name
	}
}

// Export has the worker write a file about result i.
func (c *Files) Export(what string, i int) {
	c.CloseMenu()
	if c.Ran == nil { // such as those of a scenario that was just anonymised
		c.Notice = "There are no schedules to export yet. Export them once the run is done."
		return
	}
	c.PostExport(what, i)
}

// Print prints the page: the script that draws for paper comes first.
func (c *Files) Print() {
	c.CloseMenu()
	go c.picture("", "")
}

// picture has the charts drawn into a file as they are shown, with words that say of
// what they are.
func (c *Files) picture(name, of string) {
	defer browser.Recover("picture")
	if _, err := browser.Ask("labPicture", name, of); err != nil {
		c.Env.Lock()
		defer c.Env.UnlockRender()
		c.Notice = "The chart could not be exported. " + err.Error()
	}
}

// Save hands the scenario to the person as a file.
func (c *Files) Save() { c.Download("scenario.json", "application/json", c.Doc().File) }

// SaveTable hands the jobs to the person as a table.
func (c *Files) SaveTable() { c.Download("workload.csv", "text/csv", (*document.Plan).JobsCSV) }

// ExportID returns the id of an entry of the export menu.
func (c *Files) ExportID(what string, i int) string { return fmt.Sprintf("export-%s-%d", what, i) }
