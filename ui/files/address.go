package files

import (
	"fmt"
	"slices"
	"time"

	"backfill-lab/public/examples"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
	"backfill-lab/ui/session"
)

// fragmentDelay is the delay between a change of the document or view and the update of the
// fragment in the address. Browsers refuse more than a hundred updates in half a minute.
const fragmentDelay = 400 * time.Millisecond

// addressLink keeps the fragment of the address up to date with the document and the view. After a reload
// or a crash, or from a copied link, the page can then restore both.
type addressLink struct {
	message    string // message in the Share menu, such as “Link copied”
	offersSave bool   // the menu offers to save the scenario, because a link or a copy of the page cannot be made or would be useless
	showsField bool   // the page shows the link or the frame code in a field, to be copied by hand

	text       string // what the field shows
	pageFailed bool   // creating the page as one file has failed

	packedEdits     int              // Edits of the session when the payload was made
	payload         string           // the document, compressed for a link; "" if it is too long
	draft           string           // the lesson that is being written, compressed for a link
	packedWithDraft bool             // the payload was made while a lesson was being written
	length          int              // length of a payload that is too long for a link, or the number of jobs if they are too many to pack; 0 if it fits
	lessonOmitted   bool             // payload and lesson together are too long for a link, so the link has no lesson
	jobs            int              // number of jobs in the document when the payload was made
	written         string           // last fragment that the page wrote or opened
	reported        string           // last fragment that the browser reported
	others          []link.Option    // Others of the fragment that was opened last
	generating      int              // ID of the request that generates the jobs of the link in the address, 0 if none
	ungenerated     *ungeneratedLink // the link that was opened last of those whose jobs must be generated, nil if none was
	scheduled       bool             // an update of the fragment is scheduled
	packing         bool             // the payload is being compressed
	render          bool             // render the page when the payload is ready
	waiting         []func()         // functions to call when the payload is ready
}

// start opens the link with which the page was opened, looks for autosaved work, and begins to watch the address.
func (s *addressLink) start(c *Files) {
	fragment := c.drafts.fragmentToOpen(fragmentWithEdits())
	s.reported = browser.Fragment()
	missing := ""
	if namesLesson(fragment) {
		missing = c.lessons.Fetch(link.Parse(fragment).View.Lesson)
	}
	if c.openLink(fragment, true) {
		s.written = s.reported
	}
	c.drafts.open = ""
	if missing != "" {
		c.Notice = missing
	}
	f := link.Parse(fragment)
	open, _ := lessonOf(f)
	c.autosave.start(c, f.Payload != "" || open != nil)
	_ = browser.OnFragmentChange(func(fragment string) {
		c.Env.Lock()
		defer c.Env.UnlockRender()
		s.reported = fragment
		if namesLesson(fragment) {
			c.lessons.AfterLoading(link.Parse(fragment).View.Lesson, func() { s.openTyped(c, fragment) })
		} else {
			s.openTyped(c, fragment)
		}
	})
}

// openTyped opens the link in a fragment that the user typed, pasted or reached with Back. An empty fragment opens the
// first example. If the link contains a scenario that cannot be opened, openTyped restores the previous fragment.
func (s *addressLink) openTyped(c *Files, fragment string) {
	previous := s.written
	s.written = fragment // so that Forward opens the previous fragment again, even if the user presses it at once
	if c.Restored == (session.Restored{Fragment: fragment, Edits: c.Edits}) {
		f := link.Parse(fragment)
		l, _ := lessonOf(f)
		c.applyLinkOptions(l, f)
		return
	}
	if fragment == "" && previous != "" { // the Back button leads to the first example, which the page showed when the user opened a lesson
		c.ShowExample(examples.List[0])
		return
	}
	if fragment == previous {
		return
	}
	if c.openLink(fragment, false) {
		c.Events.Opened()
		return
	}
	s.written = previous
	if link.Parse(fragment).Payload != "" {
		s.setFragment(previous) // so that a reload restores what the page shows
	}
}

// lessonOf returns the lesson that a link opens, nil if it opens none. It returns an error if the lesson is invalid.
func lessonOf(f link.Fragment) (*lesson.Lesson, error) {
	if f.Lesson == "" {
		return lesson.Find(f.View.Lesson), nil
	}
	text, err := link.Inflate(f.Lesson)
	if err != nil {
		return nil, err
	}
	parse := lesson.Parse
	if f.View.Write {
		parse = lesson.ParseDraft
	}
	l, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("lesson in the link, %w", err)
	}
	return l, nil
}

// namesLesson reports whether a fragment names a built-in lesson and does not contain the text of a lesson.
func namesLesson(fragment string) bool {
	f := link.Parse(fragment)
	return f.Lesson == "" && f.View.Lesson != ""
}

// openLink opens the link in a fragment, and reports whether the fragment contains a valid link. The argument `first`
// is true for the link with which the page was opened. If the link is invalid, the page shows a notice, but still
// applies the options for frames.
func (c *Files) openLink(fragment string, first bool) bool {
	f := link.Parse(fragment)
	c.applyFrameOptions(f)
	if f.Version == 0 && f.Payload == "" && len(f.Policies) == 0 && !c.outer.Embed {
		return false
	}
	s := &c.link
	l, err := lessonOf(f)
	if err == nil && f.Payload != "" {
		err = s.unpack(c, f, first)
	}
	if err != nil {
		c.Notice = fmt.Sprintf("The link could not be opened: %v. The page does not show the content of the link.", err)
		return false
	}
	switch {
	case f.Payload != "":
	case l != nil:
		if d, err := document.Read(l.Scenario); err == nil {
			s.showDocument(c, d, f, first)
		}
	case len(f.Policies) > 0:
		s.showDocument(c, *c.Doc(), f, first)
	}
	c.applyLinkOptions(l, f)
	return true
}

// applyLinkOptions applies everything in a link except its scenario: the lesson, the tab, the colours and the view.
func (c *Files) applyLinkOptions(l *lesson.Lesson, f link.Fragment) {
	c.lessons.FollowLink(l, f)
	c.link.others = f.Others
	if slices.Contains(c.Tabs, f.View.Tab) {
		c.Tab = f.View.Tab
	}
	c.colours.ColourBy(f.View.Colour, f.View.Base)
	if c.LinkedView = &f.View; c.ShownPlan != nil && f.Payload == "" {
		c.ApplyLinkedView()
	}
}

// unpack opens the payload of a link. If the payload names a generator of many jobs, unpack asks the worker to
// generate them. The page shows the document when the jobs have arrived.
func (s *addressLink) unpack(c *Files, f link.Fragment, first bool) error {
	l, err := link.DecodePayload(f.Version, f.Payload)
	if err != nil {
		return err
	}
	if document.GeneratesManyJobs(l.Scenario) {
		s.generate(c, l.Scenario, f, first)
		return nil
	}
	d, err := documentOfLink(l)
	if err == nil {
		s.showDocument(c, d, f, first)
	}
	return err
}

// showDocument replaces the document by the document of a link. If the page was opened with this link, it also
// restores the undo steps from before a reload.
func (s *addressLink) showDocument(c *Files, d document.Doc, f link.Fragment, first bool) {
	if f.View.Write {
		d.Lesson, _ = lessonOf(f)
		if d.Lesson != nil {
			own := *d.Lesson // a copy, because the link may name a lesson of the project, which must not change
			own.DraftID, d.Lesson = c.drafts.open, &own
		}
	}
	ours := f.Payload == "" && f.Lesson == "" // the scenario is from the project, not from the link
	d = c.withNamedPolicies(d, &f)
	if c.ScriptsNeedConsent = !ours && !c.knowsScripts(&d); first {
		c.Session.Open(d)
	} else {
		d.ContentID = c.NewContentID() // the user may have pasted the link, so its content counts as content of the user
		c.Replace(d)
	}
	if f.Version == link.Version && f.Payload != "" {
		if s.payload, s.packedEdits = f.Payload, c.Edits; len(f.Payload)+len(f.Lesson) > link.MaxLength { // only the page as one file contains such a long fragment
			s.payload, s.length, s.jobs = "", len(f.Payload), d.Rows.Len()
		}
		if d.Lesson != nil {
			s.draft, s.packedWithDraft = f.Lesson, true
		}
		if first {
			c.restoreUndo(s.undoPayload())
			c.restoreStoredReport(s.undoPayload())
		}
	}
}

// view returns the view for a link: time window, cursor, tab, colours, lesson and selected job. Until the results of an
// opened link have arrived, it returns the view of that link, with the current lesson.
func (c *Files) view() link.View {
	v := c.ChartView()
	if c.LinkedView != nil { // the page shows this view when the results arrive, which may never happen
		c.lessons.LinkView(&v)
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

// scheduleUpdate schedules an update of the fragment, unless one is scheduled already.
func (s *addressLink) scheduleUpdate(c *Files) {
	if s.scheduled || c.Env == nil {
		return
	}
	s.scheduled = true
	wait := fragmentDelay
	if c.tooLong() { // then the document goes to the database, and browsers do not limit how often a page writes there
		wait /= 4
	}
	time.AfterFunc(wait, func() {
		defer browser.Recover("link")
		c.Env.Lock()
		defer c.unlock(c.Unsaved())
		s.scheduled = false
		if s.generating != 0 && s.generating == c.Task || c.IsUngenerated() { // the page does not show the document of the address yet, so the address must stay
			return
		}
		if c.tooLong() {
			s.updateFragment(c)
		} else {
			s.whenPacked(c, func() { s.updateFragment(c) })
		}
	})
}

// unlock releases the render lock. It renders the page only if the value of Unsaved is no longer `before`.
func (c *Files) unlock(before bool) {
	if c.Unsaved() != before {
		c.Env.UnlockRender()
	} else {
		c.Env.UnlockOnly()
	}
}

// updateFragment writes the current document and view into the fragment. It stores everything else in the browser:
// the undo steps, the report on the opened file, the allowed scripts, the draft, and a document that is too long.
func (s *addressLink) updateFragment(c *Files) {
	f := s.fragment(c)
	if s.lessonOmitted = len(f.Payload)+len(f.Lesson) > link.MaxLength; s.lessonOmitted {
		f.View.Step, f.Lesson = 0, ""
	}
	if text := f.String(); text != s.written && s.reported == browser.Fragment() && s.setFragment(text) {
		s.written = text
	} // otherwise the user has just set another fragment, which openTyped will open
	c.storeUndo()
	c.storeReport()
	c.storeScripts()
	c.StoreDraft()
	c.autosave.saveOrClear(c)
}

// fragment returns the fragment for the current document and view. If the document is too long for a
// link, the fragment contains neither of them.
func (s *addressLink) fragment(c *Files) link.Fragment {
	f := link.Fragment{Version: link.Version, View: c.view(), Lesson: c.lessons.LinkedLesson(), Payload: s.payload, Others: s.others}
	if f.View.Write {
		f.Lesson = s.draft
	}
	if s.length > 0 {
		f.View, f.Lesson = link.Whole, ""
	}
	return f
}

// undoPayload returns the payload of the document, including the lesson that is being written. Undo steps and reports
// are stored with this payload, so that a reload restores them only for the same document.
func (s *addressLink) undoPayload() string {
	if s.draft == "" {
		return s.payload
	}
	return s.payload + draftMark + s.draft
}

// setFragment sets the fragment of the address, and reports whether the browser accepted it.
func (s *addressLink) setFragment(fragment string) bool {
	ok := browser.SetFragment(fragment) == nil
	s.reported = browser.Fragment()
	return ok
}

// tooLong reports whether the document is certainly too long for a link: the document that was packed last was too
// long, and the current document has at least as many jobs as that one. tooLong returns false if a generator makes
// the jobs, or if a lesson was being written when the last document was packed.
func (c *Files) tooLong() bool {
	n := c.Doc().Rows.Len()
	return c.link.length > 0 && n >= c.link.jobs && !c.link.packedWithDraft && !c.Doc().Generated()
}

// whenPacked calls f when the payload contains the current document: at once, or after the document was packed.
func (s *addressLink) whenPacked(c *Files, f func()) {
	if s.packedEdits == c.Edits {
		f()
		return
	}
	s.waiting = append(s.waiting, f)
	if !s.packing {
		s.pack(c)
	}
}

// pack compresses the document, and the lesson that is being written, in the background.
func (s *addressLink) pack(c *Files) {
	edits, jobs, d, lesson := c.Edits, c.Doc().Rows.Len(), linkDocumentOf(c.Doc(), c.Bad), c.lessons.Draft()
	s.draft, s.packedWithDraft = "", lesson != nil
	if d == nil {
		s.packingDone(c, edits, jobs, "", jobs)
		return
	}
	data := link.Pack(d)
	s.packing = true
	go func() {
		defer browser.Recover("link")
		payload, draft := payloadOf(data), payloadOf(lesson)
		c.Env.Lock()
		before := c.Unsaved()
		s.packing = false
		if n := len(payload) + len(draft); n > link.MaxLength {
			s.packingDone(c, edits, jobs, "", n)
		} else {
			s.draft = draft
			s.packingDone(c, edits, jobs, payload, 0)
		}
		if s.render {
			s.render = false
			c.Env.UnlockRender()
		} else {
			c.unlock(before)
		}
	}()
}

// payloadOf compresses data and encodes it as the payload of a link. It returns "" if data is nil.
func payloadOf(data []byte) string {
	if data == nil {
		return ""
	}
	out, err := browser.Deflate(data)
	if err != nil {
		out = link.DeflateStored(data)
	}
	return link.EncodePayload(out)
}

// packingDone stores a payload and calls the functions that wait for it (see whenPacked). If the document was edited
// meanwhile, packingDone packs it again instead, unless it is certainly too long for a link.
func (s *addressLink) packingDone(c *Files, edits, jobs int, payload string, length int) {
	s.packedEdits, s.payload, s.length, s.jobs = edits, payload, length, jobs
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
