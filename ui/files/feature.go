// Package files opens and saves scenarios. It handles opened and dropped files, exports,
// the link in the address, autosave in the browser, and the calls of an embedding page.
package files

import (
	"encoding/json"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Colours gives links access to the colours of the charts.
type Colours interface {
	LinkView(*link.View)
	ColourBy(kind string, base int)
}

// Player gives calls of an embedding page access to the player of the charts.
type Player interface {
	Pause()
	SeekEvent(protocol.PlayerQuery)
	Event() *protocol.Played // the shown event, nil if none
	Seeking() bool
}

// Lessons gives links and files access to the lessons.
type Lessons interface {
	InLesson() bool
	LessonTitle() string                           // the title of the open lesson
	LinkView(*link.View)                           // adds the open lesson and its page to the view of a link
	LinkedLesson() string                          // the open lesson, compressed for a link; "" for a lesson of the project
	FollowLink(l *lesson.Lesson, f link.Fragment)  // opens the lesson of a link, or closes the open lesson if l is nil
	ShowLessonFile(name string, text []byte) error // opens a lesson from a file
	AfterLoading(name string, do func())           // calls do once the lesson with this name is available
	Fetch(wanted string) (problem string)          // waits for the lesson with this name, or returns a message for the user

	Writing() bool          // reports whether a lesson is being written
	Previewing() bool       // reports whether the page shows the preview of that lesson
	Edit()                  // returns from the preview to the form
	Unsaved() *document.Doc // the document with that lesson, nil if there is none or the user has not edited it
	Draft() []byte          // the file of that lesson, nil if there is none
	Finish() []byte         // the file of that lesson; nil if it is not complete, and the form then shows what is missing
	HasNoFlaws() bool       // reports whether that lesson is complete
}

// Files holds the state of files, link, autosave and calls.
type Files struct {
	*session.Session

	colours    Colours
	player     Player
	lessons    Lessons
	openReport string // name of the file whose report is open, "" if none
	link       addressLink
	outer      link.Frame // options of the embedding page
	calls      calls
	autosave   autosave
	drafts     drafts
}

// New returns the file handling of a session.
func New(s *session.Session, colours Colours, player Player, lessons Lessons) *Files {
	return &Files{Session: s, colours: colours, player: player, lessons: lessons}
}

// HandleAnswer handles the worker's answers to open and export requests. It reports false if
// the answer is for another feature.
func (c *Files) HandleAnswer(m browser.Message) (bool, error) {
	switch {
	case m.Kind == "opened" && m.ID == c.Task:
		go c.receiveOpened(m)
		return true, nil
	case m.Kind == "exported":
		return true, c.receiveExport(m)
	}
	return false, nil
}

// receiveExport downloads an export as a file, or passes it to the call that asked for it.
func (c *Files) receiveExport(m browser.Message) error {
	if c.calls.storeExport(m) {
		return nil
	}
	var x protocol.Exported
	if err := json.Unmarshal(m.Head, &x); err != nil {
		return err
	}
	if strings.HasPrefix(x.Mime, "image/") {
		go c.drawCharts(x.Name, string(m.Bufs[0]))
		return nil
	}
	return browser.Download(x.Name, x.Mime, m.Bufs[0])
}

// Start lists the drafts, opens the link with which the page was opened, and looks for autosaved work.
func (c *Files) Start() {
	c.ListDrafts()
	c.link.start(c)
}

// ScheduleLinkUpdate schedules an update of the link. It is called when the document or the view has changed.
func (c *Files) ScheduleLinkUpdate() { c.link.scheduleUpdate(c) }

// ShareMessage returns the message in the share menu.
func (c *Files) ShareMessage() string { return c.link.message }

// ShowsLinkField reports whether the page shows the link, or the HTML code of a frame, in a field from which the user
// can copy it.
func (c *Files) ShowsLinkField() bool { return c.link.showsField }

// OffersSave reports whether the Share menu offers to save the scenario. It does so if the page cannot make a link or
// a copy of itself in one file, or if these would be of no use.
func (c *Files) OffersSave() bool { return c.link.offersSave || !c.CanDownloadPage() }

// AfterRender runs after each render. It fills the field that shows the link or the frame code.
func (c *Files) AfterRender() { c.link.fill(c) }

// Recovery is the component that warns that the document is not saved or that a link did not open, and offers
// autosaved work.
type Recovery struct{ Files *Files }
