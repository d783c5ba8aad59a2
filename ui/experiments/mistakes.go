package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/knob"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
	"backfill-lab/core/workload"
	"backfill-lab/ui/widgets"
)

// mistake is an invalid field of the form.
type mistake struct {
	ID    string // element ID of the field
	Fold  string // id of the button that opens the part with the field, "" if it is always visible
	Label string // name of the field, for messages
	Text  string // what was expected
}

// mistakes returns the invalid fields of the form, in order. It checks the fields separately, because the
// parser reports only the first error of a definition.
func (x *draft) mistakes() []mistake {
	out := x.workloadMistakes()
	if problem := loadsProblem(x.Loads); problem != "" {
		out = append(out, mistake{loadsID, "", "Load factors", problem})
	}
	if _, err := seedSpans(x.Seeds); err != nil {
		out = append(out, mistake{seedsID, "", "Seeds", err.Error()})
	}
	out = append(out, x.policyMistakes()...)
	for i, name := range x.Metrics {
		if m := metrics.Named(name); m != nil && slices.Contains(x.Metrics[:i], name) {
			out = append(out, mistake{metricID + name, "", "Metrics", "expected each metric only once, got " + m.Title + " again"})
		}
	}
	return out
}

// loadsProblem returns the first error in typed load factors, or "" if all are valid.
func loadsProblem(text string) string {
	var used []float64
	for _, l := range splitNumbers(text) {
		f, err := strconv.ParseFloat(l, 64)
		switch {
		case err != nil || !(f > 0 && f <= workload.MaxLoadFactor):
			return fmt.Sprintf("expected numbers above 0 and at most 10^9, got %.40q", l)
		case slices.Contains(used, f):
			return fmt.Sprintf("expected each number only once, got %.40q again", l)
		}
		used = append(used, f)
	}
	return ""
}

// workloadMistakes returns the invalid fields of the workloads. Besides the name, it reports at most one invalid
// field of each workload.
func (x *draft) workloadMistakes() (out []mistake) {
	if len(x.Workloads) == 0 {
		out = append(out, mistake{"x-add-model", "", "Workloads", "expected at least one, got none"})
	}
	used := map[string]bool{}
	for i, w := range x.Workloads {
		id := workloadID(i)
		switch {
		case w.Name == "":
			out = append(out, mistake{id + "-name", "", "Name of workload " + strconv.Itoa(i+1), "expected a name, got none"})
		case used[w.Name]:
			out = append(out, mistake{id + "-name", "", "Name of workload " + strconv.Itoa(i+1), fmt.Sprintf("expected a name that no other workload has, got %.40q", w.Name)})
		}
		used[w.Name] = true
		if w.Model == nil {
			continue
		}
		s, err := scenario.Parse([]byte(w.json()))
		if err == nil {
			s.Policies = []scenario.Policy{{Name: registry.All[0].Name}}
			err = s.Validate()
		}
		var e *scenario.Error
		if errors.As(err, &e) {
			out = append(out, w.mistake(id, e))
		}
	}
	return out
}

// mistake returns the field that causes the error e. The error is in the scenario of workload w, whose jobs a model
// generates. The argument id is the id of the workload in the form.
func (w *draftWorkload) mistake(id string, e *scenario.Error) mistake {
	parts := strings.Split(e.Where, ", ")
	name, of := parts[len(parts)-1], " of "+w.Name
	m := mistake{ID: id + "-name", Label: "Workload " + w.Name, Text: withoutLocation(e)}
	switch {
	case strings.HasPrefix(e.Where, "machine"):
		m.ID, m.Label = id+"-nodes", "Nodes"+of
	case e.Where == "rules":
		m.ID, m.Label = id+"-warmup", "Warm-up and cool-down"+of
	case name == warmupField:
		m.ID, m.Label = id+"-warmup", "Warm-up"+of
	case name == cooldownField:
		m.ID, m.Label = id+"-cooldown", "Cool-down"+of
	case e.Where == "workload, generator":
		m.ID, m.Label = id+"-model", "Model"+of
	case strings.HasPrefix(e.Where, "workload"):
		m.ID, m.Label = id+"-knob-"+name, widgets.Capitalize(name)+of
		knobs := w.Model.spec().Knobs
		for i, k := range knobs {
			if k.Name == name {
				// The message may name other knobs. HelpTitle replaces these names with the titles that the form
				// shows.
				k.Help = m.Text
				m.Text, m.Label = k.HelpTitle(knobs), widgets.Capitalize(k.Title)+of
				if i > 0 {
					m.Fold = id + "-more"
				}
			}
		}
	}
	return m
}

// withoutLocation returns an error message from the word "expected" on, without the location before it. If the message
// does not contain this word, withoutLocation returns the whole message.
func withoutLocation(err error) string {
	text := err.Error()
	if i := strings.Index(text, "expected "); i >= 0 {
		return text[i:]
	}
	return text
}

// policyMistakes returns the invalid fields of the policies.
func (x *draft) policyMistakes() (out []mistake) {
	if len(x.Policies) == 0 {
		out = append(out, mistake{"x-add-policy", "", "Policies", "expected at least one, got none"})
	}
	baseline := -1
	for i, p := range x.Policies {
		id := policyID(i)
		if p.Baseline && baseline >= 0 {
			out = append(out, mistake{id + "-baseline", "", "Baseline", fmt.Sprintf("expected only one policy, got policies %d and %d", baseline+1, i+1)})
		} else if p.Baseline {
			baseline = i
		}
		spec, err := registry.Find(p.Name)
		if err != nil {
			out = append(out, mistake{id + "-name", "", "Policy " + strconv.Itoa(i+1), withoutLocation(err)})
			continue
		}
		for k := range spec.Knobs {
			if text, set := p.Knobs[spec.Knobs[k].Name]; set {
				if problem := wrongValue(spec.Knobs[k:k+1], text); problem != "" {
					out = append(out, mistake{id + "-knob-" + spec.Knobs[k].Name, id + "-more", widgets.Capitalize(spec.Knobs[k].Title) + " of " + spec.Title, problem})
				}
			}
		}
	}
	return out
}

// wrongValue returns the first error in the values that the user typed for a knob, or "" if all are valid. The list k
// holds only this knob.
func wrongValue(k []knob.Knob, text string) string {
	all := splitValues(text)
	if len(all) < 2 {
		all = []string{strings.TrimSpace(text)}
	}
	for _, v := range all {
		if _, err := knob.Settings("", k, map[string]string{k[0].Name: v}); err != nil {
			return withoutLocation(err)
		}
	}
	return ""
}

// markInvalid adds a description of the error to each invalid field. It returns the same slice.
func (c *Experiments) markInvalid(fields []widgets.Field) []widgets.Field {
	for i := range fields {
		for _, m := range c.mistakes {
			if m.ID == fields[i].ID {
				fields[i].SetProblem(widgets.Capitalize(m.Text) + ".")
			}
		}
	}
	return fields
}

// Problem describes the first error in the definition and says how many other fields are invalid. It returns ""
// if the definition is valid. Problem mentions the line of an error only if the user sees the definition as text
// (JSON), or if the form cannot show the definition.
func (c *Experiments) Problem() string {
	if c.err == nil {
		return ""
	}
	if len(c.mistakes) > 0 {
		text := c.mistakes[0].Label + ": " + c.mistakes[0].Text + "."
		if n := len(c.mistakes) - 1; n > 0 {
			text += " " + plural(n, "more field is invalid.", "more fields are invalid.")
		}
		return text
	}
	text := c.err.Error()
	var e *sweep.Error
	if errors.As(c.err, &e) && e.Where != "" && c.draft != nil && !c.ShowsText() {
		text = strings.TrimPrefix(text, fmt.Sprintf("line %d, ", e.Line))
	}
	return text
}

// focusMistake opens the part of the form with the first invalid field, and moves the keyboard focus to this field.
// If no field is marked as invalid, focusMistake opens the text of the definition.
func (c *Experiments) focusMistake() {
	m := mistake{ID: textID, Fold: textFold}
	if len(c.mistakes) > 0 {
		m = c.mistakes[0]
	}
	if m.Fold != "" {
		c.unfolded[m.Fold] = true
	}
	c.Focus = m.ID
}

// metricID is the beginning of the ids of the fields for metrics. The name of the metric follows.
const metricID = "x-metric-"

// IDs of the fields for load factors, offered loads and seeds.
const loadsID, offeredID, seedsID = "x-loads", "x-offered", "x-seeds"

// workloadID and policyID return the id of workload or policy number i in the form. The ids of all its fields begin
// with this id.
func workloadID(i int) string { return "x-workload-" + strconv.Itoa(i) }
func policyID(i int) string   { return "x-policy-" + strconv.Itoa(i) }
