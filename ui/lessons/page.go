package lessons

import (
	"fmt"
	"strings"

	"backfill-lab/ui/lessons/lesson"
)

// What the markup of lessons asks for.

// InLesson reports whether a lesson is open.
func (c *Lessons) InLesson() bool { return c.open != nil }

// Lead returns what the scenario says of itself; a lesson says it better.
func (c *Lessons) Lead() string {
	if c.open != nil {
		return ""
	}
	return c.Doc().Text
}

// LessonTitle and LessonPaper head the lesson.
func (c *Lessons) LessonTitle() string { return c.open.Title }

func (c *Lessons) LessonPaper() string { return c.open.Paper }

// LessonText returns the paragraphs of the page.
func (c *Lessons) LessonText() []string {
	switch l := c.open; {
	case l.page == 0:
		return l.Text
	case l.page <= len(l.Steps):
		return []string{l.Steps[l.page-1].Text}
	default:
		return []string{l.Question.Text}
	}
}

// Paged returns which page it is.
func (c *Lessons) Paged() string {
	switch l := c.open; {
	case l.page == 0:
		return fmt.Sprintf("%d steps and a question", len(l.Steps))
	case l.page <= len(l.Steps):
		return fmt.Sprintf("step %d of %d", l.page, len(l.Steps))
	default:
		return "question"
	}
}

// NextWord returns what the button forwards does, BackOff and NextOff whether the
// buttons lead nowhere.
func (c *Lessons) NextWord() string {
	switch l := c.open; l.page {
	case 0:
		return "Begin"
	case len(l.Steps):
		return "Question"
	case l.last():
		return "Next lesson"
	}
	return "Next"
}

func (c *Lessons) BackOff() string { return fmt.Sprint(c.open.page == 0) }

func (c *Lessons) NextOff() string {
	return fmt.Sprint(c.open.page == c.open.last() && c.open.following() == nil)
}

// Option is a choice of the question as rendered.
type Option struct {
	I                     int
	ID, Text, Class, Held string
}

// Options returns the choices, on the page of the question.
func (c *Lessons) Options() (out []Option) {
	l := c.open
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
func (c *Lessons) Answer(i int) {
	if c.open.chosen = i; c.LessonDone() {
		c.finish(c.open.Name)
	}
}

// Verdict returns what is said to the choice, Because why it is right, and Further
// what to try then.
func (c *Lessons) Verdict() string {
	switch l := c.open; {
	case l.page != l.last() || l.chosen < 0:
		return ""
	case l.chosen == l.Question.Answer:
		return "Right."
	default:
		return "Not quite. Change the scenario, or go back through the steps, and select again."
	}
}

func (c *Lessons) Because() string {
	if c.LessonDone() {
		return c.open.Question.Because
	}
	return ""
}

// TryIt heads what to try, on the page of the question.
func (c *Lessons) TryIt() string {
	if c.Further() == "" {
		return ""
	}
	return "Try it."
}

func (c *Lessons) Further() string {
	if l := c.open; l.page == l.last() {
		return l.Play
	}
	return ""
}

// LessonDone reports whether the question is answered, which ends the lesson.
func (c *Lessons) LessonDone() bool {
	l := c.open
	return l.page == l.last() && l.chosen == l.Question.Answer
}

// Finished returns what is said at the end, and NextTitle which lesson comes then.
func (c *Lessons) Finished() string {
	switch next := c.open.following(); {
	case !c.LessonDone():
		return ""
	case next != nil:
		return "You have finished this lesson. The next one is:"
	case c.open.LanguageName() != "":
		return "You have finished this lesson. Lessons lists more, in English."
	}
	return "You have finished this lesson. Lessons lists the others."
}

func (c *Lessons) NextTitle() string {
	if next := c.open.following(); next != nil && c.LessonDone() {
		return next.Title
	}
	return ""
}

// Strayed returns what is said when the scenario is no longer the lesson's, or has no
// event as the step names it.
func (c *Lessons) Strayed() string {
	l, x := c.open, c.player.Event()
	switch {
	case l.edited && l.page < l.last():
		return "You have changed the scenario; the text is about the one of the lesson."
	case !l.edited && l.page > 0 && l.page < l.last() && x != nil && !x.Found:
		at := l.Steps[l.page-1].Place
		return fmt.Sprintf("Step %d names an event that this schedule does not have: %s at %d.", l.page, strings.TrimSpace(at.Event+" "+at.Job), at.Time)
	}
	return ""
}

// ResetOff returns whether there is nothing to reset.
func (c *Lessons) ResetOff() string { return fmt.Sprint(!c.open.edited) }

// Offered is a lesson in the list.
type Offered struct {
	*lesson.Lesson
	Marks []Mark
}

// Mark is a word on a lesson, in a language.
type Mark struct{ Text, Lang string }

// Lessons returns the list of lessons.
func (c *Lessons) Lessons() (out []Offered) {
	if c.Menu != "lessons" {
		return nil
	}
	for i, l := range lesson.All() {
		x := Offered{Lesson: l}
		if i == 0 {
			x.Marks = append(x.Marks, Mark{"Begin here", lesson.English})
		}
		if name := l.LanguageName(); name != "" {
			x.Marks = append(x.Marks, Mark{name, l.Lang()})
		}
		if c.finished(l.Name) {
			x.Marks = append(x.Marks, Mark{"Finished", lesson.English})
		}
		out = append(out, x)
	}
	return out
}

// Untouched reports whether the page shows what it opens on.
func (c *Lessons) Untouched() bool {
	return c.open == nil && c.Doc().Text != "" && c.Doc().Text == c.opening
}

// Language returns the language of title and text of the scenario: those of a lesson are
// in that of the lesson.
func (c *Lessons) Language() string {
	if c.open == nil {
		return lesson.English
	}
	return c.open.Lang()
}
