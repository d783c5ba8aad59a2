package ui

import (
	"fmt"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lesson"
	"backfill-lab/ui/protocol"
)

// taught is the lesson that is open. Its pages are the text, the steps, and
// the question.
type taught struct {
	*lesson.Lesson
	page    int
	chosen  int // of the choices, -1: none yet
	given   string
	edited  bool   // the scenario is no longer the lesson's
	brought int    // number of the person's content that its scenario is, 0: it is not theirs
	packed  string // of one that is none of ours: itself, for the link
}

// last is the page of the question.
func (l *taught) last() int { return len(l.Steps) + 1 }

// Learn opens a lesson from the list.
func (c *App) Learn(l *lesson.Lesson) {
	c.shut()
	d, err := document.Read(l.Scenario)
	if err != nil {
		c.Notice = err.Error()
		return
	}
	d.Brought = c.bring()
	c.replace(d)
	c.teach(l, 0)
	c.Focus = "lesson-title"
}

// Introduce opens the first lesson, for who comes for the first time.
func (c *App) Introduce() { c.withLessons(func() { c.Learn(lesson.All()[0]) }) }

// withLessons does what needs the lessons of the project, which are fetched when they
// are first asked for.
func (c *App) withLessons(do func()) {
	if lesson.All() != nil {
		do()
		return
	}
	go func() {
		defer browser.Recover("lessons")
		err := fetchLessons()
		c.env.Lock()
		defer c.env.UnlockRender()
		if err != nil {
			c.Notice = lessonsMissing(err)
			return
		}
		do()
	}()
}

func lessonsMissing(err error) string {
	return "The lessons could not be fetched: " + err.Error() + ". Check the connection, then ask for them again."
}

// fetchLessons waits for the lessons.
func fetchLessons() error {
	file, err := browser.Part("lessons")
	if err == nil {
		err = lesson.Take(file)
	}
	return err
}

// Reset brings back the lesson's scenario; undo leads back to what it was.
func (c *App) Reset() {
	if !c.lesson.edited {
		return
	}
	if d, err := document.Read(c.lesson.Scenario); err == nil {
		c.grid.reset()
		d.Brought = c.lesson.brought
		c.do("", d)
		c.showPage()
	}
}

// teach opens a lesson over the present scenario.
func (c *App) teach(l *lesson.Lesson, page int) {
	c.lesson = &taught{Lesson: l, chosen: -1, brought: c.Doc().Brought}
	if d, err := document.Read(l.Scenario); err == nil {
		c.lesson.given = fingerprint(&d)
	}
	c.lesson.page = max(0, min(page, c.lesson.last()))
	c.compare()
	c.showPage()
}

// compare finds out whether the scenario is still that of the lesson.
func (c *App) compare() {
	if c.lesson != nil {
		c.lesson.edited = c.Doc().Rows.Len() > lesson.MostJobs || fingerprint(c.Doc()) != c.lesson.given
	}
}

// fingerprint is all of a small scenario that makes its schedules.
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
		fmt.Fprintln(&b, p.Name, knobWords(protocol.Policy{Knobs: p.Knobs}))
	}
	for _, r := range d.Rows.All() {
		for _, col := range d.AllColumns() {
			b.WriteString(r.Text(col) + "\t")
		}
	}
	return b.String()
}

// following is the next lesson in its language, nil after the last.
func (l *taught) following() *lesson.Lesson { return lesson.Following(l.Name) }

// Turn goes by pages back or forth, and behind the last to the next lesson.
func (c *App) Turn(by int) {
	if by > 0 && c.lesson.page == c.lesson.last() {
		if next := c.lesson.following(); next != nil {
			c.Learn(next)
		}
		return
	}
	c.lesson.page = max(0, min(c.lesson.page+by, c.lesson.last()))
	c.showPage()
}

// showPage shows the present page in the player.
func (c *App) showPage() {
	l := c.lesson
	c.share.soon(c)
	c.player.pause()
	step := lesson.Step{}
	switch {
	case l.page > len(l.Steps) && c.player.open && c.player.want != (protocol.Player{}):
		return // what is seen stays
	case l.page > len(l.Steps):
		step = l.Steps[len(l.Steps)-1]
	case l.page > 0:
		step = l.Steps[l.page-1]
	default:
		step.Place.Event = "before"
	}
	c.player.open = true
	place := step.Place
	c.player.seek(c, protocol.Player{Result: step.Policy, Place: &place})
}

// Leave closes the lesson; the scenario stays.
func (c *App) Leave() {
	c.lesson = nil
	c.ClosePlayer()
	c.share.soon(c)
	c.Focus = "lessons"
}
