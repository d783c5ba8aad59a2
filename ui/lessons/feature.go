// Package lessons implements the list of lessons, the open lesson with its steps, questions and exercise, and the
// form in which a lesson is written.
package lessons

import (
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Player moves the charts from event to event. It shows the events of the steps of a lesson.
type Player interface {
	Pause()
	SeekEvent(protocol.PlayerQuery)
	Event() *protocol.Played // the shown event, nil if none
	Seeking() bool           // reports whether the player waits for an event
	IsBeyondStart() bool     // reports whether the player is open, and not at the beginning of the first schedule
	AtEnd() bool             // reports whether the player shows the last event
	AtTargetEvent() bool     // reports whether the player is at the event of the last call of SeekEvent
	Close()
}

// Lessons holds the state of the lessons.
type Lessons struct {
	*session.Session

	player         Player
	open           *openLesson // nil if no lesson is open
	opening        string      // text of the example that the page opens with
	openBefore     *openLesson // the lesson that was open before writing began, nil if none
	marksMissing   bool        // the form also marks required texts that are still empty
	check          check       // the check of a submission that is under way
	listsExercises bool        // the menu lists the exercises instead of the lessons

	unedited *lesson.Lesson // the lesson that was opened in the form last, as it was before its first edit; nil if none was

	Graded func(grade string)     // receives the grade of a submission; the root component sets it
	Saved  func(l *lesson.Lesson) // is called when the user has saved a lesson as a file; the root component sets it
}

// New returns the lessons of a session. The session's document must be the example that
// the page opens with, because Untouched compares later documents with it.
func New(s *session.Session, p Player) *Lessons {
	return &Lessons{Session: s, player: p, opening: s.Doc().Text, Graded: func(string) {}, Saved: func(*lesson.Lesson) {}}
}

// Close closes the lesson, with the player that shows its events, and stops a check of its exercise. It is called before
// another scenario or link opens.
func (c *Lessons) Close() {
	c.stopCheck()
	if c.open != nil && !c.open.draft {
		c.player.Close()
	}
	c.open, c.openBefore = nil, nil
}

// FollowLink opens l, the lesson of a link, at the page that the link names. If the link opens the form,
// FollowLink opens the lesson that is part of the document instead. If there is no such lesson, it only closes
// the open lesson.
func (c *Lessons) FollowLink(l *lesson.Lesson, f link.Fragment) {
	c.Close()
	if f.View.Write {
		c.HandleDocumentChange()
		c.turnTo(f.View.Step)
	} else if l != nil {
		c.show(l, f.View.Step)
		c.open.packed = f.Lesson
		c.restoreAnswers()
		if f.Payload == "" && f.View.Tab == "" && c.HasTask() {
			c.scrollToTask()
		}
	}
}

// LinkView adds the open lesson and its page to the view that a link describes.
func (c *Lessons) LinkView(v *link.View) {
	if c.open != nil {
		v.Lesson, v.Step, v.Write = c.open.Name, c.open.page, c.open.draft || c.Previewing()
	}
}

type (
	// Page is the component of the open lesson.
	Page struct{ Lessons *Lessons }
	// Form is the panel in which a lesson is written.
	Form struct{ Lessons *Lessons }
)
