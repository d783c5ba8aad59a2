package files

import (
	"fmt"
	"slices"
	"time"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
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
func (s *share) start(c *Files) {
	fragment := browser.Hash()
	s.seen = fragment
	missing := ""
	if namesLesson(fragment) {
		missing = c.lessons.Fetch()
	}
	if c.follows(fragment, true) {
		s.written = fragment
	}
	if missing != "" {
		c.Notice = missing
	}
	f := link.Parse(fragment)
	open, _ := lessonOf(f)
	c.autosave.start(c, f.Payload != "" || open != nil)
	_ = browser.OnHash(func(fragment string) {
		c.Env.Lock()
		defer c.Env.UnlockRender()
		s.seen = fragment
		if namesLesson(fragment) {
			c.lessons.WithLessons(func() { s.change(c, fragment) })
		} else {
			s.change(c, fragment)
		}
	})
}

// change follows a fragment that the person set.
func (s *share) change(c *Files, fragment string) {
	if f := link.Parse(fragment); fragment != s.written && !c.follows(fragment, false) && f.Payload != "" {
		s.set(s.written) // a reload must bring back what is seen
	}
}

// lessonOf returns the lesson that a link opens, nil if it opens none.
func lessonOf(f link.Fragment) (*lesson.Lesson, error) {
	if f.Lesson == "" {
		return lesson.Find(f.View.Lesson), nil
	}
	text, err := link.Inflated(f.Lesson)
	if err != nil {
		return nil, err
	}
	l, err := lesson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("its lesson, %w", err)
	}
	return l, nil
}

// namesLesson reports whether a fragment opens a lesson of the project.
func namesLesson(fragment string) bool {
	f := link.Parse(fragment)
	return f.Lesson == "" && f.View.Lesson != ""
}

// follows opens a fragment. One that is broken changes nothing, and is said so.
func (c *Files) follows(fragment string, first bool) bool {
	f := link.Parse(fragment)
	c.framed(f)
	if f.Version == 0 && f.Payload == "" && len(f.Policies) == 0 && !c.outer.Embed {
		return false
	}
	s := &c.link
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
	c.lessons.FollowLink(l, f)
	s.others = f.Others
	if slices.Contains(c.Tabs, f.View.Tab) {
		c.Tab = f.View.Tab
	}
	c.colours.Paint(f.View.Colour, f.View.Base)
	if c.LinkedView = &f.View; c.Shown != nil && f.Payload == "" {
		c.SeekView()
	}
	return true
}

// unpack opens a payload. If many jobs are to be drawn, the document comes later.
func (s *share) unpack(c *Files, f link.Fragment, first bool) error {
	l, err := link.Open(f.Version, f.Payload)
	if err != nil {
		return err
	}
	if document.ManyDrawn(l.Scenario) {
		c.DrawJobs(l.Scenario, func(d document.Doc, _ *protocol.Opened) {
			d.Source = "a link"
			if s.take(c, d, f, first); first {
				c.Changed()
			}
			c.LinkedView = &f.View
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
func (s *share) take(c *Files, d document.Doc, f link.Fragment, first bool) {
	if d = c.withNamed(d, &f); first {
		c.Session.Open(d)
	} else {
		d.Brought = c.NewContent() // who followed the link is not known
		c.Replace(d)
	}
	if f.Version == link.Version && f.Payload != "" {
		s.payload, s.packed = f.Payload, c.Edits
	}
}

// view returns what a link says of what the page shows.
func (c *Files) view() link.View {
	v := c.ChartView()
	if c.LinkedView != nil {
		return v
	}
	v.Tab = c.Tab
	c.colours.LinkView(&v)
	c.lessons.LinkView(&v)
	if c.Why != nil {
		v.Job = c.Why.ID
	}
	return v
}

// soon brings the fragment up to date, once for all changes of a moment.
func (s *share) soon(c *Files) {
	if s.later || c.Env == nil {
		return
	}
	s.later = true
	wait := calm
	if c.tooLong() { // a database can be written as often as one likes
		wait /= 4
	}
	time.AfterFunc(wait, func() {
		defer browser.Recover("link")
		c.Env.Lock()
		defer c.unlock(c.Unsaved())
		s.later = false
		if c.tooLong() {
			s.put(c)
		} else {
			s.when(c, func() { s.put(c) })
		}
	})
}

// unlock has the page drawn only if what is said of the keeping has changed.
func (c *Files) unlock(unkept bool) {
	if c.Unsaved() != unkept {
		c.Env.UnlockRender()
	} else {
		c.Env.UnlockOnly()
	}
}

// put writes the fragment.
func (s *share) put(c *Files) {
	f := link.Fragment{Version: link.Version, View: c.view(), Lesson: c.lessons.LinkedLesson(), Payload: s.payload, Others: s.others}
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
func (c *Files) tooLong() bool {
	n := c.Doc().Rows.Len()
	return c.link.length > 0 && n >= c.link.jobs && !c.Doc().Generated()
}

// when does something as soon as the payload is of the present document.
func (s *share) when(c *Files, then func()) {
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
func (s *share) pack(c *Files) {
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
		c.Env.Lock()
		was := c.Unsaved()
		s.busy = false
		if len(payload) > link.Longest {
			s.done(c, edits, jobs, "", len(payload))
		} else {
			s.done(c, edits, jobs, payload, 0)
		}
		if s.render {
			s.render = false
			c.Env.UnlockRender()
		} else {
			c.unlock(was)
		}
	}()
}

// done takes a payload, and those that wait for it, unless there were edits
// since.
func (s *share) done(c *Files, edits, jobs int, payload string, length int) {
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
