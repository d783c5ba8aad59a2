package policy

import (
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/sim"
)

// Inner lists the policies that a wrapper policy (outer policy), such as Scojo-PECT, can wrap. The
// wrapper offers the knob "inner", which selects the inner policy, and each knob of an inner policy
// as "inner.NAME". If the wrapper itself declares a knob NAME, there is no knob "inner.NAME", and the
// wrapper's knob applies to both policies.
type Inner []*Spec

const (
	innerKnob   = "inner"
	innerPrefix = innerKnob + "."
)

// Knobs returns all knobs of a wrapper: "inner", the knobs of the inner policies, and the
// wrapper's own knobs. The first inner policy is the default of "inner". A knob that several inner
// policies share appears once.
func (in Inner) Knobs(own []Knob) []Knob {
	out := []Knob{{Name: innerKnob, Title: "inner policy", Kind: Choice, Default: in[0].Name, Help: "policy that schedules the jobs of each type"}}
	for _, s := range in {
		out[0].Choices, out[0].ChoiceTitles = append(out[0].Choices, s.Name), append(out[0].ChoiceTitles, s.Title)
		for _, k := range s.Knobs {
			if !slices.ContainsFunc(own, hasName(k.Name)) {
				out = s.appendInnerKnob(out, k)
			}
		}
	}
	return append(out, own...)
}

// appendInnerKnob appends knob k of the inner policy s to the given list, with the prefix "inner.".
// If the list already has a knob of that name from another inner policy, it extends that knob to s
// instead.
func (s *Spec) appendInnerKnob(out []Knob, k Knob) []Knob {
	k.Name = innerPrefix + k.Name
	help := s.Title + ": " + k.Help
	if i := slices.IndexFunc(out, hasName(k.Name)); i >= 0 {
		if with := slices.IndexFunc(out, hasName(out[i].DependsOn)); out[i].DependsOn != innerKnob { // so far, the knob depends on another knob of one inner policy; let it depend on the knob "inner" instead
			out[i].DependsOn, out[i].DependsOnValues = innerKnob, slices.Clone(out[with].DependsOnValues)
		}
		out[i].DependsOnValues = append(out[i].DependsOnValues, s.Name)
		if !strings.Contains(out[i].Help, k.Help) {
			out[i].Help += "; " + help
		}
		return out
	}
	k.Help = help
	if k.Needs == NeedsSlices { // always met, because the wrapper schedules time slices
		k.Needs = knob.Nothing
	}
	if k.DependsOn = innerPrefix + k.DependsOn; !slices.ContainsFunc(out, hasName(k.DependsOn)) {
		k.DependsOn, k.DependsOnValues = innerKnob, []string{s.Name}
	}
	return append(out, k)
}

// hasName returns a function that reports whether a knob has the given name.
func hasName(name string) func(Knob) bool {
	return func(k Knob) bool { return k.Name == name }
}

// Maker returns a function that makes instances of the inner policy that the wrapper's knobs v
// select.
func (in Inner) Maker(v Values) func() sim.Policy {
	s, values := in.selected(v)
	return func() sim.Policy { return s.New(values) }
}

// NeverStarts returns the first job that the selected inner policy could never start, or nil.
func (in Inner) NeverStarts(v Values, m *cluster.Machine, jobs []job.Job) *job.Invalid {
	if s, values := in.selected(v); s.NeverStarts != nil {
		return s.NeverStarts(values, m, jobs)
	}
	return nil
}

// AddFacts returns the facts f about a scenario, plus the facts that the policy s adds. A wrapper
// adds two facts: the scenario has time slices, and jobs can end earlier than planned, because a job
// may also run in the slices of other types.
func (s *Spec) AddFacts(f knob.Facts) knob.Facts {
	if s.Knob(innerKnob) != nil {
		f.Slices, f.EarlyEnds = true, true
	}
	return f
}

// selected returns the inner policy that the wrapper's knobs v select, and the knob values of this
// inner policy.
func (in Inner) selected(v Values) (*Spec, Values) {
	s := in[slices.IndexFunc(in, func(s *Spec) bool { return s.Name == v.Text(innerKnob) })]
	values, _ := s.InnerValues(v)
	return s, values
}

// InnerValues returns the values of the knobs of the inner policy s, taken from the knobs v of its
// wrapper. It also reports whether v selects s as the inner policy.
func (s *Spec) InnerValues(v Values) (Values, bool) {
	values := Values{}
	for _, k := range s.Knobs {
		value, ok := v[innerPrefix+k.Name]
		if !ok { // a knob that the wrapper declares itself
			value = v[k.Name]
		}
		values[k.Name] = value
	}
	return values, v.Text(innerKnob) == s.Name
}
