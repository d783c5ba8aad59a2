package ui

import (
	"fmt"
	"strings"

	"backfill-lab/ui/lesson"
	"backfill-lab/ui/proto"
	"backfill-lab/ui/state"
)

// taught is the lesson that is open. Its pages are the text, the steps, and
// the question.
type taught struct {
	*lesson.Lesson
	page   int
	chosen int // of the choices, -1: none yet
	given  string
	edited bool // the scenario is no longer the lesson's
}

// last is the page of the question.
func (l *taught) last() int { return len(l.Steps) + 1 }

// Lessons is the list of lessons.
func (c *App) Lessons() []*lesson.Lesson {
	if c.Menu != "lessons" {
		return nil
	}
	return lesson.All()
}

// Learn opens a lesson from the list.
func (c *App) Learn(l *lesson.Lesson) {
	c.shut()
	d, err := load(l.Scenario)
	if err != nil {
		c.Notice = err.Error()
		return
	}
	c.replace(d)
	c.teach(l, 0)
	c.grid.goTo = "lesson-title"
}

// Restore brings back the lesson's scenario.
func (c *App) Restore() {
	if d, err := load(c.lesson.Scenario); err == nil {
		c.grid.reset()
		c.do("", d)
		c.showPage()
		c.grid.goTo = "lesson-next"
	}
}

// teach opens a lesson over the present scenario.
func (c *App) teach(l *lesson.Lesson, page int) {
	c.lesson = &taught{Lesson: l, chosen: -1}
	if d, err := load(l.Scenario); err == nil {
		c.lesson.given = fingerprint(&d)
	}
	c.lesson.page = max(0, min(page, c.lesson.last()))
	c.compare()
	c.showPage()
}

// compare finds out whether the scenario is still that of the lesson.
func (c *App) compare() {
	if c.lesson != nil {
		c.lesson.edited = c.Doc().Rows.Len() > 100 || fingerprint(c.Doc()) != c.lesson.given
	}
}

// fingerprint is all of a small scenario that makes its schedules.
func fingerprint(d *state.Doc) string {
	var b strings.Builder
	fmt.Fprintln(&b, d.Machine)
	if d.Slowdown != nil {
		fmt.Fprintln(&b, *d.Slowdown)
	}
	for _, r := range d.Resources {
		fmt.Fprintln(&b, r.Name, r.Capacity)
	}
	for _, p := range d.Policies {
		fmt.Fprintln(&b, p.Name, knobWords(proto.Policy{Knobs: p.Knobs}))
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
	case l.page > len(l.Steps):
		return
	case l.page > 0:
		step = l.Steps[l.page-1]
	default:
		step.Place.Event = "before"
	}
	c.player.open = true
	place := step.Place
	c.player.seek(c, proto.Player{Result: step.Policy, Place: &place})
}

// Leave closes the lesson; the scenario stays.
func (c *App) Leave() {
	c.lesson = nil
	c.ClosePlayer()
	c.share.soon(c)
	c.grid.goTo = "lessons"
}

// InLesson reports whether a lesson is open.
func (c *App) InLesson() bool { return c.lesson != nil }

// Lead is what the scenario says of itself; a lesson says it better.
func (c *App) Lead() string {
	if c.lesson != nil {
		return ""
	}
	return c.Doc().Text
}

// LessonTitle and LessonPaper head the lesson.
func (c *App) LessonTitle() string { return c.lesson.Title }
func (c *App) LessonPaper() string { return c.lesson.Paper }

// LessonText is the paragraphs of the page.
func (c *App) LessonText() []string {
	switch l := c.lesson; {
	case l.page == 0:
		return l.Text
	case l.page <= len(l.Steps):
		return []string{l.Steps[l.page-1].Text}
	default:
		return []string{l.Question.Text}
	}
}

// Paged is which page it is.
func (c *App) Paged() string {
	switch l := c.lesson; {
	case l.page == 0:
		return fmt.Sprintf("%d steps and a question", len(l.Steps))
	case l.page <= len(l.Steps):
		return fmt.Sprintf("step %d of %d", l.page, len(l.Steps))
	default:
		return "question"
	}
}

// NextWord is what the button forwards does, BackOff and NextOff whether the
// buttons lead nowhere.
func (c *App) NextWord() string {
	switch l := c.lesson; l.page {
	case 0:
		return "Begin"
	case len(l.Steps):
		return "Question"
	case l.last():
		return "Next lesson"
	}
	return "Next"
}

func (c *App) BackOff() string { return fmt.Sprint(c.lesson.page == 0) }
func (c *App) NextOff() string {
	return fmt.Sprint(c.lesson.page == c.lesson.last() && c.lesson.following() == nil)
}

// Option is a choice of the question as rendered.
type Option struct {
	I                     int
	ID, Text, Class, Held string
}

// Options is the choices, on the page of the question.
func (c *App) Options() (out []Option) {
	l := c.lesson
	if l.page != l.last() {
		return nil
	}
	for i, text := range l.Question.Choices {
		o := Option{i, fmt.Sprintf("choice-%d", i), text, "choice", fmt.Sprint(i == l.chosen)}
		if i == l.chosen && i == l.Question.Answer {
			o.Class = "choice right"
		} else if i == l.chosen {
			o.Class = "choice wrong"
		}
		out = append(out, o)
	}
	return out
}

// Answer takes a choice.
func (c *App) Answer(i int) { c.lesson.chosen = i }

// Verdict is what is said to the choice, and Further what to try then.
func (c *App) Verdict() string {
	switch l := c.lesson; {
	case l.page != l.last() || l.chosen < 0:
		return ""
	case l.chosen == l.Question.Answer:
		return "Right. " + l.Question.Because
	default:
		return "Not so. Change the scenario, step through it, and choose again."
	}
}

func (c *App) Further() string {
	if l := c.lesson; l.page == l.last() {
		return "Try it. " + l.Play
	}
	return ""
}

// Strayed is what is said when the scenario is no longer the lesson's.
func (c *App) Strayed() string {
	if l := c.lesson; l.edited && l.page < l.last() {
		return "You have changed the scenario; the text is about the one of the lesson."
	}
	return ""
}

// CanRestore reports whether there is something to restore.
func (c *App) CanRestore() bool { return c.lesson.edited }
