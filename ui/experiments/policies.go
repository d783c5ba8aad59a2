package experiments

import (
	"maps"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/metrics"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// PolicyRow is a policy as the form shows it.
type PolicyRow struct {
	I         int // index in the draft
	ID, Name  string
	Title     string // title that the user gave the policy, otherwise the title of the policy in the registry
	Summary   string // the title that the user gave the policy (not for a script), followed by the knobs that are set
	Baseline  bool
	Knobs     []widgets.Field // empty while they are folded away
	KnobCount int             // number of knobs that the policy has, including those folded away
	IsScript  bool
	Outdated  string // says that the current scenario has another script for this policy, "" if it does not
}

// Policies returns the policies as the form shows them.
func (c *Experiments) Policies() (out []PolicyRow) {
	baseline := slices.IndexFunc(c.draft.Policies, func(p draftPolicy) bool { return p.Baseline })
	for i, p := range c.draft.Policies {
		id := policyID(i)
		r := PolicyRow{I: i, ID: id, Name: p.Name, Title: p.Name, Baseline: i == max(0, baseline), IsScript: p.Name == script.Name}
		spec, err := registry.Find(p.Name)
		if err == nil {
			r.Title, r.KnobCount = spec.Title, len(spec.Knobs)
		}
		if p.Title != "" {
			r.Title = p.Title
		}
		var set []string
		if r.IsScript && c.currentScript(i) != "" {
			r.Outdated = "In the scenario, “" + r.Title + "” now has a different script. The experiment keeps its own copy."
		} else if !r.IsScript && p.Title != "" {
			set = append(set, "“"+p.Title+"”")
		}
		for _, name := range slices.Sorted(maps.Keys(p.Knobs)) {
			if name != script.SourceKnob {
				set = append(set, name+": "+p.Knobs[name])
			}
		}
		r.Summary = strings.Join(set, "; ")
		if err == nil && c.Unfolded(id+"-more") {
			r.Knobs = c.markInvalid(policyKnobFields(id, i, spec, p.Knobs))
		}
		out = append(out, r)
	}
	return out
}

// currentScript returns the script of the policy in the current scenario that has the same title as policy i. It
// returns "" if policy i has this script already, or if no script policy or several script policies of the scenario
// have this title.
func (c *Experiments) currentScript(i int) (source string) {
	p, knob := &c.draft.Policies[i], &script.Spec.Knobs[0]
	for _, x := range c.Doc().Policies {
		if x.Name == script.Name && x.Title == p.Title {
			if source != "" {
				return ""
			}
			source = x.Knob(knob)
		}
	}
	if own := (document.Policy{Knobs: p.Knobs}); source == own.Knob(knob) {
		return ""
	}
	return source
}

// UseCurrentScript replaces the script of policy i with the script in the current scenario.
func (c *Experiments) UseCurrentScript(i int) {
	if i >= len(c.draft.Policies) { // the form was changed since it was drawn
		return
	}
	if source := c.currentScript(i); source != "" {
		c.changeDraft("Replaced the script with the one in the current scenario.", func() {
			p := &c.draft.Policies[i]
			p.Knobs = maps.Clone(p.Knobs)
			p.Knobs[script.SourceKnob] = source
		})
	}
}

// policyKnobFields returns a field for each knob of a policy, except the text of a script. The user can type
// several values into each.
func policyKnobFields(id string, i int, spec *policy.Spec, set map[string]string) (out []widgets.Field) {
	for k := range spec.Knobs {
		x := &spec.Knobs[k]
		if x.Name == script.SourceKnob {
			continue
		}
		value, ok := set[x.Name]
		if !ok {
			value = x.Default
		}
		f := widgets.KnobField(id+"-knob-"+x.Name, value, x, spec.Knobs)
		f.Name, f.Place, f.Invalid = knobField+x.Name, i, "false"
		if f.IsChoice() {
			f.Help += "; one of " + strings.Join(x.Choices, ", ")
		}
		f.Kind, f.Options, f.OptionTitles, f.Duration = manyValues, nil, nil, false
		out = append(out, f)
	}
	return out
}

// manyValues is the kind of a text field in which the user can type several values.
const manyValues policy.Kind = "many"

// AllPolicies returns the policies to choose from. They do not include scripts, which the user can only
// copy from the current scenario.
func (c *Experiments) AllPolicies() []*policy.Spec { return registry.All }

// SetPolicy replaces policy i with the one that the user selected from its list. The knobs get their default values.
func (c *Experiments) SetPolicy(e vugu.DOMEvent, i int) {
	if i >= len(c.draft.Policies) { // the form was changed since it was drawn
		return
	}
	p := &c.draft.Policies[i]
	p.Name, p.Title, p.Knobs = e.PropString("target", "value"), "", map[string]string{}
	c.handleEdit()
}

// SetKnob stores the typed values of a knob. It removes the knob if the typed text is the default.
func (c *Experiments) SetKnob(e vugu.DOMEvent, f widgets.Field) {
	if f.Place >= len(c.draft.Policies) {
		return
	}
	p := &c.draft.Policies[f.Place]
	name := strings.TrimPrefix(f.Name, knobField)
	value := e.PropString("target", "value")
	if p.Knobs == nil {
		p.Knobs = map[string]string{}
	}
	if p.Knobs[name] = value; value == knobDefault(p.Name, name) {
		delete(p.Knobs, name)
	}
	c.handleEdit()
}

// knobDefault returns the default of a knob of a policy, or "" if there is no such knob.
func knobDefault(name, knob string) string {
	if spec, err := registry.Find(name); err == nil {
		for _, k := range spec.Knobs {
			if k.Name == knob {
				return k.Default
			}
		}
	}
	return ""
}

// SetBaseline makes policy i the baseline, with which the other policies are compared.
func (c *Experiments) SetBaseline(i int) {
	for k := range c.draft.Policies {
		c.draft.Policies[k].Baseline = k == i
	}
	c.handleEdit()
}

// DropPolicy removes a policy.
func (c *Experiments) DropPolicy(i int) {
	if x := c.draft; i < len(x.Policies) {
		c.changeDraft("Removed "+x.Policies[i].Name+".", func() { x.Policies = append(x.Policies[:i:i], x.Policies[i+1:]...) })
	}
}

// AddPolicy adds the policy selected in the list of all policies.
func (c *Experiments) AddPolicy(e vugu.DOMEvent) {
	if name := e.PropString("target", "value"); name != "" {
		c.draft.Policies = append(c.draft.Policies, draftPolicy{Name: name, Knobs: map[string]string{}})
		c.handleEdit()
	}
}

// UseCurrentPolicies replaces the policies with those of the current scenario.
func (c *Experiments) UseCurrentPolicies() {
	c.changeDraft("Replaced the policies with those of the current scenario.", func() { c.draft.Policies = c.currentPolicies() })
}

// MetricRow is a metric as the form shows it.
type MetricRow struct {
	Name, Title string
	Chosen      bool
}

// alwaysShown lists the metrics that the form always shows. The form also shows the selected metrics and, after
// a click on "All metrics", every metric.
var alwaysShown = []string{"mean-wait", "max-wait", "mean-bounded-slowdown", "utilization", "makespan"}

// metrics returns the metrics of the definition.
func (c *Experiments) metrics() []string {
	if c.draft.Metrics == nil {
		return sweep.DefaultMetrics
	}
	return c.draft.Metrics
}

// MetricRows returns the metrics that the form shows.
func (c *Experiments) MetricRows() (out []MetricRow) {
	for _, m := range metrics.Table {
		r := MetricRow{m.Name, m.Title, slices.Contains(c.metrics(), m.Name)}
		if r.Chosen || c.Unfolded(metricsFold) || slices.Contains(alwaysShown, m.Name) {
			out = append(out, r)
		}
	}
	return out
}

// metricsFold is the id of the button that shows all metrics.
const metricsFold = "x-metrics-all"

// SetMetric adds a metric to the definition, or removes it. The metrics of the definition stay in the order of
// metrics.Table.
func (c *Experiments) SetMetric(e vugu.DOMEvent, name string) {
	chosen := e.PropBool("target", "checked")
	var out []string
	for _, m := range metrics.Table {
		if has := slices.Contains(c.metrics(), m.Name); m.Name == name && chosen || m.Name != name && has {
			out = append(out, m.Name)
		}
	}
	c.draft.Metrics = out
	c.handleEdit()
}
