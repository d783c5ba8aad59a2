package policy

import (
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/sim"
)

// Inner lists the policies that a wrapper policy can wrap. The wrapper offers the knob
// "inner", and each knob of an inner policy as "inner.NAME". A knob that the wrapper
// declares itself appears once, without the prefix, and applies to both.
type Inner []*Spec

const (
	innerKnob   = "inner"
	innerPrefix = innerKnob + "."
)

// Knobs returns all knobs of a wrapper: "inner", the knobs of the inner policies, and the
// wrapper's own knobs. The first inner policy is the default. A knob that several inner
// policies share appears once.
func (in Inner) Knobs(own []Knob) []Knob {
	out := []Knob{{Name: innerKnob, Kind: Choice, Default: in[0].Name, Help: "policy that schedules the jobs of each type"}}
	for _, s := range in {
		out[0].Choices = append(out[0].Choices, s.Name)
		for _, k := range s.Knobs {
			if !slices.ContainsFunc(own, named(k.Name)) {
				out = s.offer(out, k)
			}
		}
	}
	return append(out, own...)
}

// offer appends knob k of the inner policy s to out, with the prefix "inner.". If another
// inner policy already offers a knob of that name, offer adds s to that knob.
func (s *Spec) offer(out []Knob, k Knob) []Knob {
	k.Name = innerPrefix + k.Name
	help := s.Name + ": " + k.Help
	if i := slices.IndexFunc(out, named(k.Name)); i >= 0 {
		if with := slices.IndexFunc(out, named(out[i].With)); out[i].With != innerKnob { // a condition of one policy only
			out[i].With, out[i].Values = innerKnob, slices.Clone(out[with].Values)
		}
		out[i].Values = append(out[i].Values, s.Name)
		if !strings.Contains(out[i].Help, k.Help) {
			out[i].Help += "; " + help
		}
		return out
	}
	k.Help = help
	if k.Needs == NeedsSlices { // the wrapper has them
		k.Needs = knob.Nothing
	}
	if k.With = innerPrefix + k.With; !slices.ContainsFunc(out, named(k.With)) {
		k.With, k.Values = innerKnob, []string{s.Name}
	}
	return append(out, k)
}

func named(name string) func(Knob) bool {
	return func(k Knob) bool { return k.Name == name }
}

// New returns a function that makes the selected inner policy with its knobs.
func (in Inner) New(v Values) func() sim.Policy {
	s, own := in.selected(v)
	return func() sim.Policy { return s.New(own) }
}

// Refuses returns the first job that the selected inner policy could never start, or nil.
func (in Inner) Refuses(v Values, m *cluster.Machine, jobs []job.Job) *job.Invalid {
	if s, own := in.selected(v); s.NeverStarts != nil {
		return s.NeverStarts(own, m, jobs)
	}
	return nil
}

// Facts returns the facts for the knobs of the policy. In time slices, a job of another type can
// end before it is expected to.
func (s *Spec) Facts(f knob.Facts) knob.Facts {
	if s.Knob(innerKnob) != nil {
		f.Slices, f.EarlyEnds = true, true
	}
	return f
}

// selected returns the inner policy that the wrapper's knobs name, and its knobs.
func (in Inner) selected(v Values) (*Spec, Values) {
	s := in[slices.IndexFunc(in, func(s *Spec) bool { return s.Name == v.Text(innerKnob) })]
	own, _ := s.InnerValues(v)
	return s, own
}

// InnerValues extracts the knobs of the inner policy s from the knobs v of its wrapper. It
// reports whether v selects s as the inner policy.
func (s *Spec) InnerValues(v Values) (Values, bool) {
	own := Values{}
	for _, k := range s.Knobs {
		value, offered := v[innerPrefix+k.Name]
		if !offered { // a knob that the wrapper declares itself
			value = v[k.Name]
		}
		own[k.Name] = value
	}
	return own, v.Text(innerKnob) == s.Name
}
