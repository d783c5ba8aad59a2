package lessons

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/lessons/lesson"
)

// answersKey returns the key under which the session storage of the browser keeps the selected choices of a lesson.
// The key depends on the content of the lesson, because lessons that users write have no unique names.
func answersKey(l *lesson.Lesson) string {
	h := fnv.New64a()
	h.Write(lesson.Format(l, l.Scenario))
	return fmt.Sprintf("answers %x", h.Sum64())
}

// storeAnswers stores the selected choices of the open lesson, so that they survive a reload of the page.
func (c *Lessons) storeAnswers() {
	if !c.open.draft && len(c.open.selected) > 0 {
		browser.Session.Set(answersKey(c.open.Lesson), formatAnswers(c.open.selected))
	}
}

// restoreAnswers selects the choices of the open lesson that storeAnswers stored in this tab of the browser.
func (c *Lessons) restoreAnswers() {
	text, _ := browser.Session.Get(answersKey(c.open.Lesson))
	if selected, ok := parseAnswers(text, c.open.Lesson); ok {
		c.open.selected = selected
	}
}

// formatAnswers returns the selected choices as text: for each question the index of the choice, or -1 if none is
// selected.
func formatAnswers(selected []int) string { return strings.Trim(fmt.Sprint(selected), "[]") }

// parseAnswers reads a text that formatAnswers returned. It returns false unless the text fits the questions of the
// lesson.
func parseAnswers(text string, l *lesson.Lesson) (selected []int, ok bool) {
	words := strings.Fields(text)
	if len(words) != len(l.Questions) {
		return nil, false
	}
	for i, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < -1 || n >= len(l.Questions[i].Choices) {
			return nil, false
		}
		selected = append(selected, n)
	}
	return selected, true
}
