package lessons

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/glossary"
	"backfill-lab/ui/lessons/lesson"
)

// InLesson reports whether a lesson is open.
func (c *Lessons) InLesson() bool { return c.open != nil }

// ScenarioText returns the text that describes the scenario. It returns "" while a lesson is open.
func (c *Lessons) ScenarioText() string {
	if c.open != nil {
		return ""
	}
	return c.Doc().Text
}

// LessonTitle returns the title of the open lesson.
func (c *Lessons) LessonTitle() string { return c.open.Title }

// LessonPaper returns the source of the open lesson, such as a paper.
func (c *Lessons) LessonPaper() string { return c.open.Paper }

// LessonParts returns the paragraphs of the current page, divided into text and terms of the
// glossary.
func (c *Lessons) LessonParts() [][]glossary.Part {
	texts := slices.Clone(c.text())
	for i, t := range texts {
		texts[i] = unitKeeper.Replace(t)
	}
	return glossary.Split(texts, c.Language())
}

// unitKeeper keeps a number of seconds and its unit on the same line.
var unitKeeper = strings.NewReplacer("0 s", "0\u00a0s", "1 s", "1\u00a0s", "2 s", "2\u00a0s", "3 s", "3\u00a0s", "4 s", "4\u00a0s",
	"5 s", "5\u00a0s", "6 s", "6\u00a0s", "7 s", "7\u00a0s", "8 s", "8\u00a0s", "9 s", "9\u00a0s")

// text returns the paragraphs of the current page.
func (c *Lessons) text() []string {
	switch l := c.open; {
	case l.step() != nil:
		return []string{l.step().Text}
	case l.question() != nil:
		return []string{l.question().Text}
	default:
		return l.Text
	}
}

// PageText says which page is shown, such as "step 2 of 5". On the introduction, it says how many steps and
// questions follow. It returns "" if the lesson has no steps and no questions.
func (c *Lessons) PageText() string {
	switch l, p := c.open, c.open.currentPart(); {
	case p.step >= 0:
		return fmt.Sprintf("step %d of %d", p.step+1, len(l.Steps))
	case len(l.Steps) == 0 && p.question < 0: // an exercise
		return ""
	case p.question < 0 && len(l.Questions) == 1:
		return format.Count(len(l.Steps), "step") + " and a question"
	case p.question < 0 && len(l.Questions) > 1:
		return format.Count(len(l.Steps), "step") + " and " + format.Count(len(l.Questions), "question")
	case p.question < 0:
		return format.Count(len(l.Steps), "step")
	case len(l.Questions) > 1:
		return fmt.Sprintf("question %d of %d", p.question+1, len(l.Questions))
	default:
		return "question"
	}
}

// NextText returns the label of the button to the next page.
func (c *Lessons) NextText() string {
	switch l := c.open; {
	case c.StartsAgain():
		return "Start again"
	case l.page == l.last() && l.following() == nil:
		return "End of the lesson"
	case l.page == l.last() && !c.LessonDone() && !l.draft:
		return "Skip to the next lesson"
	case l.page == l.last():
		return "Next lesson"
	case pagePartsOf(l.Lesson)[l.page+1].question >= 0:
		return "Question"
	case l.page == 0:
		return "Begin"
	}
	return "Next"
}

// CanLeave reports whether the page offers to leave the lesson. It does not in a frame, which shows a single
// lesson, or in a preview, from which the user returns to the form.
func (c *Lessons) CanLeave() bool { return !browser.Framed() && !c.Previewing() }

// CanEdit reports whether the page of the lesson offers the form: in a preview, and for a lesson that was just
// written. For other lessons, which students read, only the Export menu offers it.
func (c *Lessons) CanEdit() bool {
	return c.CanWrite() && !browser.Framed() && (c.Previewing() || c.open.DraftID != "")
}

// ListsEdit reports whether the Export menu has an entry to edit the open lesson.
func (c *Lessons) ListsEdit() bool { return c.open != nil && c.CanWrite() && !c.Previewing() }

// EditText returns the label of the button that opens the form.
func (c *Lessons) EditText() string {
	if c.Previewing() {
		return "Back to the form"
	}
	return "Edit this lesson"
}

// StartsAgain reports whether the page offers to start the lesson again. It does at the end of a lesson in a
// frame, where no other lesson follows.
func (c *Lessons) StartsAgain() bool { return browser.Framed() && c.LessonDone() }

// BackDisabled returns "true" on the first page, where the Back button is disabled.
func (c *Lessons) BackDisabled() string { return fmt.Sprint(c.open.page == 0) }

// NextDisabled returns "true" if the Next button is disabled: on the last page, if no lesson follows and the button
// does not start the lesson again.
func (c *Lessons) NextDisabled() string {
	return fmt.Sprint(c.open.page == c.open.last() && c.open.following() == nil && !c.StartsAgain())
}

// Option is a choice of the question as rendered.
type Option struct {
	I                        int    // index of the choice
	ID, Text, Class, Pressed string // Class: CSS classes; Pressed: value of aria-pressed
}

// Options returns the choices of the question. It returns none if the page has no question.
func (c *Lessons) Options() (out []Option) {
	q, selected := c.open.question(), c.open.answer()
	if q == nil {
		return nil
	}
	for i, text := range q.Choices {
		o := Option{i, fmt.Sprintf("choice-%d", i), text, "choice", fmt.Sprint(i == selected)}
		if i == selected && i == q.Answer {
			o.Class = "choice right"
		} else if i == selected {
			o.Class = "choice wrong"
		}
		out = append(out, o)
	}
	return out
}

// Answer selects choice i of the question, and records the lesson as finished if this choice completes it.
func (c *Lessons) Answer(i int) {
	c.open.selected[c.open.currentPart().question] = i
	c.storeAnswers()
	c.recordFinished()
}

// wrong is the verdict on a wrong answer.
const wrong = "Not quite."

// Verdict says whether the selected choice is right. It returns "" if no choice is selected.
func (c *Lessons) Verdict() string {
	switch q, selected := c.open.question(), c.open.answer(); {
	case selected < 0:
		return ""
	case selected == q.Answer:
		return "Right."
	default:
		return wrong
	}
}

// Hint says what to do after a wrong answer to which the lesson has no reply. Otherwise it returns "".
func (c *Lessons) Hint() string {
	if c.Verdict() != wrong || c.Reply() != "" {
		return ""
	}
	return "Change the scenario or go back through the steps, then select another answer."
}

// Reply returns the lesson's text about the selected choice: the explanation of the right answer, or the reply to a
// wrong one. It returns "" if no choice is selected or the lesson has no text about it.
func (c *Lessons) Reply() string {
	switch q, selected := c.open.question(), c.open.answer(); {
	case selected < 0:
		return ""
	case selected == q.Answer:
		return q.Because
	case selected < len(q.Replies):
		return q.Replies[selected]
	}
	return ""
}

// SuggestionHeading returns the heading above the suggestion. It returns "" if the page has no suggestion.
func (c *Lessons) SuggestionHeading() string {
	if c.Suggestion() == "" {
		return ""
	}
	return "Try it."
}

// Suggestion returns the text on the last page of the lesson that says what to try next. It returns "" on other
// pages, and until the student has given the right answer, because the text can reveal it.
func (c *Lessons) Suggestion() string {
	l := c.open
	if q := l.question(); l.page < l.last() || q != nil && l.answer() != q.Answer && !l.draft {
		return ""
	}
	return l.Play
}

// AsksForEdit reports whether the current page asks the student to edit the scenario. A question does, and a
// task does once its Edit button has opened the panel. A narrow screen then shows a button that opens
// and closes the panel, because the panel covers part of the page.
func (c *Lessons) AsksForEdit() bool {
	l := c.open
	return l.question() != nil && l.Exercise == nil && !l.draft || c.HasTask() && c.panelIsOpen()
}

// panelIsOpen reports whether the panel in which the student edits the scenario is open on a narrow screen.
func (c *Lessons) panelIsOpen() bool { return c.Drawer == "edit" }

// PanelExpanded returns the aria-expanded value of the button that opens and closes the panel with the scenario.
func (c *Lessons) PanelExpanded() string { return fmt.Sprint(c.panelIsOpen()) }

// PanelText returns the label of the button that opens and closes the panel with the scenario.
func (c *Lessons) PanelText() string {
	if c.panelIsOpen() {
		return "Close the panel"
	}
	return "Edit the scenario"
}

// TogglePanel opens or closes the panel with the scenario on a narrow screen.
func (c *Lessons) TogglePanel() {
	if c.panelIsOpen() {
		if c.Drawer, c.Focus = "", "lesson-panel"; c.HasTask() {
			c.Focus = "task-edit"
		}
		return
	}
	c.Drawer, c.Focus = "edit", "tab-"+c.Tab
}

// LessonDone reports whether the student has finished the lesson. The last page must be open, every question
// must be answered correctly, and the solution of the exercise, if there is one, must have passed the check.
func (c *Lessons) LessonDone() bool {
	l := c.open
	return l.page == l.last() && l.firstUnsolved() == 0 && (l.Exercise == nil || l.result.Passed)
}

// FinishedText returns the message at the end of a lesson: that it is finished, or which question the student
// still has to answer correctly. It returns "" before the end, and for the author of the lesson.
func (c *Lessons) FinishedText() string {
	l := c.open
	switch next, n := l.following(), l.firstUnsolved(); {
	case l.draft: // the author is not a student
		return ""
	case l.page == l.last() && n > 0 && c.Verdict() == "Right.":
		return fmt.Sprintf("You have not answered question %d correctly yet. Press Back to return to it.", n)
	case !c.LessonDone():
		return ""
	case next != nil && l.Brief && !next.Brief: // of the built-in lessons, only those of the introduction are brief
		return "You have finished the introduction. Leave the lesson to try your own jobs, or continue with the lessons about papers, which show all controls. Next:"
	case next != nil:
		return "You have finished this lesson. Next:"
	case browser.Framed() || c.Embedded: // the page has no menu
		return "You have finished this lesson."
	case l.LanguageName() != "":
		return "You have finished this lesson. The Lessons menu has more lessons, in English."
	}
	return "You have finished this lesson. The Lessons menu has the other lessons."
}

// NextTitle returns the title of the next lesson. It returns "" until the open lesson is finished.
func (c *Lessons) NextTitle() string {
	if next := c.open.following(); next != nil && c.LessonDone() {
		return next.Title
	}
	return ""
}

// Warning returns a warning if the user has changed the scenario of the lesson, or if the schedule lacks the event
// of the current step or question. Otherwise it returns "".
func (c *Lessons) Warning() string {
	l, x, step := c.open, c.player.Event(), c.open.step()
	_, place := l.shown()
	const missing = "%s %d shows an event that does not occur in this schedule: %s at t = %d."
	switch q := l.question(); {
	case l.edited && l.Exercise == nil && (l.page == 0 || step != nil):
		return "You have changed the scenario. The text describes the original one."
	case l.edited || x == nil || x.Found || !c.IsCurrent() || c.player.Seeking(): // the event may be of other results or another page
	case step != nil:
		return fmt.Sprintf(missing, "Step", l.currentPart().step+1, placeWords(place), place.Time)
	case q != nil && q.Place != nil:
		return fmt.Sprintf(missing, "Question", l.currentPart().question+1, placeWords(place), place.Time)
	}
	return ""
}

// ResetDisabled returns "true" if the scenario is unchanged, so that the reset button is
// disabled.
func (c *Lessons) ResetDisabled() string { return fmt.Sprint(!c.open.edited) }

// Untouched reports whether the page still shows the example with which it opens. It compares only the
// text that describes the scenario. If a lesson is open, it returns false.
func (c *Lessons) Untouched() bool {
	return c.open == nil && c.Doc().Text != "" && c.Doc().Text == c.opening
}

// Language returns the language of the scenario's title and text: the language of the open lesson,
// otherwise English.
func (c *Lessons) Language() string {
	if c.open == nil {
		return lesson.English
	}
	return c.open.Lang()
}
