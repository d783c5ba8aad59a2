package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
)

// calm is how long the fragment waits after a change, so that browsers, which
// allow a hundred changes in half a minute, do not refuse one.
const calm = 400 * time.Millisecond

// share keeps the fragment of the address at what the person sees, so that a
// reload, a crash or a copied link brings it back.
type share struct {
	Said  string // about the link asked for
	Long  bool   // it was too long
	Field bool   // it stands in a field to be copied by hand

	packed      int // how many of the edits the payload has
	payload     string
	length      int  // of the payload where that is too long to be used
	cut         bool // the lesson is too long beside it
	jobs        int  // of the document then
	written     string
	seen        string // the fragment as the browser last told it
	others      []link.Option
	later, busy bool
	render      bool // something shown waits for the payload
	waiting     []func()
}

// start opens the link with which the page was called.
func (s *share) start(c *App) {
	fragment := browser.Hash()
	s.seen = fragment
	var missing error
	if namesLesson(fragment) {
		missing = fetchLessons()
	}
	if c.follows(fragment, true) {
		s.written = fragment
	}
	if missing != nil {
		c.Notice = lessonsMissing(missing)
	}
	f := link.Parse(fragment)
	taught, _ := lessonOf(f)
	c.autosave.start(c, f.Payload != "" || taught != nil)
	_ = browser.OnHash(func(fragment string) {
		c.env.Lock()
		defer c.env.UnlockRender()
		s.seen = fragment
		if namesLesson(fragment) {
			c.withLessons(func() { s.change(c, fragment) })
		} else {
			s.change(c, fragment)
		}
	})
}

// change follows a fragment that the person set.
func (s *share) change(c *App, fragment string) {
	if f := link.Parse(fragment); fragment != s.written && !c.follows(fragment, false) && f.Payload != "" {
		s.set(s.written) // a reload must bring back what is seen
	}
}

// namesLesson reports whether a fragment opens a lesson of the project.
func namesLesson(fragment string) bool {
	f := link.Parse(fragment)
	return f.Lesson == "" && f.View.Lesson != ""
}

// follows opens a fragment. One that is broken changes nothing, and is said so.
func (c *App) follows(fragment string, first bool) bool {
	f := link.Parse(fragment)
	c.framed(f)
	if f.Version == 0 && f.Payload == "" && len(f.Policies) == 0 && !c.outer.Embed {
		return false
	}
	s := &c.share
	l, err := lessonOf(f)
	if err == nil && f.Payload != "" {
		err = s.unpack(c, f, first)
	}
	if err != nil {
		c.Notice = "The link could not be opened: " + err.Error() + ". What you see is not what it held."
		return false
	}
	switch {
	case f.Payload != "":
	case l != nil:
		if d, err := document.Read(l.Scenario); err == nil {
			s.take(c, d, f, first)
		}
	case len(f.Policies) > 0:
		s.take(c, *c.Doc(), f, first)
	}
	if c.lesson = nil; l != nil {
		c.teach(l, f.View.Step)
		c.lesson.packed = f.Lesson
	}
	s.others = f.Others
	if _, ok := map[string]bool{"workload": true, "machine": true, "policies": true, "text": true}[f.View.Tab]; ok {
		c.Tab = f.View.Tab
	}
	c.paint(f.View.Colour, f.View.Base)
	if c.sought = &f.View; c.lab.shown != nil && f.Payload == "" {
		c.seek()
	}
	return true
}

// unpack opens a payload. If many jobs are to be drawn, the document comes later.
func (s *share) unpack(c *App, f link.Fragment, first bool) error {
	l, err := link.Open(f.Version, f.Payload)
	if err != nil {
		return err
	}
	if document.ManyDrawn(l.Scenario) {
		c.lab.draw(c, l.Scenario, func(d document.Doc, _ *protocol.Opened) {
			d.Source = "a link"
			if s.take(c, d, f, first); first {
				c.changed()
			}
			c.sought = &f.View
		})
		return nil
	}
	d, err := unlinked(l)
	if err == nil {
		s.take(c, d, f, first)
	}
	return err
}

// take makes the document of a link the present one.
func (s *share) take(c *App, d document.Doc, f link.Fragment, first bool) {
	if d = c.withNamed(d, &f); first {
		c.history = document.NewHistory(d)
	} else {
		d.Brought = c.bring() // who followed the link is not known
		c.replace(d)
	}
	if f.Version == link.Version && f.Payload != "" {
		s.payload, s.packed = f.Payload, c.Edits
	}
}

// seek shows what a link says of the view.
func (c *App) seek() {
	v := c.sought
	c.sought = nil
	if v.Window {
		_ = chart("setWindow", fmt.Sprintf("%d,%d", v.From, v.To))
	}
	if v.Cursor >= 0 {
		_ = chart("cursor", fmt.Sprint(v.Cursor))
	}
	if row := c.named(v.Job); v.Job != "" && row >= 0 {
		_ = chart("select", fmt.Sprint(c.lab.places[row]))
		c.ask(int(c.lab.places[row]), v.Cursor)
	}
}

// named is the row of a job that is in the results, -1 if there is none.
func (c *App) named(id string) int {
	for row, r := range c.Doc().Rows.All() {
		if r.Name == id && row < len(c.lab.places) && c.lab.places[row] >= 0 {
			return row
		}
	}
	return -1
}

// view is what is seen of the scenario.
func (c *App) view() link.View {
	if c.sought != nil {
		return *c.sought
	}
	v := link.Whole
	v.Tab = c.Tab
	c.colour.seen(&v)
	if c.lesson != nil {
		v.Lesson, v.Step = c.lesson.Name, c.lesson.page
	}
	if c.why != nil {
		v.Job = c.why.ID
	}
	said, _ := browser.Call("labChartCall", "view", "[]")
	text, _ := said.(string)
	var n [3]int64
	for i, part := range strings.Fields(text) {
		n[i%3], _ = strconv.ParseInt(part, 10, 64)
	}
	if text != "" {
		v.Window, v.From, v.To, v.Cursor = n[0] >= 0, max(n[0], 0), n[1], n[2]
	}
	return v
}

// edited is told of every edit.
func (s *share) edited(c *App) {
	c.Edits++
	s.soon(c)
}

// soon brings the fragment up to date, once for all changes of a moment.
func (s *share) soon(c *App) {
	if s.later || c.env == nil {
		return
	}
	s.later = true
	wait := calm
	if c.tooLong() { // a database can be written as often as one likes
		wait /= 4
	}
	time.AfterFunc(wait, func() {
		defer browser.Recover("link")
		c.env.Lock()
		defer c.unlock(c.Unkept())
		s.later = false
		if c.tooLong() {
			s.put(c)
		} else {
			s.when(c, func() { s.put(c) })
		}
	})
}

// unlock has the page drawn only if what is said of the keeping has changed.
func (c *App) unlock(unkept bool) {
	if c.Unkept() != unkept {
		c.env.UnlockRender()
	} else {
		c.env.UnlockOnly()
	}
}

// put writes the fragment.
func (s *share) put(c *App) {
	f := link.Fragment{Version: link.Version, View: c.view(), Lesson: c.linkedLesson(), Payload: s.payload, Others: s.others}
	if s.length > 0 {
		f.View, f.Lesson = link.Whole, ""
	}
	if s.cut = len(f.Payload)+len(f.Lesson) > link.Longest; s.cut {
		f.View.Step, f.Lesson = 0, ""
	}
	if text := f.String(); text != s.written && s.seen == browser.Hash() && s.set(text) {
		s.written = text
	} // where another stands in the address, the person has set it: it is about to be followed
	c.autosave.settle(c)
}

// set sets the fragment, and reports whether the browser took it.
func (s *share) set(fragment string) bool {
	ok := browser.SetHash(fragment) == nil
	s.seen = browser.Hash()
	return ok
}

// tooLong reports whether the document is known to be too long for a link without
// packing it: it was with no more jobs.
func (c *App) tooLong() bool {
	n := c.Doc().Rows.Len()
	return c.share.length > 0 && n >= c.share.jobs && !c.Doc().Generated()
}

// when does something as soon as the payload is of the present document.
func (s *share) when(c *App, then func()) {
	if s.packed == c.Edits {
		then()
		return
	}
	s.waiting = append(s.waiting, then)
	if !s.busy {
		s.pack(c)
	}
}

// pack compresses the document aside.
func (s *share) pack(c *App) {
	edits, jobs, d := c.Edits, c.Doc().Rows.Len(), c.linked()
	if d == nil {
		s.done(c, edits, jobs, "", jobs)
		return
	}
	data := link.Pack(d)
	s.busy = true
	go func() {
		defer browser.Recover("link")
		deflated, err := browser.Deflate(data)
		if err != nil {
			deflated = link.Stored(data)
		}
		payload := link.Payload(deflated)
		c.env.Lock()
		was := c.Unkept()
		s.busy = false
		if len(payload) > link.Longest {
			s.done(c, edits, jobs, "", len(payload))
		} else {
			s.done(c, edits, jobs, payload, 0)
		}
		if s.render {
			s.render = false
			c.env.UnlockRender()
		} else {
			c.unlock(was)
		}
	}()
}

// done takes a payload, and those that wait for it, unless there were edits
// since.
func (s *share) done(c *App, edits, jobs int, payload string, length int) {
	s.packed, s.payload, s.length, s.jobs = edits, payload, length, jobs
	if edits != c.Edits && !c.tooLong() {
		s.pack(c)
		return
	}
	waiting := s.waiting
	s.waiting = nil
	for _, then := range waiting {
		then()
	}
}
