package policy

import (
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/sim"
)

// Inner is the policies that a policy can be wrapped around. The wrapper has
// the knob "inner", and each knob of an inner policy as "inner.NAME"; but one that
// the wrapper has itself is there once, for both.
type Inner []*Spec

const (
	innerKnob   = "inner"
	innerPrefix = innerKnob + "."
)

// Knobs returns the knobs of a wrapper: those by which it offers its inner policies, of
// which the first is the default, and its own. A knob that several have in common
// is there once.
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

// offer adds a knob of s, inside of a wrapper, to those there already.
func (s *Spec) offer(out []Knob, k Knob) []Knob {
	k.Name = innerPrefix + k.Name
	help := s.Name + ": " + k.Help
	if i := slices.IndexFunc(out, named(k.Name)); i >= 0 {
		out[i].Of = append(out[i].Of, s.Name)
		if !strings.Contains(out[i].Help, k.Help) {
			out[i].Help += "; " + help
		}
		return out
	}
	k.Help, k.With, k.Of = help, innerKnob, []string{s.Name}
	return append(out, k)
}

func named(name string) func(Knob) bool {
	return func(k Knob) bool { return k.Name == name }
}

// New returns how to make the inner policy that the knobs of the wrapper name.
func (in Inner) New(v Values) func() sim.Policy {
	s, own := in.chosen(v)
	return func() sim.Policy { return s.New(own) }
}

// Refuses asks the inner policy for a job that could never start.
func (in Inner) Refuses(v Values, m *cluster.Machine, jobs []job.Job) *job.Invalid {
	if s, own := in.chosen(v); s.Refuses != nil {
		return s.Refuses(own, m, jobs)
	}
	return nil
}

// chosen returns the inner policy that the knobs of the wrapper name, and its knobs.
func (in Inner) chosen(v Values) (*Spec, Values) {
	s := in[slices.IndexFunc(in, func(s *Spec) bool { return s.Name == v.Text(innerKnob) })]
	own, _ := s.Within(v)
	return s, own
}

// Within returns the knobs of a policy inside of a wrapper, out of those of the
// wrapper; false where it is not inside.
func (s *Spec) Within(v Values) (Values, bool) {
	own := Values{}
	for _, k := range s.Knobs {
		value, offered := v[innerPrefix+k.Name]
		if !offered { // the wrapper has it itself
			value = v[k.Name]
		}
		own[k.Name] = value
	}
	return own, v.Text(innerKnob) == s.Name
}
