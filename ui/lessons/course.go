package lessons

import (
	"fmt"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

// openLesson is the lesson that is open. Its pages are the text, the steps, and
// the question.
type openLesson struct {
	*lesson.Lesson
	page    int
	chosen  int // of the choices, -1: none yet
	given   string
	edited  bool   // the scenario is no longer the lesson's
	brought int    // number of the person's content that its scenario is, 0: it is not theirs
	packed  string // of one that is none of ours: itself, for the link
}

// last returns the page of the question.
func (l *openLesson) last() int { return len(l.Steps) + 1 }

// Learn opens a lesson from the list.
func (c *Lessons) Learn(l *lesson.Lesson) {
	c.CloseMenu()
	d, err := document.Read(l.Scenario)
	if err != nil {
		c.Notice = err.Error()
		return
	}
	d.Brought = c.NewContent()
	c.Replace(d)
	c.teach(l, 0)
	c.Focus = "lesson-title"
}

// Introduce opens the first lesson, for who comes for the first time.
func (c *Lessons) Introduce() { c.WithLessons(func() { c.Learn(lesson.All()[0]) }) }

// WithLessons does what needs the lessons of the project, which are fetched when they
// are first asked for.
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

// Fetch waits for the lessons of the project; it returns what to tell the person if they
// cannot be had.
func (c *Lessons) Fetch() (problem string) {
	file, err := browser.Part("lessons")
	if err == nil {
		err = lesson.Take(file)
	}
	if err != nil {
		return "The lessons could not be fetched: " + err.Error() + ". Check the connection, then ask for them again."
	}
	return ""
}

// Reset brings back the lesson's scenario; undo leads back to what it was.
func (c *Lessons) Reset() {
	if !c.open.edited {
		return
	}
	if d, err := document.Read(c.open.Scenario); err == nil {
		c.Events.JobsReplaced()
		d.Brought = c.open.brought
		c.Do("", d)
		c.showPage()
	}
}

// teach opens a lesson over the present scenario.
func (c *Lessons) teach(l *lesson.Lesson, page int) {
	c.open = &openLesson{Lesson: l, chosen: -1, brought: c.Doc().Brought}
	if d, err := document.Read(l.Scenario); err == nil {
		c.open.given = fingerprint(&d)
	}
	c.open.page = max(0, min(page, c.open.last()))
	c.Compare()
	c.showPage()
}

// Compare finds out whether the scenario is still that of the lesson.
func (c *Lessons) Compare() {
	if c.open != nil {
		c.open.edited = c.Doc().Rows.Len() > lesson.MostJobs || fingerprint(c.Doc()) != c.open.given
	}
}

// fingerprint returns all of a small scenario that makes its schedules.
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

// following returns the next lesson in its language, nil after the last.
func (l *openLesson) following() *lesson.Lesson { return lesson.Following(l.Name) }

// Turn goes by pages back or forth, and behind the last to the next lesson.
func (c *Lessons) Turn(by int) {
	if by > 0 && c.open.page == c.open.last() {
		if next := c.open.following(); next != nil {
			c.Learn(next)
		}
		return
	}
	c.open.page = max(0, min(c.open.page+by, c.open.last()))
	c.showPage()
}

// showPage shows the present page in the player.
func (c *Lessons) showPage() {
	l := c.open
	c.Events.Viewed()
	c.player.Pause()
	step := lesson.Step{}
	switch {
	case l.page > len(l.Steps) && c.player.Stays():
		return // what is seen stays
	case l.page > len(l.Steps):
		step = l.Steps[len(l.Steps)-1]
	case l.page > 0:
		step = l.Steps[l.page-1]
	default:
		step.Place.Event = "before"
	}
	place := step.Place
	c.player.SeekEvent(protocol.Player{Result: step.Policy, Place: &place})
}

// Leave closes the lesson; the scenario stays.
func (c *Lessons) Leave() {
	c.open = nil
	c.player.Close()
	c.Events.Viewed()
	c.Focus = "lessons"
}
