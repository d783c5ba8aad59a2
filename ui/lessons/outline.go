package lessons

import (
	"fmt"
	"slices"
	"strconv"

	"backfill-lab/core/replay"
	"backfill-lab/ui/lessons/lesson"
)

// PageEntry is a page of the lesson that is being written, as an entry of the rendered outline.
type PageEntry struct {
	Page                           int    // number of the page, from 0
	ID, Title, Text, Current, Mark string // Mark says that the page has errors or missing parts
}

// outlineLength is the largest number of characters of a page's text that the outline shows.
const outlineLength = 48

// Outline returns the pages of the lesson that is being written.
func (c *Lessons) Outline() (out []PageEntry) {
	flawed := map[int]bool{}
	for _, f := range c.flaws() {
		flawed[f.page] = true
	}
	l := c.open.Lesson
	for i, p := range pagePartsOf(l) {
		s := PageEntry{Page: i, ID: fmt.Sprintf("write-page-%d", i), Title: "Introduction", Text: joined(l.Text), Current: strconv.FormatBool(i == c.open.page)}
		if p.step >= 0 {
			s.Title, s.Text = fmt.Sprintf("Step %d", p.step+1), l.Steps[p.step].Text
		} else if p.question >= 0 {
			s.Title, s.Text = fmt.Sprintf("Question %d", p.question+1), l.Questions[p.question].Text
		}
		if text := []rune(s.Text); len(text) > outlineLength {
			s.Text = string(text[:outlineLength]) + "…"
		}
		if flawed[i] {
			s.Mark = "\u00a0to complete or correct" // screen readers would drop a plain space after an empty text
		}
		out = append(out, s)
	}
	return out
}

// PageHeading returns the heading above the fields. The heading names the current page.
func (c *Lessons) PageHeading() string { return c.Outline()[c.open.page].Title }

// TurnTo shows a page of the lesson that is being written.
func (c *Lessons) TurnTo(page int) { c.turnTo(page) }

// OnStep reports whether the current page is a step.
func (c *Lessons) OnStep() bool { return c.open.step() != nil }

// OnQuestion reports whether the current page is a question.
func (c *Lessons) OnQuestion() bool { return c.open.question() != nil }

// PlaceText says what the current page shows: the policy and the event.
func (c *Lessons) PlaceText() string {
	i, place := c.open.shown()
	text := fmt.Sprintf("Shows %s at t = %d: %s.", c.policyTitle(i), place.Time, placeWords(place))
	if n := c.open.stepsSoFar(); n > 0 && c.OnQuestion() && !c.HasOwnEvent() {
		text += fmt.Sprintf(" This is the event of step %d, which comes before the question.", n)
	}
	return text
}

// policyTitle returns the title of result i, or the number of the policy if there is no such result.
func (c *Lessons) policyTitle(i int) string {
	if titles := c.Titles(); i < len(titles) {
		return titles[i]
	}
	return fmt.Sprintf("policy %d", i+1)
}

// HasOwnEvent reports whether the current page is a question that shows an event of its own.
func (c *Lessons) HasOwnEvent() bool {
	q := c.open.question()
	return q != nil && q.Place != nil
}

// setEvent makes the step or the question of the current page show an event under a policy. If event is nil,
// the question shows the event of the step before it.
func (c *Lessons) setEvent(policy int, event *replay.EventRef) {
	l := copied(c.open.Lesson)
	if p := c.open.currentPart(); p.question >= 0 {
		l.Questions[p.question].Policy, l.Questions[p.question].Place = policy, event
	} else {
		l.Steps[p.step].Policy, l.Steps[p.step].Place = policy, *event
	}
	c.change("", l)
	c.showPage()
}

// FollowStep makes the question of the current page show the event of the step before it.
func (c *Lessons) FollowStep() {
	c.setEvent(0, nil)
	c.Focus = "write-capture"
}

// stepFromPlayer returns a step for the event that the player shows. Lessons cannot contain external schedules. If
// the player shows one, stepFromPlayer sets a notice and returns false.
func (c *Lessons) stepFromPlayer() (lesson.Step, bool) {
	s, ok := c.playerStep()
	if !ok {
		c.Notice = "A step cannot show an external schedule, because lessons do not contain such schedules. Select another schedule in the player."
	}
	return s, ok
}

// UsePlayerEvent makes the current page show what the player shows now.
func (c *Lessons) UsePlayerEvent() {
	if s, ok := c.stepFromPlayer(); ok {
		c.setEvent(s.Policy, &s.Place)
	}
}

// AddStep adds a step for the event that the player shows, after the current step. On the introduction, the new
// step becomes the first step. On a question, it follows the step before the question.
func (c *Lessons) AddStep() {
	if len(c.open.Steps) == lesson.MaxSteps {
		c.Notice = fmt.Sprintf("A lesson has at most %d steps.", lesson.MaxSteps)
	} else if s, ok := c.stepFromPlayer(); ok {
		c.insertStep(c.open.stepsSoFar(), s)
	}
}

// insertStep inserts a step as step i and shows its page. A question after the last step stays before a new
// last step, because this step may reveal the answer.
func (c *Lessons) insertStep(i int, s lesson.Step) {
	l := copied(c.open.Lesson)
	n := len(l.Steps)
	l.Steps = slices.Insert(l.Steps, i, s)
	for k := range l.Questions {
		switch q := &l.Questions[k]; {
		case i == n && (q.After <= 0 || q.After > n):
			q.After = n
		case q.After > i:
			q.After++
		}
	}
	c.change("", l)
	c.turnToStep(i)
}

// AddQuestion adds a question after the last step. If the author has moved the player away from the event of
// the current page, the question shows the event of the player. Otherwise it shows the event of the step
// before it.
func (c *Lessons) AddQuestion() {
	q := lesson.Question{Choices: []string{"", ""}}
	if c.player.Event() != nil && !c.player.AtTargetEvent() {
		s, ok := c.stepFromPlayer()
		if !ok {
			return
		}
		q.Policy, q.Place = s.Policy, &s.Place
	}
	c.insertQuestion(q)
}

// insertQuestion inserts q after the question of the current page, or at the end if the page has no question. It
// then shows the page of q.
func (c *Lessons) insertQuestion(q lesson.Question) {
	if len(c.open.Questions) == lesson.MaxQuestions {
		c.Notice = fmt.Sprintf("A lesson has at most %d questions.", lesson.MaxQuestions)
		return
	}
	l := copied(c.open.Lesson)
	i := len(l.Questions)
	if at := c.open.currentPart().question; at >= 0 {
		i = at + 1
	}
	l.Questions = slices.Insert(l.Questions, i, q)
	c.change("", l)
	c.turnToQuestion(i)
}

// Duplicate adds a copy of the current step or question after it. The copy of a question has no Check, which
// holds facts for the tests.
func (c *Lessons) Duplicate() {
	switch p := c.open.currentPart(); {
	case p.question >= 0:
		q := copied(c.open.Lesson).Questions[p.question]
		q.Check = nil
		c.insertQuestion(q)
	case len(c.open.Steps) < lesson.MaxSteps:
		c.insertStep(p.step+1, c.open.Steps[p.step])
	}
}

// Delete removes the current step or question. A question after a removed step then follows the previous step,
// or the first step if there is none.
func (c *Lessons) Delete() {
	l, p := copied(c.open.Lesson), c.open.currentPart()
	if p.question >= 0 {
		l.Questions = slices.Delete(l.Questions, p.question, p.question+1)
	} else {
		l.Steps = slices.Delete(l.Steps, p.step, p.step+1)
		for k := range l.Questions {
			if q := &l.Questions[k]; q.After > p.step {
				q.After = max(q.After-1, 1)
			}
		}
	}
	page := c.open.page
	c.change("", l)
	c.turnTo(min(page, c.open.last()))
	c.Focus = c.firstField()
}

// CanMove reports whether Move(by) can move the current step or question. This is so if there is another step or
// question before it (by = -1) or after it (by = 1).
func (c *Lessons) CanMove(by int) bool {
	p := c.open.currentPart()
	if p.question >= 0 {
		return p.question+by >= 0 && p.question+by < len(c.open.Questions)
	}
	return p.step+by >= 0 && p.step+by < len(c.open.Steps)
}

// MoveDisabled returns the value of aria-disabled for the button that calls Move(by).
func (c *Lessons) MoveDisabled(by int) string { return strconv.FormatBool(!c.CanMove(by)) }

// Move exchanges the current step or question with the previous one if by is -1, or with the next
// one if by is 1. Two exchanged questions also exchange the steps that they follow.
func (c *Lessons) Move(by int) {
	if !c.CanMove(by) {
		return
	}
	l, p := copied(c.open.Lesson), c.open.currentPart()
	if p.question >= 0 {
		a, b := &l.Questions[p.question], &l.Questions[p.question+by]
		*a, *b = *b, *a
		a.After, b.After = b.After, a.After
		c.change("", l)
		c.turnToQuestion(p.question + by)
		return
	}
	l.Steps[p.step], l.Steps[p.step+by] = l.Steps[p.step+by], l.Steps[p.step]
	c.change("", l)
	c.turnToStep(p.step + by)
}

// turnToStep shows the page of a step and moves the focus to its first field.
func (c *Lessons) turnToStep(i int) { c.turnToPart(pagePart{i, -1}) }

// turnToQuestion shows the page of a question and moves the focus to its first field.
func (c *Lessons) turnToQuestion(i int) { c.turnToPart(pagePart{-1, i}) }

func (c *Lessons) turnToPart(p pagePart) {
	if page := slices.Index(pagePartsOf(c.open.Lesson), p); page >= 0 {
		c.turnTo(page)
		c.Focus = c.firstField()
	}
}

// CanAddChoice reports whether the question can have another choice.
func (c *Lessons) CanAddChoice() bool { return len(c.open.question().Choices) < lesson.MaxChoices }

// AddChoice adds a choice to the question.
func (c *Lessons) AddChoice() {
	l, p := copied(c.open.Lesson), c.open.currentPart()
	q := &l.Questions[p.question]
	q.Choices = append(q.Choices, "")
	c.change("", l)
	c.Focus = fmt.Sprintf("write-choice-%d", len(q.Choices)-1)
}

// RemovableChoices returns a button for each choice of the question that can be removed. The right answer and at least
// lesson.MinChoices choices must remain.
func (c *Lessons) RemovableChoices() (out []Option) {
	q := c.open.question()
	for i := range q.Choices {
		if i != q.Answer && len(q.Choices) > lesson.MinChoices {
			out = append(out, Option{I: i, ID: fmt.Sprintf("write-remove-%d", i), Text: "Remove " + choiceName(i)})
		}
	}
	return out
}

// DropChoice removes a choice of the question and its reply.
func (c *Lessons) DropChoice(i int) {
	l, p := copied(c.open.Lesson), c.open.currentPart()
	q := &l.Questions[p.question]
	q.Replies = slices.Delete(withLength(q.Replies, max(len(q.Choices), len(q.Replies))), i, i+1)
	if q.Choices = slices.Delete(q.Choices, i, i+1); q.Answer > i {
		q.Answer--
	}
	c.change("", l)
	c.Focus = "write-answer"
}
