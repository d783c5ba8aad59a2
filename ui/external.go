package ui

import (
	"backfill-lab/core/anonymise"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// beside is the schedule of a file that stands beside those of the policies. The worker
// holds it; here is the file, for another worker, and what is under way.
type beside struct {
	file   browser.FileRef         // zero: none
	coming browser.FileRef         // asked for; zero: none is to stand there
	choice *protocol.RecordsChoice // what of accounting records is read, nil: they are none
	asking int                     // id of the request that has no answer yet, 0 if none
	still  bool                    // no run is to follow
	again  bool                    // a run has given it up: ask once more when that is done
	offer  browser.FileRef         // opened last, if it tells when its jobs started as well

	base *anonymise.Names // of the scenario when the file was added
	told *anonymise.Names // those that the worker has the schedule follow

	brought int // number of the person's content that it is, 0: there is none
}

// rename has the worker's schedule follow the names of the scenario: new ones after it
// was anonymised, the original ones after undo.
func (c *App) rename() {
	d, names := &c.beside, c.Doc().Names
	if d.told == names {
		return
	}
	d.told = names
	q, m := protocol.Rename{}, browser.Message{}
	if r := names.Since(d.base); r != nil {
		q.Anonymous, q.Earlier = true, r.Earlier
		m.Bufs = [][]byte{protocol.Texts(r.Pairs)}
	}
	c.lab.post("rename", q, m)
}

// AddSchedule asks the person for a schedule.
func (c *App) AddSchedule() {
	_ = browser.PickFile(".csv,.gz,.txt,.swf,.sacct", func(f browser.FileRef) {
		c.env.Lock()
		defer c.env.UnlockRender()
		c.addBeside(f)
	})
}

// DropSchedule takes it away.
func (c *App) DropSchedule() {
	c.setBeside(browser.FileRef{})
	c.Focus = "add-schedule"
}

// OfferedSchedule reports whether the file opened last can be shown as a schedule.
func (c *App) OfferedSchedule() bool { return c.beside.offer.Valid() }

// TakeOffer shows it.
func (c *App) TakeOffer() {
	f := c.beside.offer
	c.beside.offer = browser.FileRef{}
	c.addBeside(f)
}

// addBeside has the worker show a schedule that the person chose.
func (c *App) addBeside(f browser.FileRef) {
	d := &c.beside
	d.base, d.told, d.choice, d.brought = c.Doc().Names, c.Doc().Names, nil, c.bring()
	if r := c.records(); r != nil {
		d.choice = &r.RecordsChoice
	}
	c.lab.post("rename", protocol.Rename{}, browser.Message{})
	c.setBeside(f)
}

// dropBeside has the worker forget the schedule at once, without a run.
func (c *App) dropBeside() {
	d := &c.beside
	d.file, d.coming, d.asking, d.again, d.base, d.told, d.brought = browser.FileRef{}, browser.FileRef{}, 0, false, nil, c.Doc().Names, 0
	c.lab.post("rename", protocol.Rename{Drop: true}, browser.Message{})
}

// setBeside has the worker show a schedule, or none.
func (c *App) setBeside(f browser.FileRef) {
	l, d := &c.lab, &c.beside
	l.drop()
	l.fault, c.Notice = "", ""
	q := protocol.Beside{Records: d.choice}
	if f.Valid() {
		q.Name = f.Name()
	}
	d.coming, d.again, d.still = f, false, false
	d.asking = l.post("beside", q, browser.Message{File: f})
	l.begin(d.asking)
	l.running = l.shown
}

// besides is that the worker has it, with the results it gave or, of nil, before any.
func (c *App) besides(ran *protocol.Ran) {
	l, d := &c.lab, &c.beside
	d.file, d.asking = d.coming, 0
	if ran == nil {
		if l.task = 0; !d.still {
			l.renew(c)
		}
		return
	}
	if ran.Aside != nil && ran.Aside.Unfit == "" {
		c.Notice = ran.Aside.Name + " is shown beside the policies."
	}
	l.catchUp(c)
}

// givenUp is that the worker gave up a request; of a schedule, for the sake of a run.
func (c *App) givenUp(id int) {
	d := &c.beside
	if id != 0 && id == d.asking {
		d.asking, d.again = 0, c.lab.task != 0
	}
}

// asideOf is what there is to say of the schedule, nil if there is none.
func (c *App) asideOf() *protocol.Aside {
	if c.lab.ran == nil {
		return nil
	}
	return c.lab.ran.Aside
}

// HasSchedule reports whether there is one.
func (c *App) HasSchedule() bool { return c.asideOf() != nil }

// AddScheduleWord is the words of the button for it.
func (c *App) AddScheduleWord() string {
	if c.HasSchedule() {
		return "Another file…"
	}
	return "Choose a file…"
}

// ScheduleName is the name of its file.
func (c *App) ScheduleName() string {
	if a := c.asideOf(); a != nil {
		return a.Name
	}
	return ""
}

// ScheduleNotes is what is to be known of it.
func (c *App) ScheduleNotes() []string {
	if a := c.asideOf(); a != nil {
		return a.Notes
	}
	return nil
}

// ScheduleUnfit is why it is not shown.
func (c *App) ScheduleUnfit() string {
	if a := c.asideOf(); a != nil && a.Unfit != "" {
		return a.Name + " is not shown: " + a.Unfit + "."
	}
	return ""
}
