// Package files is how scenarios come and go: opened and dropped files, exports, the link
// in the address, the copy that the browser keeps, and the calls of a page that shows this
// one in a frame.
package files

import (
	"encoding/json"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Colours is what links need of the colours of the charts.
type Colours interface {
	LinkView(*link.View)
	Paint(kind string, base int)
}

// Player is what calls need of the player of the charts.
type Player interface {
	Pause()
	SeekEvent(protocol.Player)
	Event() *protocol.Played // nil if none is shown
	Seeking() bool
}

// Lessons is what links and files need of the lessons.
type Lessons interface {
	LinkView(*link.View)
	LinkedLesson() string
	FollowLink(l *lesson.Lesson, f link.Fragment)
	LearnFile(name string, text []byte) error
	WithLessons(do func())
	Fetch() (problem string)
}

// Files is the state of files, link, kept copy and calls.
type Files struct {
	*session.Session

	colours  Colours
	player   Player
	lessons  Lessons
	unfold   string // name of the file whose report is shown in full
	link     share
	outer    link.Frame // what the page around this one asks for
	calls    calls
	autosave autosave
}

// New returns the files of a session.
func New(s *session.Session, colours Colours, player Player, lessons Lessons) *Files {
	return &Files{Session: s, colours: colours, player: player, lessons: lessons}
}

// Answered takes the worker's answer to open and export; it reports whether it is one.
func (c *Files) Answered(m browser.Message) (bool, error) {
	switch {
	case m.Kind == "opened" && m.ID == c.Task:
		go c.opened(m)
		return true, nil
	case m.Kind == "exported":
		return true, c.exported(m)
	}
	return false, nil
}

func (c *Files) exported(m browser.Message) error {
	if c.calls.exported(m) {
		return nil
	}
	var x protocol.Exported
	if err := json.Unmarshal(m.Head, &x); err != nil {
		return err
	}
	if strings.HasPrefix(x.Mime, "image/") {
		go c.picture(x.Name, string(m.Bufs[0]))
		return nil
	}
	return browser.Download(x.Name, x.Mime, m.Bufs[0])
}

// Start follows the link with which the page was called.
func (c *Files) Start() { c.link.start(c) }

// Viewed is told that what the page shows has changed.
func (c *Files) Viewed() { c.link.soon(c) }

// LinkSays returns what there is to say about the link that was asked for.
func (c *Files) LinkSays() string { return c.link.Said }

// LinkField reports whether the link is in a field, to be copied by hand.
func (c *Files) LinkField() bool { return c.link.Field }

// LinkTooLong reports whether the scenario is too long for a link.
func (c *Files) LinkTooLong() bool { return c.link.Long }

// Drawn fills what Vugu does not fill.
func (c *Files) Drawn() { c.link.fill(c) }

// Recovery is what there is to say of work that was kept, or cannot be.
type Recovery struct{ Files *Files }
