package policy

import (
	"slices"
	"strings"

	"backfill-lab/core/sim"
)

// Inner is the policies that a policy can be wrapped around. The wrapper has
// the knob "inner", and each knob of an inner policy as "inner.NAME".
type Inner []*Spec

const (
	innerKnob   = "inner"
	innerPrefix = innerKnob + "."
)

// Knobs is the knobs by which a wrapper offers its inner policies; the first
// policy is the default. A knob that several have in common is there once.
func (in Inner) Knobs() []Knob {
	out := []Knob{{Name: innerKnob, Kind: Choice, Default: in[0].Name, Help: "policy that schedules the jobs of each type"}}
	for _, s := range in {
		out[0].Choices = append(out[0].Choices, s.Name)
		for _, k := range s.Knobs {
			k.Name = innerPrefix + k.Name
			help := s.Name + ": " + k.Help
			if i := slices.IndexFunc(out, func(o Knob) bool { return o.Name == k.Name }); i >= 0 {
				out[i].Of = append(out[i].Of, s.Name)
				if !strings.Contains(out[i].Help, k.Help) {
					out[i].Help += "; " + help
				}
				continue
			}
			k.Help, k.With, k.Of = help, innerKnob, []string{s.Name}
			out = append(out, k)
		}
	}
	return out
}

// New returns how to make the inner policy that the knobs of the wrapper name.
func (in Inner) New(v Values) func() sim.Policy {
	i := slices.IndexFunc(in, func(s *Spec) bool { return s.Name == v.Text(innerKnob) })
	own, _ := in[i].Within(v)
	return func() sim.Policy { return in[i].New(own) }
}

// Within is the knobs of a policy inside of a wrapper, out of those of the
// wrapper; false where it is not inside.
func (s *Spec) Within(v Values) (Values, bool) {
	own := Values{}
	for _, k := range s.Knobs {
		own[k.Name] = v[innerPrefix+k.Name]
	}
	return own, v.Text(innerKnob) == s.Name
}
