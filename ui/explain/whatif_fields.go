package explain

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// whatIfFields lists the properties that a what-if change can set, with the names that package whatif uses. The user
// selects the policy from a list and types the other values.
var whatIfFields = [...]struct{ name, label string }{
	{"procs", "Processors"},
	{"submit", "Submitted"},
	{"estimate", "Estimate"},
	{"policy", "Policy"},
}

const (
	policyField   = len(whatIfFields) - 1
	shownPolicies = "the policies shown"
	predictStart  = -1 // value of WhatIfButton.Result for the button that predicts the start
)

// problem returns the error in a field, or "" if the form has no error in this field. It cuts the
// name of the field from the start of the error. In errors from the worker, the ID of the job
// precedes this name and is cut too.
func (s *trial) problem(field string) string {
	for _, begin := range []string{"", "job " + s.id + ", "} {
		if text, ok := strings.CutPrefix(s.err, begin+field+": "); ok {
			return text
		}
	}
	return ""
}

// whatIfText returns the text that field i shows: the text that the user typed, or else the value of the job. A time
// has the same format as the other times on the page.
func (c *Explainer) whatIfText(i int) string {
	s, clock := &c.trial, c.Clock()
	switch {
	case s.typed[i]:
		return s.texts[i]
	case i == policyField:
		return shownPolicies
	case whatIfFields[i].name == "submit":
		return clock.Instant(s.values[i])
	case whatIfFields[i].name == "estimate" && clock.Units:
		return clock.Duration(s.values[i])
	}
	return strconv.FormatInt(s.values[i], 10)
}

// whatIfValue returns the text of field i in the format that package whatif parses, with times in seconds.
func (c *Explainer) whatIfValue(i int) string {
	s := &c.trial
	text := strings.TrimSpace(s.texts[i])
	switch {
	case !s.typed[i] && i == policyField:
		return shownPolicies
	case !s.typed[i]:
		return strconv.FormatInt(s.values[i], 10)
	case whatIfFields[i].name == "submit":
		return session.InSeconds(text, c.ScenarioClock().ParseInstant)
	case whatIfFields[i].name == "estimate":
		return session.InSeconds(text, format.ParseDuration)
	}
	return text
}

// WhatIfFields returns the fields of the what-if form.
func (c *Explainer) WhatIfFields() []widgets.Field {
	out := make([]widgets.Field, len(whatIfFields))
	for i, x := range whatIfFields {
		f := &out[i]
		*f = widgets.Field{ID: "if-" + x.name, Name: x.name, Label: x.label, Place: i, Kind: policy.Integer, Text: c.whatIfText(i), Duration: i > 0}
		f.SetProblem(c.trial.problem(x.name))
	}
	p := &out[policyField]
	p.Kind, p.Options, p.OptionTitles = policy.Choice, []string{shownPolicies}, []string{shownPolicies}
	for _, s := range registry.All {
		p.Options, p.OptionTitles = append(p.Options, s.Name), append(p.OptionTitles, s.Title)
	}
	for i := range registry.Presets {
		x := &registry.Presets[i]
		p.Options, p.OptionTitles = append(p.Options, x.Name), append(p.OptionTitles, x.FullTitle())
	}
	return out
}

// SetWhatIfField stores what the user typed or selected in the field f.
func (c *Explainer) SetWhatIfField(e vugu.DOMEvent, f widgets.Field) {
	c.trial.texts[f.Place], c.trial.typed[f.Place], c.trial.err = e.PropString("target", "value"), true, ""
}
