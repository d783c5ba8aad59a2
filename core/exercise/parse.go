package exercise

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
)

// Version is the current version of the declaration format.
const Version = 1

// Error reports an invalid place in a declaration, with what was expected there.
type Error = raw.Error

// place is the path to a value in a declaration, such as "checks, row 2, goals".
type place = raw.Path

// reader reads a declaration and keeps the first error.
type reader struct {
	raw.Reader[place]
	e       *Exercise
	version int64 // version of the declaration format; 0 if the declaration has none
}

// Parse reads the declaration of an exercise, in JSON. Its error is an *Error.
func Parse(data []byte) (*Exercise, error) {
	r := &reader{
		Reader: raw.NewReader(data, job.MaxName, scenario.MaxText, scenario.MaxFields),
		e:      &Exercise{Limits: Limits{Jobs: DefaultJobs, Processors: DefaultProcessors, Seed: 1}},
	}
	top, err := r.Check()
	if err != nil {
		return nil, err
	}
	r.Object(top, "the exercise", r.field)
	r.validate(top)
	if r.Err != nil {
		return nil, r.Err
	}
	return r.e, nil
}

// field reads one field of the declaration. It reports false if the field is unknown.
func (r *reader) field(name string, v raw.Value) bool {
	at := place(name)
	switch name {
	case "version":
		r.version = r.WholeNumber(v, at, Version, Version)
	case "title":
		r.e.Title = r.LongText(v, at)
	case "text":
		r.e.Text = r.LongText(v, at)
	case "kind":
		if r.e.Kind = Kind(r.ShortText(v, at)); r.e.Kind != Policy && r.e.Kind != Workload {
			r.Fail(v, at, "policy or workload")
		}
	case "script":
		r.Rows(v, at, maxLines, "lines", func(at place, v raw.Value) { r.e.Script += r.LongText(v, at) + "\n" })
	case "policies":
		r.List(v, at, func(row int, v raw.Value) { r.policy(v, at.Field(fmt.Sprintf("row %d", row))) })
	case "checks":
		r.Rows(v, at, maxChecks, "checks", func(at place, v raw.Value) { r.check(v, at) })
	case "limits":
		r.limits(v, at)
	default:
		return false
	}
	return true
}

// policy reads the name and the knobs of a built-in policy, and adds the policy to the exercise.
func (r *reader) policy(v raw.Value, at place) {
	p := scenario.Policy{}
	r.Object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "name":
			p.Name = r.ShortText(v, at.Field(name))
		case "knobs":
			p.Knobs = map[string]string{}
			r.Object(v, at.Field(name), func(knob string, v raw.Value) bool {
				p.Knobs[knob] = r.ShortText(v, at.Field(knob))
				return true
			})
		default:
			return false
		}
		return true
	})
	if r.Err != nil {
		return
	}
	s, err := refute.SubjectOf(p)
	if err != nil {
		r.Fail(v, at, "a built-in policy ("+err.Error()+")")
		return
	}
	r.e.Policies, r.e.subjects = append(r.e.Policies, p), append(r.e.subjects, s)
}

// check reads one check and adds it to the exercise.
func (r *reader) check(v raw.Value, at place) {
	c := Requirement{Tries: DefaultTries}
	r.Object(v, at, func(name string, v raw.Value) bool {
		at := at.Field(name)
		switch name {
		case "text":
			c.Text = r.LongText(v, at)
		case "goals":
			r.List(v, at, func(row int, v raw.Value) { c.Goals = append(c.Goals, r.goal(v, at.Field(fmt.Sprintf("row %d", row)))) })
		case "tries":
			c.Tries = int(r.WholeNumber(v, at, 1, maxTries))
		default:
			return false
		}
		return true
	})
	if c.Text == "" || len(c.Goals) == 0 {
		r.Fail(v, at, "a check with a text and at least one goal")
	}
	r.e.Checks = append(r.e.Checks, c)
}

// goal reads the name of a goal, or a relation between metrics.
func (r *reader) goal(v raw.Value, at place) *refute.Goal {
	text := r.LongText(v, at)
	g, err := refute.Find(text)
	if err == nil {
		return g
	}
	if !strings.ContainsAny(text, " <>=") {
		r.Fail(v, at, "a goal or a relation ("+err.Error()+")")
		return nil
	}
	if g, err = refute.ParseRelation(text); err != nil {
		r.Fail(v, at, "a goal or a relation ("+err.Error()+")")
	}
	return g
}

// limits reads the limits of an exercise.
func (r *reader) limits(v raw.Value, at place) {
	l := &r.e.Limits
	r.Object(v, at, func(name string, v raw.Value) bool {
		at := at.Field(name)
		switch name {
		case "jobs":
			l.Jobs = int(r.WholeNumber(v, at, 1, maxJobs))
		case "processors":
			l.Processors = int(r.WholeNumber(v, at, 1, maxProcessors))
		case "seed":
			l.Seed = uint32(r.WholeNumber(v, at, 0, math.MaxUint32))
		default:
			return false
		}
		return true
	})
}

// validate checks that no required field is missing, and that the policies suit the kind of the
// exercise and its goals.
func (r *reader) validate(top raw.Value) {
	e := r.e
	fewest, most := 0, 1
	if e.Kind == Workload {
		fewest, most = 1, 2
	}
	n := len(e.Policies)
	switch {
	case r.version == 0:
		r.Fail(raw.Value{At: top.At}, "version", strconv.Itoa(Version))
	case e.Title == "" || e.Text == "" || e.Kind == "" || len(e.Checks) == 0:
		r.Fail(top, "the exercise", "a title, a text, a kind and checks")
	case n < fewest || n > most:
		r.Fail(raw.Value{Text: strconv.Itoa(n), At: top.At}, "policies", fmt.Sprintf("%d or %d policies for the kind %s", fewest, most, e.Kind))
	}
	if r.Err != nil {
		return
	}
	for i := range e.Checks {
		for _, g := range e.Checks[i].Goals {
			if _, err := refute.NewSearch(e.config(g)); err != nil {
				r.Fail(top, place(fmt.Sprintf("checks, row %d", i+1)), "goals that fit the policies ("+err.Error()+")")
			}
		}
	}
}

// config returns the configuration of a search for goals with the policies of the exercise. In an
// exercise of kind Policy, the submission is not known yet, so a placeholder takes the place of
// policy A.
func (e *Exercise) config(goals ...*refute.Goal) refute.Config {
	c := refute.Config{Goals: goals, Tries: 1, Seed: e.Limits.Seed}
	subjects := e.subjects
	if e.Kind == Policy {
		subjects = append([]*refute.Subject{{Title: SubmissionTitle}}, subjects...)
	}
	c.A = subjects[0]
	if len(subjects) > 1 {
		c.B = subjects[1]
	}
	return c
}
