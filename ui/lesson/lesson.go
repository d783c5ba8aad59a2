// Package lesson reads lessons. It shows none and knows no schedule: a step
// says in words at which event it belongs, and the worker finds it.
package lesson

import (
	"fmt"

	"backfill-lab/core/replay"
	"backfill-lab/public/lessons"
	"backfill-lab/ui/json"
)

// Lesson is a short guided page about one figure or idea.
type Lesson struct {
	Name     string          `json:"-"`
	Title    string          `json:"title"`
	Paper    string          `json:"paper"`
	Summary  string          `json:"summary"` // one line, for the list
	Text     []string        `json:"text"`    // paragraphs before the first step
	Scenario json.RawMessage `json:"scenario"`
	Steps    []Step          `json:"steps"`
	Question Question        `json:"question"`
	Play     string          `json:"play"` // what to try then
}

// Step is a text and the event that it speaks of.
type Step struct {
	Text   string       `json:"text"`
	Policy int          `json:"policy"` // place in the scenario
	Place  replay.Place `json:"place"`
}

// Question has one right answer.
type Question struct {
	Text    string          `json:"text"`
	Choices []string        `json:"choices"`
	Answer  int             `json:"answer"` // place in Choices
	Because string          `json:"because"`
	Check   json.RawMessage `json:"check"` // facts that the tests verify by simulation
}

// Parse reads a lesson.
func Parse(f lessons.File) (*Lesson, error) {
	l := &Lesson{Name: f.Name}
	if err := json.Unmarshal([]byte(f.Text), l); err != nil {
		return nil, fmt.Errorf("lesson %s: %w", f.Name, err)
	}
	return l, nil
}

// All is the lessons in their order; one that cannot be read is left out.
func All() (out []*Lesson) {
	for _, f := range lessons.List {
		if l, err := Parse(f); err == nil {
			out = append(out, l)
		}
	}
	return out
}

// Find is a lesson by its name, nil if there is none.
func Find(name string) *Lesson {
	for _, f := range lessons.List {
		if f.Name == name {
			l, _ := Parse(f)
			return l
		}
	}
	return nil
}
