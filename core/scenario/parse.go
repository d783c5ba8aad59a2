package scenario

import (
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
)

// Parse parses the JSON text of a scenario. If the text is invalid, it returns an *Error. The error
// gives the line and column if the text is not JSON, and otherwise the row and field. Parse checks
// each field on its own. Validate checks whether the scenario can run.
func Parse(data []byte) (*Scenario, error) {
	r, top, err := upgradeToCurrent(data)
	if err != nil {
		return nil, err
	}
	s := &Scenario{}
	var machine, work, policies raw.Value
	s.UnknownFields = r.object(top, spot{}, func(name string, v raw.Value) bool {
		switch at := (spot{part: name}); name {
		case "version":
		case "title":
			s.Title = r.LongText(v, at)
		case "text":
			s.Text = r.LongText(v, at)
		case "calendar":
			r.parseCalendar(s, v)
		case "machine":
			machine = v
		case "workload":
			work = v
		case "slowdown":
			r.parseSlowdown(s, v)
		case "rules":
			r.parseRules(s, v)
		case "changes":
			r.parseChanges(s, v)
		case "policies":
			policies = v
		case "view":
			if r.CheckLength(v, at, MaxText) {
				s.View = v.Compact()
			}
		default:
			return false
		}
		return true
	})
	r.parseMachine(s, orEmpty(machine, top))
	r.parseWorkload(s, orEmpty(work, top))
	if policies.Kind() != raw.Nothing {
		r.parsePolicies(s, policies)
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return s, nil
}

// orEmpty returns v. If v is missing, it returns an empty value at the position of parent, the
// object that lacks the value. An error about the value then states the line of parent.
func orEmpty(v, parent raw.Value) raw.Value {
	if v.Kind() == raw.Nothing {
		v.At = parent.At
	}
	return v
}

// parseChanges parses the list of texts that describe earlier changes to the jobs, such as "first 500
// jobs".
func (r *reader) parseChanges(s *Scenario, v raw.Value) {
	r.List(v, spot{part: "changes"}, func(row int, v raw.Value) {
		at := spot{part: "changes"}
		if row > MaxChanges {
			r.Fail(v, at, "at most "+strconv.Itoa(MaxChanges)+" changes")
		} else if r.CheckLength(v, at, MaxChange) {
			s.Changes = append(s.Changes, r.LongText(v, at))
		}
	})
}

// maxDate is the latest date that time 0 of a scenario may have, as a Unix time. It is the end of the year 9999.
const maxDate = 253_402_300_799

func (r *reader) parseCalendar(s *Scenario, v raw.Value) {
	s.Calendar = &Calendar{}
	at, given := spot{part: "calendar"}, false
	s.Calendar.UnknownFields = r.object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "start":
			s.Calendar.Start, given = r.WholeNumber(v, at.Field(name), 0, maxDate), true
		case "zone":
			if r.CheckLength(v, at.Field(name), 100) {
				s.Calendar.Zone = r.LongText(v, at.Field(name))
			}
		default:
			return false
		}
		return true
	})
	if !given {
		r.Fail(v, at.Field("start"), "the Unix time at which the scenario starts (t = 0)")
	}
}

// loadFactorRange describes valid load factors in error messages.
const loadFactorRange = "a number above 0 and at most 10^9"

func (r *reader) parseRules(s *Scenario, v raw.Value) {
	at := spot{part: "rules"}
	s.Rules.UnknownFields = r.object(v, at, func(name string, v raw.Value) bool {
		rules := &s.Rules.Rules
		switch name {
		case "overrun":
			r.parseRule(v, &rules.Overrun)
		case "size":
			r.parseRule(v, &rules.Size)
		case "filter":
			r.parseRule(v, &rules.Filter)
		case "zero-runtime":
			r.parseRule(v, &rules.Zero)
		case "oversize":
			r.parseRule(v, &rules.Oversize)
		case "window":
			r.parseRule(v, &rules.Window)
		case "limit":
			rules.Limit = int(r.WholeNumber(v, at.Field(name), 0, job.MaxJobs))
		case "keep":
			r.parseKeep(v, &rules.Keep)
		case "shift":
			rules.Shift = r.Boolean(v, at.Field(name))
		case "load-factor":
			if rules.LoadFactor = r.Number(v, at.Field(name), 0, workload.MaxLoadFactor); rules.LoadFactor == 0 {
				r.Fail(v, at.Field(name), loadFactorRange)
			}
		case "wall-factor":
			if rules.WallFactor = r.Number(v, at.Field(name), 0, workload.MaxWallFactor); rules.WallFactor == 0 {
				r.Fail(v, at.Field(name), "a number above 0 and at most 1000")
			}
		case "warmup":
			s.Rules.Warmup = r.Number(v, at.Field(name), 0, 100)
		case "cooldown":
			s.Rules.Cooldown = r.Number(v, at.Field(name), 0, 100)
		default:
			return false
		}
		return true
	})
}

// parseRule parses a data rule whose value is a word. The error of UnmarshalText already names the
// rule.
func (r *reader) parseRule(v raw.Value, to interface{ UnmarshalText([]byte) error }) {
	if r.Err != nil {
		return
	}
	if err := to.UnmarshalText([]byte(v.Word())); err != nil {
		line, column := raw.Place(r.Data, v.At)
		r.Err = &Error{Line: line, Column: column, Where: "rules", Err: err}
	}
}

// parseKeep parses the data rule Keep, an object with conditions.
func (r *reader) parseKeep(v raw.Value, to *workload.Keep) {
	at := spot{part: "rules, keep"}
	r.object(v, at, func(name string, v raw.Value) bool {
		text := r.Name(v, at.Field(name))
		if err := to.Set(name, text); err != nil && r.Err == nil {
			line, column := raw.Place(r.Data, v.At)
			r.Err = &Error{Line: line, Column: column, Where: at.Field(name).String(), Err: err}
		}
		return true
	})
}

// parsePolicies parses the list of policies. Validate later checks whether the policies and knobs
// exist.
func (r *reader) parsePolicies(s *Scenario, v raw.Value) {
	r.List(v, spot{part: "policies"}, func(row int, v raw.Value) {
		at := spot{part: "policies", row: row}
		if row > MaxFields {
			r.TooMany(v, spot{part: "policies"}, "1 to "+strconv.Itoa(MaxPolicies))
			return
		}
		p := Policy{}
		p.UnknownFields = r.object(v, at, func(name string, v raw.Value) bool {
			switch name {
			case "name":
				p.Name = r.ShortText(v, at.Field(name))
			case "title":
				p.Title = r.parseTitle(v, at.Field(name))
			case "baseline":
				p.Baseline = r.Boolean(v, at.Field(name))
			case "chart":
				p.NoChart = !r.Boolean(v, at.Field(name))
			case "knobs":
				p.Knobs = r.parseKnobs(v, at, name)
			default:
				return false
			}
			return true
		})
		if p.Name == "" {
			r.Fail(raw.Value{At: v.At}, at.Field("name"), "the name of a policy")
		}
		s.Policies = append(s.Policies, p)
	})
}

func (r *reader) parseTitle(v raw.Value, at spot) string {
	text := r.LongText(v, at)
	if err := CheckTitle(text); err != nil && r.Err == nil {
		line, column := raw.Place(r.Data, v.At)
		r.Err = &Error{Line: line, Column: column, Where: at.String(), Err: err}
	}
	return text
}

// parseKnobs parses an object that contains values of knobs by name. It returns nil if the object
// is empty.
func (r *reader) parseKnobs(v raw.Value, at spot, field string) (set map[string]string) {
	r.object(v, at.Field(field), func(knob string, v raw.Value) bool {
		if set == nil {
			set = map[string]string{}
		}
		set[knob] = r.parseKnob(v, at.Field(knob))
		return true
	})
	return set
}

// parseKnob parses the value of a knob and returns it as text.
func (r *reader) parseKnob(v raw.Value, at spot) string {
	switch v.Kind() {
	case raw.Text, raw.Number, raw.Boolean:
		if !r.CheckLength(v, at, job.MaxName) {
			return ""
		}
		return v.Word()
	}
	r.Fail(v, at, "a word, a number, true or false")
	return ""
}
