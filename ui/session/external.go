package session

import (
	"backfill-lab/core/anonymise"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// External is the schedule of a file that stands beside those of the policies. The worker
// holds it; here is the file, for another worker, and what is under way.
type External struct {
	file   browser.FileRef         // zero: none
	coming browser.FileRef         // asked for; zero: none is to stand there
	choice *protocol.RecordsChoice // what of accounting records is read, nil: they are none
	asking int                     // id of the request that has no answer yet, 0 if none
	still  bool                    // no run is to follow
	again  bool                    // a run has given it up: ask once more when that is done
	Offer  browser.FileRef         // opened last, if it tells when its jobs started as well

	base *anonymise.Names // of the scenario when the file was added
	told *anonymise.Names // those that the worker has the schedule follow

	Brought int // number of the person's content that it is, 0: there is none
}

// rename has the worker's schedule follow the names of the scenario: new ones after it
// was anonymised, the original ones after undo.
func (c *Session) rename() {
	d, names := &c.External, c.Doc().Names
	if d.told == names {
		return
	}
	d.told = names
	q, m := protocol.Rename{}, browser.Message{}
	if r := names.Since(d.base); r != nil {
		q.Anonymous, q.Earlier = true, r.Earlier
		m.Bufs = [][]byte{protocol.Texts(r.Pairs)}
	}
	c.Post("rename", q, m)
}

// AddSchedule asks the person for a schedule.
func (c *Session) AddSchedule() {
	_ = browser.PickFile(".csv,.gz,.txt,.swf,.sacct", func(f browser.FileRef) {
		c.Env.Lock()
		defer c.Env.UnlockRender()
		c.addBeside(f)
	})
}

// DropSchedule takes it away.
func (c *Session) DropSchedule() {
	c.setBeside(browser.FileRef{})
	c.Focus = "add-schedule"
}

// OfferedSchedule reports whether the file opened last can be shown as a schedule.
func (c *Session) OfferedSchedule() bool { return c.External.Offer.Valid() }

// TakeOffer shows it.
func (c *Session) TakeOffer() {
	f := c.External.Offer
	c.External.Offer = browser.FileRef{}
	c.addBeside(f)
}

// addBeside has the worker show a schedule that the person chose.
func (c *Session) addBeside(f browser.FileRef) {
	d := &c.External
	d.base, d.told, d.choice, d.Brought = c.Doc().Names, c.Doc().Names, nil, c.Bring()
	if r := c.Records(); r != nil {
		d.choice = &r.RecordsChoice
	}
	c.Post("rename", protocol.Rename{}, browser.Message{})
	c.setBeside(f)
}

// DropBeside has the worker forget the schedule at once, without a run.
func (c *Session) DropBeside() {
	d := &c.External
	d.file, d.coming, d.asking, d.again, d.base, d.told, d.Brought = browser.FileRef{}, browser.FileRef{}, 0, false, nil, c.Doc().Names, 0
	c.Post("rename", protocol.Rename{Drop: true}, browser.Message{})
}

// setBeside has the worker show a schedule, or none.
func (c *Session) setBeside(f browser.FileRef) {
	d := &c.External
	c.dropRun()
	c.Failure, c.Notice = "", ""
	q := protocol.Beside{Records: d.choice}
	if f.Valid() {
		q.Name = f.Name()
	}
	d.coming, d.again, d.still = f, false, false
	d.asking = c.Post("beside", q, browser.Message{File: f})
	c.BeginTask(d.asking)
	c.Running = c.Shown
}

// besides is that the worker has it, with the results it gave or, of nil, before any.
func (c *Session) besides(ran *protocol.Ran) {
	d := &c.External
	d.file, d.asking = d.coming, 0
	if ran == nil {
		if c.Task = 0; !d.still {
			c.Rerun()
		}
		return
	}
	if ran.Aside != nil && ran.Aside.Unfit == "" {
		c.Notice = ran.Aside.Name + " is shown beside the policies."
	}
	c.CatchUp()
}

// givenUp is that the worker gave up a request; of a schedule, for the sake of a run.
func (c *Session) givenUp(id int) {
	d := &c.External
	if id != 0 && id == d.asking {
		d.asking, d.again = 0, c.Task != 0
	}
}

// asideOf is what there is to say of the schedule, nil if there is none.
func (c *Session) asideOf() *protocol.Aside {
	if c.Ran == nil {
		return nil
	}
	return c.Ran.Aside
}

// HasSchedule reports whether there is one.
func (c *Session) HasSchedule() bool { return c.asideOf() != nil }

// AddScheduleWord is the words of the button for it.
func (c *Session) AddScheduleWord() string {
	if c.HasSchedule() {
		return "Another file…"
	}
	return "Choose a file…"
}

// ScheduleName is the name of its file.
func (c *Session) ScheduleName() string {
	if a := c.asideOf(); a != nil {
		return a.Name
	}
	return ""
}

// ScheduleNotes is what is to be known of it.
func (c *Session) ScheduleNotes() []string {
	if a := c.asideOf(); a != nil {
		return a.Notes
	}
	return nil
}

// ScheduleUnfit is why it is not shown.
func (c *Session) ScheduleUnfit() string {
	if a := c.asideOf(); a != nil && a.Unfit != "" {
		return a.Name + " is not shown: " + a.Unfit + "."
	}
	return ""
}
