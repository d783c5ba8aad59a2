package lessons

import (
	"slices"

	"backfill-lab/ui/lessons/lesson"
)

// HidesLaterEvents reports whether the page must hide what happens later in the run: the overview, the metrics and
// later starts. It returns true while steps follow the current page. From the last step on, it returns true until
// the student has answered all questions correctly or the player is at the end of the run. It returns false if no
// lesson is open, or if the author of the lesson has moved the player to another event.
func (c *Lessons) HidesLaterEvents() bool {
	l := c.open
	if l == nil || l.draft && !c.player.AtTargetEvent() {
		return false
	}
	return l.stepsSoFar() < len(l.Steps) || len(l.Steps) > 0 && l.firstUnsolved() > 0 && !c.player.AtEnd()
}

// HiddenResults returns the indexes of the policies that the lesson explains only in later steps. Their
// charts stay empty until then.
func (c *Lessons) HiddenResults() (out []int) {
	l := c.open
	if l == nil || l.draft || l.edited || l.step() == nil {
		return nil
	}
	is := func(steps []lesson.Step, policy int) bool {
		return slices.ContainsFunc(steps, func(s lesson.Step) bool { return s.Policy == policy })
	}
	past, later := l.Steps[:l.stepsSoFar()], l.Steps[l.stepsSoFar():]
	for i := range c.Doc().Policies {
		if is(later, i) && !is(past, i) {
			out = append(out, i)
		}
	}
	return out
}

// AtOtherEvent reports whether the student has moved the player away from the event of the current step or question.
// It returns false after an edit of the scenario, because the edited schedule may not contain this event.
func (c *Lessons) AtOtherEvent() bool {
	l := c.open
	shows := l.step() != nil || l.question() != nil && l.stepsSoFar() > 0 && !l.draft
	return shows && !l.edited && !c.player.AtTargetEvent()
}

// ReturnText returns the label of the button that calls Return.
func (c *Lessons) ReturnText() string {
	if c.open.question() != nil {
		return "Return to this question"
	}
	return "Return to this step"
}

// Return shows the event of the current step or question again.
func (c *Lessons) Return() {
	c.Events.Viewed()
	c.player.Pause()
	c.showEvent()
}

// Folded reports whether the page shows only the text of the open lesson, the table of jobs and the charts.
// A brief lesson folds the other panels until the student opens them.
func (c *Lessons) Folded() bool { return c.canFold() && !c.open.unfolded }

// canFold reports whether the open lesson can fold panels. It can if it is brief and is not being written, because an
// author needs all panels.
func (c *Lessons) canFold() bool { return c.open != nil && c.open.Brief && !c.open.draft }

// ToggleFold folds or unfolds the panels of a brief lesson. It returns false if no brief lesson is open.
func (c *Lessons) ToggleFold() bool {
	if !c.canFold() {
		return false
	}
	c.open.unfolded = !c.open.unfolded
	return true
}
