package ui

import (
	"encoding/json"
	"errors"
	"fmt"

	"backfill-lab/core/scenario"
	"backfill-lab/public/examples"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// Examples is the list of examples.
func (c *App) Examples() []examples.Example { return examples.List }

// Show opens an example.
func (c *App) Show(x examples.Example) {
	c.shut()
	d, err := document.Read([]byte(x.Scenario))
	if err != nil {
		c.Notice = err.Error()
		return
	}
	d.Brought = c.bring()
	c.replace(d)
}

// replace makes another document the present one; undo leads back. An external schedule
// goes with the scenario that was anonymised with it: beside another one it would have
// its own names again.
func (c *App) replace(d document.Doc) {
	if was := c.Doc().Names; d.Names != was && (d.Names == nil || d.Names.Before != was) {
		c.dropBeside()
	}
	c.why, c.Notice, c.sought, c.lesson, c.beside.offer = nil, "", nil, nil, browser.FileRef{}
	c.player.pause()
	c.player.want = protocol.Player{}
	c.grid.reset()
	_ = chart("whole", "")
	c.put("", d)
}

// Open asks the person for a file.
func (c *App) Open() {
	_ = browser.PickFile(".swf,.gz,.csv,.sacct,.json,.txt", func(f browser.FileRef) { c.open(f) })
}

// open has the worker read a file. Until it is read whole nothing changes.
func (c *App) open(f browser.FileRef) {
	if c.env != nil {
		c.env.Lock()
		defer c.env.UnlockRender()
	}
	if len(c.outer.Lock) > 0 {
		c.Notice = "This page holds the scenario fixed: no file is opened."
		return
	}
	c.lab.open(c, f, 0)
}

// opened takes over what the worker has read, in steps. Until that is done the
// document before stays, and can be worked with.
func (c *App) opened(m browser.Message) {
	defer browser.Recover("opened file")
	o, rows, err := c.taken(m)
	if errors.Is(err, errChanged) {
		return
	}
	c.env.Lock()
	defer c.env.UnlockRender()
	if m.ID != c.lab.task {
		return
	}
	c.lab.task = 0
	if err == nil {
		err = c.begin(o, rows)
	}
	if err != nil {
		c.lab.catchUp(c)
		c.lab.fault = "The file could not be taken over: " + err.Error()
	}
	c.proceed()
}

// taken reads the answer to open, letting the page work meanwhile.
func (c *App) taken(m browser.Message) (o *protocol.Opened, rows document.Rows, err error) {
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
			c.env.Lock()
			c.lab.progress = protocol.Progress{Phase: "filling the table", Done: int64(done), Total: int64(t.Len()), Unit: "jobs"}
			c.env.UnlockRender()
		}
		if m.ID != c.lab.task {
			return errChanged
		}
		return nil
	})
	return o, rows, err
}

// begin makes what was opened the document.
func (c *App) begin(o *protocol.Opened, rows document.Rows) error {
	sc, err := scenario.Parse(o.Scenario)
	if err != nil {
		return err
	}
	d := document.FromScenario(sc, rows)
	if take := c.lab.take; take != nil {
		c.lab.sent, c.lab.holds = rows, true
		take(d, o)
		return nil
	}
	if len(d.Policies) == 0 { // a trace says nothing of them
		d.Policies = c.Doc().Policies
	}
	if !o.Told && o.Procs == c.Doc().Slots() { // a table says nothing of a machine: its jobs are for the one at hand
		d.Machine, d.Blocks = c.Doc().Machine, c.Doc().Blocks
	}
	if was := c.source(); o.Records != nil && was != nil && was.opened.Name == o.Name { // another choice of the same file
		d.Blocks = c.Doc().Blocks
	}
	if sc.Workload.File == nil {
		d.Excuse(nil)
	}
	if d.Title == "" {
		d.Title = o.Name
	}
	d.Source, d.Brought = "the file "+o.Name, c.lab.brought
	if d.Brought == 0 { // the page around this one sent it: the schedule beside it is of another scenario
		c.dropBeside()
	}
	c.lab.sent, c.lab.holds = rows, true
	c.replace(d)
	c.from(source{file: c.lab.file, opened: o, jobs: d.Origin})
	if o.Starts {
		c.beside.offer = c.lab.file
	}
	c.Notice = fmt.Sprintf("%s: %d jobs.", o.Name, rows.Len())
	if o.TooWide > 0 {
		c.Notice += fmt.Sprintf(" The file tells no machine, and %d jobs are left out: the machine here has only %d processors.", o.TooWide, o.Procs)
	}
	if len(o.Lesson) > 0 {
		return c.learn(o.Name, o.Lesson)
	}
	return nil
}

// Export has the worker write a file about result i.
func (c *App) Export(what string, i int) {
	c.shut()
	if c.lab.ran == nil { // such as those of a scenario that was just anonymised
		c.Notice = "There are no schedules to export yet. Export them once the run is done."
		return
	}
	c.lab.export(c, what, i)
}

// Print prints the page: the script that draws for paper comes first.
func (c *App) Print() {
	c.shut()
	go c.picture("", "")
}

// picture has the charts drawn into a file as they are shown, with words that say of
// what they are.
func (c *App) picture(name, of string) {
	defer browser.Recover("picture")
	if _, err := browser.Ask("labPicture", name, of); err != nil {
		c.env.Lock()
		defer c.env.UnlockRender()
		c.Notice = "The picture could not be made. " + err.Error()
	}
}

// Save hands the scenario to the person as a file.
func (c *App) Save() { c.save("scenario.json", "application/json", c.Doc().File) }

// SaveTable hands the jobs to the person as a table.
func (c *App) SaveTable() { c.save("workload.csv", "text/csv", (*document.Plan).JobsCSV) }

func (c *App) save(name, mime string, write func(*document.Plan) []byte) {
	c.shut()
	if c.plan == nil {
		c.Notice = "The scenario has faults; they are marked. Mend them, then save it."
		return
	}
	if err := browser.Download(name, mime, write(c.plan)); err != nil {
		c.Notice = err.Error()
	}
}
