// Package lesson reads and writes the file format of lessons. It does not run simulations. A step names
// an event by its time, kind and job. If several events match, a number selects one of them. The worker
// finds this event in the schedule.
package lesson

import (
	"encoding/json"
	"fmt"

	"backfill-lab/core/replay"
)

// Lesson explains a figure of a paper, or an idea, in steps that show events of a schedule. It also asks
// questions.
type Lesson struct {
	Name     string          `json:"-"` // file name without extension; "" unless it is a lesson of the project
	DraftID  string          `json:"-"` // identifies the draft that the browser keeps of a lesson being written; "" if there is none
	Title    string          `json:"title"`
	Language string          `json:"language,omitempty"` // language tag of all texts
	Paper    string          `json:"paper"`              // paper or other source of the idea
	Summary  string          `json:"summary"`            // one line, for the list
	Brief    bool            `json:"brief,omitempty"`    // the page shows the text, the table of jobs and the charts, and folds the other panels
	Text     []string        `json:"text"`               // paragraphs before the first step
	Scenario json.RawMessage `json:"scenario"`
	Steps    []Step          `json:"steps"`
	// Questions are asked after the last step, or after the step that they name. The file of a
	// lesson with a single question, at its end, may have the field "question" instead.
	Questions []Question `json:"questions"`
	Play      string     `json:"play"` // what to try after the lesson
	// Exercise is the task at the end of the lesson, in JSON: the name of an exercise of the project, or
	// the declaration of an exercise. It is nil if the lesson has no task. A lesson with a task may have no
	// steps.
	Exercise json.RawMessage `json:"exercise,omitempty"`
}

// Step is a text about an event of a schedule.
type Step struct {
	Text   string          `json:"text"`
	Policy int             `json:"policy"` // index of the policy in the scenario
	Place  replay.EventRef `json:"place"`
}

// Question is a multiple-choice question with one right answer. It shows the event of the step before it,
// unless it has a Place.
type Question struct {
	Text    string          `json:"text"`
	Choices []string        `json:"choices"`
	Answer  int             `json:"answer"`            // index in Choices
	Because string          `json:"because"`           // explanation that follows the right answer
	Replies []string        `json:"replies,omitempty"` // by choice: the text for students who select it, if it is wrong; nil if there are none
	After   int             `json:"after,omitempty"`   // number of the step that the question follows, from 1; 0 means the last
	Check   json.RawMessage `json:"check"`             // facts that the tests verify by simulation

	Policy int              `json:"policy,omitempty"` // with Place: index of the policy in the scenario
	Place  *replay.EventRef `json:"place,omitempty"`  // nil if the question shows the event of the step before it
}

// projectLessons holds the lessons of the project, and projectExercises its exercises, as lessons. The page
// fetches them when the user first needs one. Native programs contain them.
var projectLessons, projectExercises []*Lesson

// All returns the lessons of the project in order. It returns none before a call of Load.
func All() []*Lesson { return projectLessons }

// Exercises returns the exercises of the project in order, as lessons. It returns none before a call of
// LoadExercises.
func Exercises() []*Lesson { return projectExercises }

// Load parses the file with all lessons of the project, a JSON list of names and lessons.
// Afterwards, All returns these lessons.
func Load(file []byte) error { return load(file, &projectLessons) }

// LoadExercises parses the file with all exercises of the project, in the form that Load reads. Afterwards, Exercises
// returns these exercises.
func LoadExercises(file []byte) error { return load(file, &projectExercises) }

func load(file []byte, to *[]*Lesson) error {
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
	*to = all
	return nil
}

// Find returns the lesson or exercise of the project with this name, nil if there is none.
func Find(name string) *Lesson {
	for _, list := range [][]*Lesson{projectLessons, projectExercises} {
		for _, l := range list {
			if l.Name == name {
				return l
			}
		}
	}
	return nil
}

// Next returns the lesson that follows the named one among the lessons in its language. For the name of
// an exercise, Next returns the next exercise in its language. It returns nil if there is none.
func Next(name string) *Lesson {
	for _, list := range [][]*Lesson{All(), projectExercises} {
		var before *Lesson
		for _, l := range list {
			if before != nil && l.Lang() == before.Lang() {
				return l
			}
			if l.Name == name {
				before = l
			}
		}
	}
	return nil
}
