package lessons

import (
	"backfill-lab/core/replay"
	"backfill-lab/ui/lessons/lesson"
)

// pagePart says what a page of a lesson shows: a step or a question, given by its index, or the introduction.
// An index is -1 if the page does not show such a part.
type pagePart struct{ step, question int }

// pagePartsOf returns the pages of a lesson in order.
func pagePartsOf(l *lesson.Lesson) []pagePart {
	out := []pagePart{{-1, -1}}
	ask := func(step int, last bool) {
		for i, q := range l.Questions {
			if q.After == step && step > 0 || last && (q.After <= 0 || q.After > step) {
				out = append(out, pagePart{-1, i})
			}
		}
	}
	for i := range l.Steps {
		out = append(out, pagePart{i, -1})
		ask(i+1, i+1 == len(l.Steps))
	}
	if len(l.Steps) == 0 {
		ask(0, true)
	}
	return out
}

// currentPart returns what the current page shows.
func (l *openLesson) currentPart() pagePart { return pagePartsOf(l.Lesson)[l.page] }

// last returns the index of the last page.
func (l *openLesson) last() int { return len(l.Steps) + len(l.Questions) }

// step returns the step of the current page, nil if the page has none.
func (l *openLesson) step() *lesson.Step {
	if p := l.currentPart(); p.step >= 0 {
		return &l.Steps[p.step]
	}
	return nil
}

// question returns the question of the current page, nil if the page has none.
func (l *openLesson) question() *lesson.Question {
	if p := l.currentPart(); p.question >= 0 {
		return &l.Questions[p.question]
	}
	return nil
}

// asksAtEnd reports whether the current page is a question after the last step.
func (l *openLesson) asksAtEnd() bool {
	return l.question() != nil && len(l.Steps) > 0 && l.stepsSoFar() == len(l.Steps)
}

// answer returns the selected choice of the question of the current page, -1 if there is
// none.
func (l *openLesson) answer() int {
	if p := l.currentPart(); p.question >= 0 {
		return l.selected[p.question]
	}
	return -1
}

// stepsSoFar returns the number of steps up to and including the current page.
func (l *openLesson) stepsSoFar() (n int) {
	for _, p := range pagePartsOf(l.Lesson)[:l.page+1] {
		n = max(n, p.step+1)
	}
	return n
}

// shown returns the policy and the event that the current page shows. A question that has no event shows the
// event of the step before it.
func (l *openLesson) shown() (policy int, event replay.EventRef) {
	if q := l.question(); q != nil && q.Place != nil {
		return q.Policy, *q.Place
	}
	if n := l.stepsSoFar(); n > 0 {
		return l.Steps[n-1].Policy, l.Steps[n-1].Place
	}
	return 0, replay.EventRef{Event: replay.Before}
}

// firstUnsolved returns the number, from 1, of the first question that the student has not answered
// correctly. It returns 0 if there is none.
func (l *openLesson) firstUnsolved() int {
	for i, q := range l.Questions {
		if l.selected[i] != q.Answer {
			return i + 1
		}
	}
	return 0
}
