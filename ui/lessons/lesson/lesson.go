// Package lesson reads lessons. It shows none and knows no schedule: a step
// says in words at which event it belongs, and the worker finds it.
package lesson

import (
	"encoding/json"
	"fmt"

	"backfill-lab/core/replay"
)

// Lesson is a short guided page about one figure or idea.
type Lesson struct {
	Name     string          `json:"-"` // empty: it is none of ours
	Title    string          `json:"title"`
	Language string          `json:"language,omitempty"` // of all its texts
	Paper    string          `json:"paper"`              // or other words on where it comes from
	Summary  string          `json:"summary"`            // one line, for the list
	Text     []string        `json:"text"`               // paragraphs before the first step
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

// ours is the lessons of the project. The page fetches them when they are first asked
// for; natively they are there from the start.
var ours []*Lesson

// All returns the lessons of the project in their order; empty before Take.
func All() []*Lesson { return ours }

// Take takes the file in which the project's lessons come, a list of lessons and
// their names.
func Take(file []byte) error {
	var list []struct {
		Name   string          `json:"name"`
		Lesson json.RawMessage `json:"lesson"`
	}
	if err := json.Unmarshal(file, &list); err != nil {
		return err
	}
	var all []*Lesson
	for _, x := range list {
		l, err := Parse(x.Lesson)
		if err != nil {
			return fmt.Errorf("%s: %w", x.Name, err)
		}
		l.Name = x.Name
		all = append(all, l)
	}
	ours = all
	return nil
}

// Find returns a lesson by its name, nil if there is none.
func Find(name string) *Lesson {
	for _, l := range All() {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// Following returns the next lesson in the language of one, nil after the last.
func Following(name string) *Lesson {
	var before *Lesson
	for _, l := range All() {
		if before != nil && l.Lang() == before.Lang() {
			return l
		}
		if l.Name == name {
			before = l
		}
	}
	return nil
}
