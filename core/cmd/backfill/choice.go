package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
)

// choices is the policies that the flags -policy and -set name: a -set belongs
// to the -policy before it.
type choices struct {
	list  []scenario.Policy
	loose map[string]string // set before any policy was named
}

func (c *choices) flags(f *pflag.FlagSet) {
	f.Var((*policyFlag)(c), "policy", "the policy or preset to run; backfill policies lists them")
	f.Var((*setFlag)(c), "set", "a knob of the policy before it; repeatable")
}

type policyFlag choices

func (p *policyFlag) String() string { return "" }
func (p *policyFlag) Type() string   { return "NAME" }
func (p *policyFlag) Set(name string) error {
	policy, knobs, err := registry.Expand(name)
	if err != nil {
		return err
	}
	p.list = append(p.list, scenario.Policy{Name: policy, Knobs: knobs})
	return nil
}

type setFlag choices

func (s *setFlag) String() string { return "" }
func (s *setFlag) Type() string   { return "knob=value" }
func (s *setFlag) Set(text string) error {
	knob, value, ok := strings.Cut(text, "=")
	if !ok || knob == "" {
		return fmt.Errorf("expected knob=value, got %q", text)
	}
	if len(s.list) == 0 {
		s.loose = with(s.loose, knob, value)
		return nil
	}
	p := &s.list[len(s.list)-1]
	p.Knobs = with(p.Knobs, knob, value)
	spec, err := registry.Find(p.Name)
	if err == nil {
		_, err = spec.Single(map[string]string{knob: value})
	}
	return err
}

func with(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[key] = value
	return m
}

// of returns the policies to run: those named, with the knobs that the
// scenario gives a policy of that name, or else those of the scenario.
func (c *choices) of(have []scenario.Policy) ([]scenario.Policy, error) {
	if len(c.list) > 0 && len(c.loose) > 0 {
		return nil, misuse("-set: expected behind the -policy that it belongs to")
	}
	var out []scenario.Policy
	if len(c.list) == 0 {
		for _, p := range have {
			p.Knobs = merged(p.Knobs, c.loose)
			out = append(out, p)
		}
		return out, nil
	}
	for _, p := range c.list {
		if k := named(have, p.Name); k >= 0 {
			p.Knobs = merged(have[k].Knobs, p.Knobs)
		}
		out = append(out, p)
	}
	return out, nil
}

// one returns the policies of a scenario and the one of them to run. As long
// as the flags change nothing the list stays whole: the scenario, and so its
// hash, is then the one of the page.
func (c *choices) one(have []scenario.Policy) ([]scenario.Policy, int, error) {
	if len(c.list) > 1 {
		return nil, 0, misuse("-policy: expected one policy, got %d (backfill compare runs several)", len(c.list))
	}
	if len(c.list) == 1 && len(c.list[0].Knobs) == 0 && len(c.loose) == 0 {
		if k := named(have, c.list[0].Name); k >= 0 {
			return have, k, nil
		}
	}
	list, err := c.of(have)
	return list, 0, err
}

func named(list []scenario.Policy, name string) int {
	return slices.IndexFunc(list, func(p scenario.Policy) bool { return p.Name == name })
}

func merged(a, b map[string]string) map[string]string {
	if len(a)+len(b) == 0 {
		return nil
	}
	m := map[string]string{}
	maps.Copy(m, a)
	maps.Copy(m, b)
	return m
}
