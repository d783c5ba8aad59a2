package document

import (
	"fmt"
	"maps"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/knob"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
)

// Policy is a policy of the scenario, with the texts of the knobs that the user has set.
type Policy scenario.Policy

// SetPolicy returns the document with policy i replaced by the named policy or preset. All knobs get their
// defaults, except those that the preset sets. The title, the baseline mark and the visibility of the chart
// stay the same. If i equals the number of policies, SetPolicy adds the policy.
func (d Doc) SetPolicy(i int, name string) Doc {
	set := Policy{Name: name}
	if policy, knobs, err := registry.Resolve(name); err == nil {
		set.Name, set.Knobs = policy, knobs
	}
	d.Policies = slices.Clone(d.Policies)
	if i == len(d.Policies) {
		d.Policies = append(d.Policies, set)
		return d
	}
	p := &d.Policies[i]
	set.Title, set.Baseline, set.NoChart = p.Title, p.Baseline, p.NoChart
	*p = set
	return d
}

// WithPolicies returns the document with its policies replaced by the named policies or
// presets. All knobs get their defaults, except those that a preset sets. It returns an error
// for an unknown name, or for too many names.
func (d Doc) WithPolicies(names []string) (Doc, error) {
	if n := len(names); n > scenario.MaxPolicies {
		return d, fmt.Errorf("expected at most %d policies, got %d", scenario.MaxPolicies, n)
	}
	d.Policies = nil
	for i, name := range names {
		if _, _, err := registry.Resolve(name); err != nil {
			return d, err
		}
		d = d.SetPolicy(i, name)
	}
	return d, nil
}

// DropPolicy returns the document without policy i.
func (d Doc) DropPolicy(i int) Doc {
	d.Policies = slices.Delete(slices.Clone(d.Policies), i, i+1)
	return d
}

// MovePolicy returns the document with policy i moved to another place in the list.
func (d Doc) MovePolicy(i, to int) Doc {
	moved := d.Policies[i]
	d = d.DropPolicy(i)
	d.Policies = slices.Insert(d.Policies, to, moved)
	return d
}

// SetTitle returns the document with another title for policy i. If the title is empty, the policy gets the title
// that DerivedTitle returns.
func (d Doc) SetTitle(i int, title string) Doc {
	d.Policies = slices.Clone(d.Policies)
	d.Policies[i].Title = title
	return d
}

// SetBaseline returns the document with policy i as the baseline, with which the other policies are compared.
func (d Doc) SetBaseline(i int) Doc {
	d.Policies = slices.Clone(d.Policies)
	for k := range d.Policies {
		d.Policies[k].Baseline = k == i
	}
	return d
}

// SetChart returns the document with the chart of policy i shown or hidden.
func (d Doc) SetChart(i int, shown bool) Doc {
	d.Policies = slices.Clone(d.Policies)
	d.Policies[i].NoChart = !shown
	return d
}

// ShowCharts returns the document with the charts of all policies shown.
func (d Doc) ShowCharts() Doc {
	for i := range d.Policies {
		d = d.SetChart(i, true)
	}
	return d
}

// SetKnob returns the document with a knob of policy i set to the given text.
func (d Doc) SetKnob(i int, knob, text string) Doc {
	d.Policies = slices.Clone(d.Policies)
	knobs := maps.Clone(d.Policies[i].Knobs)
	if knobs == nil {
		knobs = map[string]string{}
	}
	knobs[knob] = text
	d.Policies[i].Knobs = knobs
	return d
}

// HasScript reports whether any policy is a script.
func (d *Doc) HasScript() bool {
	return slices.ContainsFunc(d.Policies, func(p Policy) bool { return p.Name == script.Name })
}

// Knob returns the text of a knob, or its default if it was not set.
func (p *Policy) Knob(k *policy.Knob) string {
	if text, ok := p.Knobs[k.Name]; ok {
		return text
	}
	return k.Default
}

// same reports whether both policies are equal, apart from unknown fields of the scenario file.
func (p *Policy) same(o *Policy) bool {
	return p.Name == o.Name && p.Title == o.Title && p.Baseline == o.Baseline && p.NoChart == o.NoChart && maps.Equal(p.Knobs, o.Knobs)
}

func (p *Policy) sameAs(o Policy) bool { return p.same(&o) }

// policyList returns a scenario that contains only the policies.
func (d *Doc) policyList() *scenario.Scenario {
	s := &scenario.Scenario{}
	for _, p := range d.Policies {
		s.Policies = append(s.Policies, scenario.Policy(p))
	}
	return s
}

// PolicyTitles returns the title of each policy: the title that the user gave it, or else the
// derived title.
func (d *Doc) PolicyTitles() []string { return d.policyList().Titles() }

// Baseline returns the index of the policy that the others are compared with.
func (d *Doc) Baseline() int { return d.policyList().Baseline() }

// DerivedTitle returns the title that the policy has if the user types none.
func (p *Policy) DerivedTitle() string { return (*scenario.Policy)(p).DerivedTitle() }

// Facts returns the properties of the scenario on which the effect of some knobs depends. The field EarlyEnds is true
// if some job ends before its estimate. It is also true if jobs can share nodes or slow each other down, because such
// jobs may end before their expected ends.
func (d *Doc) Facts() knob.Facts {
	jobs, cores := d.Rows.Summary(), d.SlotsPerNode() > 1
	return knob.Facts{Resources: len(d.Resources) > 0, Moldable: jobs.Moldable, Cores: cores, EarlyEnds: jobs.EarlyEnds || cores || d.Slowdown != nil}
}

// checkPolicies checks the policies and their knobs. A policy is also invalid if it does not support the outages of
// the machine, or if a formula names a resource that the machine lacks.
func (d *Doc) checkPolicies(machine *protocol.Machine) (out []protocol.Policy, bad []Problem) {
	m := cluster.Machine{Outages: make([]cluster.Outage, len(machine.Outages))}
	for _, r := range machine.Resources {
		m.Resources = append(m.Resources, cluster.Resource{Name: r.Name, Capacity: r.Capacity})
	}
	for i, p := range d.Policies {
		spec, err := registry.Find(p.Name)
		if err == nil {
			_, err = spec.SettingsOn(&m, p.Knobs)
		}
		if err != nil {
			problem := Problem{Row: -1, Policy: i, Text: err.Error()}
			if k, ok := err.(*policy.BadKnob); ok {
				problem.Field = k.Knob
			}
			bad = append(bad, problem)
		}
		out = append(out, protocol.Policy{Name: p.Name, Title: p.Title, Knobs: p.Knobs, Baseline: p.Baseline, NoChart: p.NoChart})
	}
	return out, bad
}

// policyDifference describes the edit that turned the policies a into b.
func policyDifference(a, b []Policy) string {
	switch {
	case len(a) < len(b):
		return "policy added"
	case len(a) > len(b):
		return "policy removed"
	}
	for i := range a {
		x, y := &a[i], &b[i]
		switch {
		case x.same(y):
		case slices.ContainsFunc(b[i+1:], x.sameAs) && slices.ContainsFunc(a[i+1:], y.sameAs):
			return "order of policies changed"
		case x.Name != y.Name:
			return "policy changed to " + y.Name
		case x.Title != y.Title:
			return "policy " + y.Name + " renamed"
		case x.Baseline != y.Baseline:
			return "baseline changed"
		case x.NoChart != y.NoChart:
			return "charts shown or hidden"
		default:
			return "knobs of " + y.Name + " changed"
		}
	}
	return "edit"
}
