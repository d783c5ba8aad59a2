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

// policyChoices holds the values of the flags -policy and -set. A -set applies to the policy of the last
// -policy before it.
type policyChoices struct {
	list    []scenario.Policy
	unnamed map[string]string // knobs set before any -policy
}

// addFlags adds the flags to f.
func (c *policyChoices) addFlags(f *pflag.FlagSet) {
	f.Var((*policyFlag)(c), "policy", "policy or preset to run (backfill policies lists them)")
	f.Var((*setFlag)(c), "set", "set a knob of the policy given before; repeatable")
}

// policyFlag is the repeatable flag -policy.
type policyFlag policyChoices

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

// setFlag is the repeatable flag -set of commands that run policies.
type setFlag policyChoices

func (s *setFlag) String() string { return "" }
func (s *setFlag) Type() string   { return "knob=value" }
func (s *setFlag) Set(text string) error {
	knob, value, ok := strings.Cut(text, "=")
	if !ok || knob == "" {
		return fmt.Errorf("expected knob=value, got %q", text)
	}
	if len(s.list) == 0 {
		s.unnamed = withKey(s.unnamed, knob, value)
		return nil
	}
	p := &s.list[len(s.list)-1]
	p.Knobs = withKey(p.Knobs, knob, value)
	spec, err := registry.Find(p.Name)
	if err == nil {
		_, err = spec.SettingsUnchecked(map[string]string{knob: value})
	}
	return err
}

// withKey sets a key of a map, which may be nil, and returns the map.
func withKey(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[key] = value
	return m
}

// policies returns the policies to run: the policies of the flags or, if there are none, the policies of
// the scenario. If the scenario has a policy with the same name, the knobs of that policy apply too.
func (c *policyChoices) policies(scenarioPolicies []scenario.Policy) ([]scenario.Policy, error) {
	if len(c.list) > 0 && len(c.unnamed) > 0 {
		return nil, usageErrorf("-set: expected the flag -policy before this flag, because -set changes a knob of that policy")
	}
	var out []scenario.Policy
	if len(c.list) == 0 {
		for _, p := range scenarioPolicies {
			p.Knobs = mergeKnobs(p.Knobs, c.unnamed)
			out = append(out, p)
		}
		return out, nil
	}
	for _, p := range c.list {
		if k := policyIndex(scenarioPolicies, p.Name); k >= 0 {
			p.Knobs = mergeKnobs(scenarioPolicies[k].Knobs, p.Knobs)
		}
		out = append(out, p)
	}
	return out, nil
}

// policyToRun returns the policies of the scenario after the flags were applied, and the index of the
// policy to run. If the flags change no policy, it returns the complete list of the scenario. The hash of
// the scenario is then the same as on the page.
func (c *policyChoices) policyToRun(scenarioPolicies []scenario.Policy) ([]scenario.Policy, int, error) {
	if len(c.list) > 1 {
		return nil, 0, usageErrorf("-policy: expected one policy, got %d (use backfill compare to run several)", len(c.list))
	}
	if len(c.list) == 1 && len(c.list[0].Knobs) == 0 && len(c.unnamed) == 0 {
		if k := policyIndex(scenarioPolicies, c.list[0].Name); k >= 0 {
			return scenarioPolicies, k, nil
		}
	}
	list, err := c.policies(scenarioPolicies)
	return list, 0, err
}

// policyIndex returns the index of the first policy with a name, or -1 if there is none.
func policyIndex(list []scenario.Policy, name string) int {
	return slices.IndexFunc(list, func(p scenario.Policy) bool { return p.Name == name })
}

// mergeKnobs returns the knobs of both maps. If both have a knob, the value in b takes precedence. It
// returns nil if both are empty.
func mergeKnobs(a, b map[string]string) map[string]string {
	if len(a)+len(b) == 0 {
		return nil
	}
	m := map[string]string{}
	maps.Copy(m, a)
	maps.Copy(m, b)
	return m
}
