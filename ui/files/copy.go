package files

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/link"
)

// Share opens the Share menu and copies a link to the current scenario and view to the clipboard. If a lesson
// that is being written is not complete, the menu lists what is missing instead. If the menu is open, Share
// only closes it.
func (c *Files) Share() {
	s := &c.link
	if c.ToggleMenu("share"); c.Menu != "share" {
		return
	}
	if c.lessons.Previewing() {
		c.lessons.Edit()
	}
	if s.offersSave, s.showsField = false, false; c.lessons.Writing() && !c.lessons.HasNoFlaws() {
		s.message = "The lesson cannot be shared yet. Select an entry to go to what is missing:"
		return
	}
	if c.lessons.Writing() && c.lessons.Finish() == nil { // Finish shows a notice about errors in the scenario
		c.Menu = ""
		return
	}
	s.message, s.render = "The page is creating the link.", true
	if s.payload == "" && s.length == 0 {
		s.packedEdits = -1 // an unedited example has no payload yet; it gets one, because a later version may change the example
	}
	s.whenPacked(c, func() { s.copy(c) })
}

// copy writes the link to the clipboard. If the browser forbids this, copy shows the link in a field.
func (s *addressLink) copy(c *Files) {
	if s.updateFragment(c); s.length > 0 {
		s.offersSave = true
		s.message = fmt.Sprintf("%s jobs are too many for a link, which would have more than %s characters. Save the scenario as a file with Export.",
			format.Whole(c.Doc().Rows.Len()), format.Whole(link.MaxLength))
		if s.packedWithDraft {
			s.message = fmt.Sprintf("The lesson is too long for a link, which has at most %s characters. Save it as a file with Export.", format.Whole(link.MaxLength))
		}
		return
	}
	if !onServer() {
		s.offersSave = true
		s.message = "This page is a file on this computer, so a link to it works only here. To share the scenario, save it as a file, or download the page as one file."
		return
	}
	f := c.sharedFragment()
	address := c.address(f)
	to, content := "", "It contains the scenario and the view."
	switch {
	case s.lessonOmitted:
		content += " The lesson is too long for a link. Save it as a file with Export."
	case c.Events.InLesson():
		to, content = " to the lesson", "It opens at the beginning of the lesson."
	}
	size := format.Whole(len(address)) + " characters. " + content
	s.copyText(c, address, fmt.Sprintf("Link%s copied: %s", to, size), fmt.Sprintf("Copy this link%s. It has %s", to, size))
}

// onServer reports whether the page has an address that other people can open.
func onServer() bool { return strings.HasPrefix(browser.Address(), "http") }

// sharedFragment returns the fragment of a link for other people. The link opens a lesson at its beginning,
// as students see it.
func (c *Files) sharedFragment() link.Fragment {
	f := c.link.fragment(c)
	if c.Events.InLesson() {
		f.View = lessonStart(f.View)
		if c.writesExercise() && f.Lesson != "" {
			f.Payload = ""
		}
	}
	if c.link.lessonOmitted {
		f.View.Step, f.Lesson = 0, ""
	}
	return f
}

// writesExercise reports whether the lesson that is being written is an exercise. Such a lesson contains the
// scenario from which students start, so a link for students needs no other scenario.
func (c *Files) writesExercise() bool {
	l := c.Doc().Lesson
	return l != nil && l.Exercise != nil
}

// lessonStart returns the view at the beginning of the lesson that v shows.
func lessonStart(v link.View) link.View { return link.View{Cursor: -1, Lesson: v.Lesson} }

// address returns the address of this page with a fragment.
func (c *Files) address(f link.Fragment) string {
	address, _, _ := strings.Cut(browser.Address(), "#")
	if text := f.String(); text != "" {
		address += "#" + text
	}
	return address
}

// copyText writes text to the clipboard. If this succeeds, the message of the Share menu becomes `copied`. If the
// browser forbids it, the message becomes `byHand`, and a field shows the text.
func (s *addressLink) copyText(c *Files, text, copied, byHand string) {
	s.text = text
	browser.CopyText(text, func(err error) {
		go func() { // the callback may run at once, while the caller holds the lock
			defer browser.Recover("clipboard")
			c.Env.Lock()
			defer c.Env.UnlockRender()
			if s.message = copied; err != nil {
				s.message, s.showsField = byHand, true
				c.Focus = "share-link"
			}
		}()
	})
}

// fill writes the link or the frame code directly into the field on the page, because the text may be too long for
// Vugu to render.
func (s *addressLink) fill(c *Files) {
	if s.showsField && c.Menu == "share" {
		_ = browser.SetFieldValue("share-link", s.text)
	}
}

// CanFrame reports whether the page offers code to embed it: it is on a server, and the
// scenario fits into a link.
func (c *Files) CanFrame() bool { return onServer() && c.link.length == 0 }

// CopyFrame copies the code of a frame that shows the current scenario and view. A lesson
// starts at its beginning.
func (c *Files) CopyFrame() {
	s := &c.link
	s.whenPacked(c, func() {
		f := c.sharedFragment()
		content := "The frame shows this scenario, with the charts as you see them now."
		if c.Events.InLesson() {
			content = "The frame shows the lesson from the beginning."
		}
		f.Others = slices.DeleteFunc(slices.Clone(f.Others), func(o link.Option) bool { return o.Name == "embed" })
		f.Others = append(f.Others, link.Option{Name: "embed", Value: "1"})
		height := 600
		if c.Events.InLesson() && !c.Events.Folded() { // the text and the player need space too
			height = 900
		}
		code := fmt.Sprintf(`<iframe src="%s" title="%s" width="100%%" height="%d" style="border:0"></iframe>`, escapeAttribute(c.address(f)), escapeAttribute(c.frameTitle()), height)
		s.copyText(c, code, "Frame code copied. Paste it into the HTML of a course page. "+content, "Copy this code into the HTML of a course page. "+content)
	})
}

// frameTitle returns the title of a frame: the title of the open lesson, or else of the scenario.
func (c *Files) frameTitle() string {
	title := c.Doc().Title
	if c.Events.InLesson() {
		title = c.lessons.LessonTitle()
	}
	if title == "" {
		return "Backfill Lab"
	}
	return title
}

// escapeAttribute escapes a text for an HTML attribute in double quotes.
func escapeAttribute(text string) string {
	return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(text)
}
