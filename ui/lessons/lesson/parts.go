package lesson

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/replay"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
)

// Limits of a lesson, which keep it readable and short enough for a link.
const (
	MaxParagraphs = 20
	MaxSteps      = 100
	MaxQuestions  = 20
	MinChoices    = 2
	MaxChoices    = 8
	MaxJobs       = 1000
)

// lesson reads a whole lesson.
func (r *reader) lesson(top raw.Value) *Lesson {
	l := &Lesson{}
	r.object(top, "lesson",
		field{"title", true, r.shortText(&l.Title, true)},
		field{"language", false, r.language(&l.Language)},
		field{"paper", false, r.shortText(&l.Paper, false)},
		field{"summary", false, r.shortText(&l.Summary, false)},
		field{"brief", false, r.flag(&l.Brief)},
		field{"text", true, r.shortTexts(&l.Text, "paragraph", true, 1, MaxParagraphs)},
		field{"scenario", true, r.scenario(&l.Scenario)},
		field{"steps", false, func(v raw.Value, where string) {
			r.list(v, where, "step", 0, MaxSteps, func(v raw.Value, where string) {
				l.Steps, r.steps = append(l.Steps, r.step(v, where)), append(r.steps, v)
			})
		}},
		field{"question", false, r.questions(&l.Questions)},
		field{"questions", false, func(v raw.Value, where string) {
			r.list(v, where, "question", 0, MaxQuestions, r.questions(&l.Questions))
		}},
		field{"play", false, r.shortText(&l.Play, false)},
		field{"exercise", false, func(v raw.Value, where string) {
			if l.Exercise = json.RawMessage(v.Text); v.Kind() != raw.Text && v.Kind() != raw.Object {
				r.fail(v, where, "the name of an exercise in double quotes, or an exercise in { }", v.Shown())
			}
		}})
	if len(l.Steps) == 0 && l.Exercise == nil {
		r.reject(top, "steps", fmt.Sprintf("1 to %d steps, or an exercise", MaxSteps), "0")
	}
	if r.err == nil && !r.draft {
		r.checkPolicies(l)
		r.checkQuestionSteps(l)
	}
	return l
}

func (r *reader) step(v raw.Value, where string) (s Step) {
	policy := int64(0)
	r.object(v, where,
		field{"text", true, r.shortText(&s.Text, true)},
		field{"policy", false, r.wholeNumber(&policy, 0, scenario.MaxPolicies-1)},
		field{"place", true, r.place(&s.Place)})
	s.Policy = int(policy)
	return s
}

// place returns a function that reads the event that a step or question shows.
func (r *reader) place(to *replay.EventRef) func(raw.Value, string) {
	return func(v raw.Value, where string) {
		nth := int64(0)
		r.object(v, where,
			field{"time", true, r.wholeNumber(&to.Time, 0, job.MaxTime)},
			field{"event", true, func(v raw.Value, where string) {
				r.shortText(&to.Event, true)(v, where)
				if !replay.IsEventName(to.Event) {
					r.reject(v, where, "before, after, submit, start, finish, promise, move, hold or another kind of event", v.Shown())
				}
			}},
			field{"job", false, r.shortText(&to.Job, false)},
			field{"nth", false, r.wholeNumber(&nth, 1, job.MaxJobs)})
		to.Nth = int(nth)
	}
}

// questions returns a function that reads a question and appends it to a list.
func (r *reader) questions(to *[]Question) func(raw.Value, string) {
	return func(v raw.Value, where string) {
		*to, r.asked = append(*to, r.question(v, where)), append(r.asked, v)
	}
}

func (r *reader) question(v raw.Value, where string) (q Question) {
	answer, after, policy := int64(0), int64(0), int64(-1)
	r.object(v, where,
		field{"text", true, r.shortText(&q.Text, true)},
		field{"choices", true, r.shortTexts(&q.Choices, where+", choice", true, MinChoices, MaxChoices)},
		field{"answer", true, r.wholeNumber(&answer, 0, MaxChoices-1)},
		field{"because", true, r.shortText(&q.Because, true)},
		field{"replies", false, r.shortTexts(&q.Replies, where+", reply", false, MinChoices, MaxChoices)},
		field{"after", false, r.wholeNumber(&after, 1, MaxSteps)},
		field{"policy", false, r.wholeNumber(&policy, 0, scenario.MaxPolicies-1)},
		field{"place", false, func(v raw.Value, where string) {
			q.Place = &replay.EventRef{}
			r.place(q.Place)(v, where)
		}},
		field{"check", false, func(v raw.Value, _ string) { q.Check = json.RawMessage(v.Text) }})
	q.After, q.Policy = int(after), int(max(policy, 0))
	if policy >= 0 && q.Place == nil {
		r.fail(v, where+", place", "this field, because the question has the field policy", "nothing")
	}
	if q.Answer = int(answer); q.Answer >= len(q.Choices) {
		r.reject(v, where+", answer", fmt.Sprintf("the index of a choice, 0 to %d", len(q.Choices)-1), strconv.Itoa(q.Answer))
	}
	if q.Replies != nil && len(q.Replies) != len(q.Choices) {
		r.reject(v, where+", replies", fmt.Sprintf("a reply for each of the %d choices, empty for the right answer", len(q.Choices)), strconv.Itoa(len(q.Replies)))
	}
	return q
}

// scenario returns a function that reads and validates the scenario. Errors in it name
// the line in the lesson.
func (r *reader) scenario(to *json.RawMessage) func(raw.Value, string) {
	return func(v raw.Value, where string) {
		if *to = json.RawMessage(v.Text); r.draft {
			return
		}
		s, err := scenario.Parse(*to)
		if err != nil {
			r.recordScenarioError(v, where, err)
			return
		}
		switch {
		case s.Workload.File != nil, s.Workload.Generator != nil:
			r.fail(v, where+", workload", "a list of jobs, because a lesson contains its jobs", "a file or a generator")
		case len(s.Workload.Jobs) > MaxJobs:
			r.fail(v, where+", jobs", fmt.Sprintf("at most %d", MaxJobs), strconv.Itoa(len(s.Workload.Jobs)))
		}
		if err := s.Validate(); err != nil {
			r.recordScenarioError(v, where, err)
		}
	}
}

// recordScenarioError records an error in the scenario. It converts the line in the scenario to the
// line in the file of the lesson.
func (r *reader) recordScenarioError(v raw.Value, where string, err error) {
	if r.err != nil {
		return
	}
	line, column := raw.Place(r.text, v.At)
	out := &scenario.Error{Line: line, Column: column, Where: where, Err: err}
	var s *scenario.Error
	if errors.As(err, &s) {
		*out = *s
		if out.Line += line - 1; s.Line == 0 {
			out.Line = line
		}
		out.Where = where + ", " + s.Where
	}
	r.err = out
}

// checkPolicies checks that the scenario contains the policy of each step and of each question.
func (r *reader) checkPolicies(l *Lesson) {
	s, err := scenario.Parse(l.Scenario)
	if err != nil {
		return
	}
	check := func(v raw.Value, one string, i, policy int) {
		if policy >= len(s.Policies) {
			r.fail(v, fmt.Sprintf("%s %d, policy", one, i+1), fmt.Sprintf("the index of a policy of the scenario, 0 to %d", len(s.Policies)-1), strconv.Itoa(policy))
		}
	}
	for i, step := range l.Steps {
		check(r.steps[i], "step", i, step.Policy)
	}
	for i, q := range l.Questions {
		check(r.asked[i], "question", i, q.Policy)
	}
}

// checkQuestionSteps checks, for each question that follows a step, that the lesson has this step.
func (r *reader) checkQuestionSteps(l *Lesson) {
	for i, q := range l.Questions {
		if q.After > len(l.Steps) {
			r.fail(r.asked[i], fmt.Sprintf("question %d, after", i+1), fmt.Sprintf("the number of a step, 1 to %d", len(l.Steps)), strconv.Itoa(q.After))
		}
	}
}
