// Package lessons is the list of lessons and the one that is open: its pages, its
// question, and the player that shows its steps.
package lessons

import (
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Player is the player of the charts, which shows the steps of a lesson.
type Player interface {
	Pause()
	SeekEvent(protocol.Player)
	Event() *protocol.Played // nil if none is shown
	Stays() bool             // open at an event that somebody chose
	Close()
}

// Lessons is the state of the lessons.
type Lessons struct {
	*session.Session

	player  Player
	open    *openLesson // nil: none is open
	opening string      // what the first example says of itself
}

// New returns the lessons of a session, whose document is the example that the page
// begins with.
func New(s *session.Session, p Player) *Lessons {
	return &Lessons{Session: s, player: p, opening: s.Doc().Text}
}

// Close is told that another scenario takes the place of the present one.
func (c *Lessons) Close() { c.open = nil }

// FollowLink opens the lesson of a link, or none if l is nil.
func (c *Lessons) FollowLink(l *lesson.Lesson, f link.Fragment) {
	if c.open = nil; l != nil {
		c.teach(l, f.View.Step)
		c.open.packed = f.Lesson
	}
}

// LinkView adds the lesson to what a link says of the page.
func (c *Lessons) LinkView(v *link.View) {
	if c.open != nil {
		v.Lesson, v.Step = c.open.Name, c.open.page
	}
}

// Page is the lesson that is open, as a component.
type Page struct{ Lessons *Lessons }
