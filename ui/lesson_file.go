package ui

import (
	"fmt"
	"strings"

	"backfill-lab/core/replay"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lesson"
	"backfill-lab/ui/link"
)

// learn opens a lesson that was read from a file; its scenario is open already.
func (c *App) learn(name string, text []byte) error {
	l, err := lesson.Parse(text)
	if err != nil {
		return err
	}
	c.teach(l, 0)
	c.Focus = "lesson-title"
	c.Notice = fmt.Sprintf("%s: a lesson.", name)
	go c.packed(c.lesson, text)
	return nil
}

// packed makes of a lesson what a link holds of it.
func (c *App) packed(l *taught, text []byte) {
	defer browser.Recover("lesson")
	deflated, err := browser.Deflate(text)
	if err != nil {
		deflated = link.Stored(text)
	}
	c.env.Lock()
	defer c.env.UnlockOnly()
	l.packed = link.Payload(deflated)
	c.share.soon(c)
}

// linkedLesson is the open lesson for a link, empty where that has its name.
func (c *App) linkedLesson() string {
	if c.lesson == nil {
		return ""
	}
	return c.lesson.packed
}

// lessonOf is the lesson that a link opens, nil if it opens none.
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

// SaveLesson hands the lesson that is open, with the scenario as it stands, to the
// person as a file; without one, a sketch of a lesson on the scenario.
func (c *App) SaveLesson() {
	if n := c.Doc().Rows.Len(); n > lesson.MostJobs {
		c.shut()
		c.Notice = fmt.Sprintf("A lesson has at most %s jobs; the scenario has %s.", commas(lesson.MostJobs), commas(n))
		return
	}
	l, name := c.sketch(), "lesson.json"
	if c.lesson != nil {
		l = c.lesson.Lesson
	}
	if l.Name != "" {
		name = l.Name + ".json"
	}
	c.save(name, "application/json", func(plan *document.Plan) []byte {
		return lesson.Format(l, scenario.Format(c.Doc().Listed(plan)))
	})
}

// sketch is a lesson whose texts are to be written.
func (c *App) sketch() *lesson.Lesson {
	d := c.Doc()
	step := lesson.Step{Text: "What is to be seen after all events of the moment 0.", Place: replay.Place{Event: replay.After}}
	if x := c.player.shown; c.player.open && x != nil && x.Kind != "" {
		step = lesson.Step{Text: "What is to be seen at this event.", Policy: x.Result, Place: replay.Place{Time: x.At, Event: x.Kind}}
		if x.Job >= 0 {
			step.Place.Job = c.lab.row(int32(x.Job)).Name
		}
	}
	return &lesson.Lesson{
		Title: or(d.Title, "The title"), Summary: "One line for a list of lessons.", Text: []string{or(d.Text, "What there is to know before the first step.")},
		Steps: []lesson.Step{{Text: "What is to be seen before anything has happened.", Place: replay.Place{Event: replay.Before}}, step},
		Question: lesson.Question{Text: "A question that changing the scenario answers?", Choices: []string{"The right answer", "A wrong answer"},
			Because: "Why it is right."},
		Play: "What to change and try then.",
	}
}

// or is a text, or another where it says nothing.
func or(text, other string) string {
	if strings.TrimSpace(text) == "" {
		return other
	}
	return text
}

// finishedLessons is the key of the names of lessons that were finished.
const finishedLessons = "lessons"

// finished reports whether a lesson was finished in this browser.
func (c *App) finished(name string) bool {
	list, _ := browser.Local.Get(finishedLessons)
	return strings.Contains(" "+list+" ", " "+name+" ")
}

// finish remembers it.
func (c *App) finish(name string) {
	if list, _ := browser.Local.Get(finishedLessons); name != "" && !c.finished(name) {
		browser.Local.Set(finishedLessons, strings.TrimSpace(list+" "+name))
	}
}
