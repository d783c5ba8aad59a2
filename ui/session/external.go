package session

import (
	"backfill-lab/core/anonymise"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// External is the schedule of a file, shown with those of the policies. The worker holds
// it; External holds the file, for another worker, and what is under way.
type External struct {
	session *Session

	file   browser.FileRef         // zero: none
	coming browser.FileRef         // asked for; zero: none
	choice *protocol.RecordsChoice // which part of accounting records is read; nil: it is another kind of file
	asking int                     // id of the request that has no answer yet, 0 if none
	still  bool                    // no run follows
	again  bool                    // a run has cancelled the request: ask once more when it is done
	Offer  browser.FileRef         // the file opened last, if it tells when its jobs started

	base *anonymise.Names // of the scenario when the file was added
	told *anonymise.Names // the names that the worker gives the schedule

	Content int // number of the person's content (see NewContent), 0: there is no schedule
}

// rename gives the schedule the names of the scenario: new ones after it was anonymised,
// the original ones after undo.
func (x *External) rename() {
	names := x.session.Doc().Names
	if x.told == names {
		return
	}
	x.told = names
	q, m := protocol.Rename{}, browser.Message{}
	if r := names.Since(x.base); r != nil {
		q.Anonymous, q.Earlier = true, r.Earlier
		m.Bufs = [][]byte{protocol.Texts(r.Pairs)}
	}
	x.session.Post("rename", q, m)
}

// Add asks the person for a schedule.
func (x *External) Add() {
	_ = browser.PickFile(".csv,.gz,.txt,.swf,.sacct", func(f browser.FileRef) {
		x.session.Env.Lock()
		defer x.session.Env.UnlockRender()
		x.choose(f)
	})
}

// Drop removes the schedule.
func (x *External) Drop() {
	x.set(browser.FileRef{})
	x.session.Focus = "add-schedule"
}

// Offered reports whether the file opened last can be shown as a schedule.
func (x *External) Offered() bool { return x.Offer.Valid() }

// TakeOffer shows the file opened last as a schedule.
func (x *External) TakeOffer() {
	f := x.Offer
	x.Offer = browser.FileRef{}
	x.choose(f)
}

// choose shows a schedule that the person chose.
func (x *External) choose(f browser.FileRef) {
	x.base, x.told, x.choice, x.Content = x.session.Doc().Names, x.session.Doc().Names, nil, x.session.NewContent()
	if r := x.session.Records(); r != nil {
		x.choice = &r.RecordsChoice
	}
	x.session.Post("rename", protocol.Rename{}, browser.Message{})
	x.set(f)
}

// Forget removes the schedule at once, without a run.
func (x *External) Forget() {
	x.file, x.coming, x.asking, x.again, x.base, x.told, x.Content = browser.FileRef{}, browser.FileRef{}, 0, false, nil, x.session.Doc().Names, 0
	x.session.Post("rename", protocol.Rename{Drop: true}, browser.Message{})
}

// set shows the schedule of a file, or none.
func (x *External) set(f browser.FileRef) {
	x.session.dropRun()
	x.session.Failure, x.session.Notice = "", ""
	q := protocol.Beside{Records: x.choice}
	if f.Valid() {
		q.Name = f.Name()
	}
	x.coming, x.again, x.still = f, false, false
	x.asking = x.session.Post("beside", q, browser.Message{File: f})
	x.session.BeginTask(x.asking)
	x.session.Running = x.session.Shown
}

// took handles the worker's answer: ran is nil if it came before there were results.
func (x *External) took(ran *protocol.Ran) {
	x.file, x.asking = x.coming, 0
	if ran == nil {
		if x.session.Task = 0; !x.still {
			x.session.Rerun()
		}
		return
	}
	if ran.Aside != nil && ran.Aside.Unfit == "" {
		x.session.Notice = ran.Aside.Name + " is shown as an external schedule."
	}
	x.session.CatchUp()
}

// cancelled handles the end of a request that a run has cancelled.
func (x *External) cancelled(id int) {
	if id != 0 && id == x.asking {
		x.asking, x.again = 0, x.session.Task != 0
	}
}

// aside returns what the worker says of the schedule, nil if there is none.
func (x *External) aside() *protocol.Aside {
	if x.session.Ran == nil {
		return nil
	}
	return x.session.Ran.Aside
}

// Has reports whether there is a schedule.
func (x *External) Has() bool { return x.aside() != nil }

// AddWord returns the text of the button that adds one.
func (x *External) AddWord() string {
	if x.Has() {
		return "Another file…"
	}
	return "Choose a file…"
}

// Name returns the name of its file.
func (x *External) Name() string {
	if a := x.aside(); a != nil {
		return a.Name
	}
	return ""
}

// Notes returns what to know about it.
func (x *External) Notes() []string {
	if a := x.aside(); a != nil {
		return a.Notes
	}
	return nil
}

// Unfit says why it is not shown.
func (x *External) Unfit() string {
	if a := x.aside(); a != nil && a.Unfit != "" {
		return a.Name + " is not shown: " + a.Unfit + "."
	}
	return ""
}
