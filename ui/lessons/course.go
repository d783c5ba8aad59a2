package lessons

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/replay"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

// openLesson is the state of the open lesson. The pages of a lesson are the introduction, then the
// steps. Each question follows its step.
type openLesson struct {
	*lesson.Lesson
	page     int
	selected []int  // by question: the selected choice, -1 if none
	original string // fingerprint of the lesson's scenario
	edited   bool   // the document differs from the lesson's scenario
	brought  int    // document.Doc.Brought of the lesson's scenario
	packed   string // the lesson for links, "" for a lesson of the project
	draft    bool   // the lesson is being written: it is the document's
}

// OpenLesson opens a lesson from the list.
func (c *Lessons) OpenLesson(l *lesson.Lesson) {
	c.CloseMenu()
	d, err := document.Read(l.Scenario)
	if err != nil {
		c.Notice = err.Error()
		return
	}
	d.ContentID = c.NewContent()
	if c.needsEntry(l) {
		browser.PushEntry() // Back leaves the lesson
	}
	c.StartOver(d)
	c.show(l, 0)
	c.Focus = "lesson-title"
}

// needsEntry reports whether opening lesson l needs an entry in the history of the browser. With
// the entry, the Back button returns to what the page shows now. Opening the same lesson again
// needs none. In a frame, all lessons share one entry, so that they do not fill the history of the
// page around it.
func (c *Lessons) needsEntry(l *lesson.Lesson) bool {
	return c.open == nil || c.open.Name != l.Name && !browser.Framed()
}

// Introduce opens the first lesson, which introduces newcomers to scheduling.
func (c *Lessons) Introduce() { c.WithLessons(func() { c.OpenLesson(lesson.All()[0]) }) }

// WithLessons calls do once the lessons of the project are available. It fetches them at
// the first call.
func (c *Lessons) WithLessons(do func()) {
	if lesson.All() != nil {
		do()
		return
	}
	go func() {
		defer browser.Recover("lessons")
		problem := c.Fetch()
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if problem != "" {
			c.Notice = problem
			return
		}
		do()
	}()
}

// Fetch fetches the lessons of the project and waits for them. If that fails, it returns a message
// for the user, otherwise "".
func (c *Lessons) Fetch() (problem string) {
	file, err := browser.LoadFile("lessons")
	if err == nil {
		err = lesson.Load(file)
	}
	if err != nil {
		return fmt.Sprintf("The lessons could not be fetched: %v. Check the connection, then try again.", err)
	}
	return ""
}

// Reset restores the lesson's scenario, as an edit that can be undone.
func (c *Lessons) Reset() {
	if !c.open.edited {
		return
	}
	if d, err := document.Read(c.open.Scenario); err == nil {
		c.Events.JobsReplaced()
		d.ContentID = c.open.brought
		c.Do("", d)
		c.showPage()
	}
}

// show opens a lesson at a page and leaves the document as it is.
func (c *Lessons) show(l *lesson.Lesson, page int) {
	c.open = &openLesson{Lesson: l, selected: unanswered(l), brought: c.Doc().ContentID}
	if d, err := document.Read(l.Scenario); err == nil {
		c.open.original = fingerprint(&d)
	}
	c.open.page = max(0, min(page, c.open.last()))
	c.Compare()
	c.showPage()
}

// unanswered returns the selected choice of each question of a lesson before the first answer: -1.
func unanswered(l *lesson.Lesson) []int { return slices.Repeat([]int{-1}, len(l.Questions)) }

// Compare updates the lesson after an edit of the document. If a lesson is being written, Compare
// shows its new state. It also records whether the document differs from the scenario of the open
// lesson.
func (c *Lessons) Compare() {
	if c.follow(); c.open != nil && !c.open.draft {
		c.open.edited = c.Doc().Rows.Len() > lesson.MaxJobs || fingerprint(c.Doc()) != c.open.original
	}
}

// fingerprint returns a text with everything in a small scenario that affects its schedules.
func fingerprint(d *document.Doc) string {
	var b strings.Builder
	fmt.Fprintln(&b, d.Machine)
	if d.Slowdown != nil {
		fmt.Fprintln(&b, *d.Slowdown)
	}
	for _, r := range d.Resources {
		fmt.Fprintln(&b, r.Name, r.Capacity)
	}
	for _, p := range d.Policies {
		fmt.Fprintln(&b, p.Name, p.Knobs) // fmt prints maps in the order of their keys
	}
	for _, r := range d.Rows.All() {
		for _, col := range d.AllColumns() {
			b.WriteString(r.Text(col) + "\t")
		}
	}
	return b.String()
}

// following returns the next lesson in the same language, nil if this is the last one.
func (l *openLesson) following() *lesson.Lesson { return lesson.Next(l.Name) }

// TurnPages turns a number of pages forwards, or backwards if the number is negative. After the
// last page, it opens the next lesson.
func (c *Lessons) TurnPages(by int) {
	if by > 0 && c.open.page == c.open.last() {
		if next := c.open.following(); next != nil {
			c.OpenLesson(next)
		}
		return
	}
	c.open.page = max(0, min(c.open.page+by, c.open.last()))
	c.finish()
	c.showPage()
}

// showPage moves the player to the event of the current page.
func (c *Lessons) showPage() {
	l := c.open
	c.Events.Viewed()
	c.player.Pause()
	step := lesson.Step{Place: replay.EventRef{Event: replay.Before}}
	if l.question() != nil && l.stepsSoFar() == len(l.Steps) && c.player.IsBeyondStart() {
		return // the question is about what the player already shows
	}
	if n := l.stepsSoFar(); n > 0 {
		step = l.Steps[n-1]
	}
	place := step.Place
	c.player.SeekEvent(protocol.Player{Result: step.Policy, Place: &place})
}

// Leave closes the lesson. The scenario stays. If the lesson is being written, undo opens it again.
func (c *Lessons) Leave() {
	c.read = nil
	if c.Writing() {
		d := *c.Doc()
		d.Lesson = nil
		c.Do("", d)
		c.Notice = "The lesson is closed. Undo opens it again."
	}
	c.open = nil
	c.player.Close()
	c.Events.Viewed()
	c.Focus = "lessons"
}
