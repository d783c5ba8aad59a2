package exercises

import (
	"encoding/json"
	"fmt"
	"strings"

	"backfill-lab/public/examples"
)

// lesson is an exercise and its name, in the form of a lesson without steps.
type lesson struct {
	Name   string `json:"name"` // name of the exercise
	Lesson struct {
		Title    string          `json:"title"`
		Paper    string          `json:"paper"` // shown in place of a paper, such as "Exercise 1 of 10"
		Text     []string        `json:"text"`
		Scenario json.RawMessage `json:"scenario"`
		Exercise string          `json:"exercise"` // name of the exercise
	} `json:"lesson"`
}

// declaration holds the fields of an exercise that its lesson shows.
type declaration struct {
	Title, Text, Kind string   // Kind: what the student submits, "policy" or "workload"
	Script            []string // lines of the script from which the student starts
	Policies          []policy
	Checks            []struct{ Text string } // descriptions of what the page checks
}

// policy is a policy of a scenario.
type policy struct {
	Name  string            `json:"name"`
	Title string            `json:"title,omitempty"`
	Knobs map[string]string `json:"knobs,omitempty"`
}

// File returns all exercises as lessons in one JSON file, which the page fetches.
func File() ([]byte, error) {
	var all []lesson
	for i, name := range Names {
		x := lesson{Name: name}
		data, err := Load(name)
		if err != nil {
			return nil, err
		}
		var d declaration
		if err := json.Unmarshal(data, &d); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		l := &x.Lesson
		l.Title, l.Paper, l.Text, l.Exercise = d.Title, fmt.Sprintf("Exercise %d of %d", i+1, len(Names)), d.paragraphs(), name
		if l.Scenario, err = d.scenario(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, x)
	}
	return json.Marshal(all)
}

// paragraphs returns the text of the exercise and a description of its checks.
func (d *declaration) paragraphs() []string {
	checks := "The page checks:"
	for i, c := range d.Checks {
		if checks += " " + c.Text; len(d.Checks) > 1 {
			checks = strings.TrimSuffix(checks, c.Text) + fmt.Sprintf("(%d) %s", i+1, c.Text)
		}
	}
	return []string{d.Text, checks}
}

// startJobs is the number of jobs in the scenario of an exercise of kind workload.
const startJobs = 4

// scenario returns the scenario with which a student begins: the first example of the page, with the
// policies of the exercise. If the student writes a policy, the scenario also contains the script to start
// from. If the student builds a workload, the scenario has only the first few jobs.
func (d *declaration) scenario() ([]byte, error) {
	fields := map[string]any{}
	if err := json.Unmarshal([]byte(examples.List[0].Scenario), &fields); err != nil {
		return nil, err
	}
	delete(fields, "text")
	fields["title"] = d.Title
	if d.Kind == "workload" {
		workload := fields["workload"].(map[string]any)
		workload["jobs"] = workload["jobs"].([]any)[:startJobs]
	} else {
		source := strings.Join(d.Script, "\n") + "\n"
		d.Policies = append(d.Policies, policy{"script", "Submission", map[string]string{"source": source}})
	}
	fields["policies"] = d.Policies
	return json.Marshal(fields)
}
