package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"backfill-lab/core/cmd/backfill/internal/program"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/scenario"
)

// policyChoices holds the values of the flags -policy and -set. Each -set changes a knob of the
// policy that the preceding -policy names.
type policyChoices struct {
	list        []scenario.Policy // policies in the order of the flags, with their knobs
	knobsForAll map[string]string // knobs from -set before any -policy; if there is no -policy, all policies get them

	programs *program.Set // running programs that act as policies
}

// addFlags adds the flags to f. The caller must close the given set of programs.
func (c *policyChoices) addFlags(f *pflag.FlagSet, programs *program.Set) {
	c.programs = programs
	f.Var((*policyFlag)(c), "policy", "policy or preset to run (backfill policies lists them), 'script:FILE' for a script in Starlark (see docs/scripts.md), or 'exec:COMMAND' for a program of your own (see docs/exec.md)")
	f.Var((*setFlag)(c), "set", "set a knob of the policy that the previous -policy names; repeatable")
	programs.TimeLimit = program.DefaultTimeLimit
	f.Var((*limitTime)(&programs.TimeLimit), "exec-timeout", "time limit `TIME` for each answer of an 'exec:COMMAND' program, such as 90 (seconds), 500ms or 1h 30m")
}

// validate returns a usage error if the time limit of programs is invalid.
func (c *policyChoices) validate() error {
	if c.programs != nil && c.programs.TimeLimit <= 0 {
		return usageErrorf("-exec-timeout: expected a time above 0, got %s", c.programs.TimeLimit)
	}
	return nil
}

// policyFlag implements the flag -policy, which can be repeated.
type policyFlag policyChoices

func (p *policyFlag) String() string { return "" }
func (p *policyFlag) Type() string   { return "NAME" }
func (p *policyFlag) Set(name string) error {
	if command, ok := strings.CutPrefix(name, registry.ProgramPrefix); ok {
		if strings.TrimSpace(command) == "" {
			return fmt.Errorf("expected a command after %s, as in 'exec:python3 easy.py', got nothing", name)
		}
		p.list = append(p.list, scenario.Policy{Name: name, Program: p.programs.Spec(command)})
		return nil
	}
	if file, ok := strings.CutPrefix(name, scriptPrefix); ok {
		source, err := readScript(file)
		if err != nil {
			return err
		}
		title := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		p.list = append(p.list, scenario.Policy{Name: script.Name, Title: title, Knobs: map[string]string{script.SourceKnob: source}})
		return nil
	}
	policy, knobs, err := registry.Resolve(name)
	if err != nil {
		return err
	}
	p.list = append(p.list, scenario.Policy{Name: policy, Knobs: knobs})
	return nil
}

// scriptPrefix begins the name of a policy that is a script in a file, as in "script:mine.star".
const scriptPrefix = script.Name + ":"

// readScript returns the text of the script in a file, or an error if the script is invalid.
func readScript(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if _, err := interp.New(string(data), ""); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return string(data), nil
}

// setFlag implements the flag -set of commands that run policies. It can be repeated.
type setFlag policyChoices

func (s *setFlag) String() string { return "" }
func (s *setFlag) Type() string   { return "knob=value" }
func (s *setFlag) Set(text string) error {
	knob, value, ok := strings.Cut(text, "=")
	if !ok || knob == "" {
		return fmt.Errorf("expected knob=value, got %q", text)
	}
	if len(s.list) == 0 {
		s.knobsForAll = withEntry(s.knobsForAll, knob, value)
		return nil
	}
	p := &s.list[len(s.list)-1]
	if p.Program != nil {
		return fmt.Errorf("expected a policy with knobs before this flag, got %s; write the arguments of a program in its command", p.Name)
	}
	if p.Name == script.Name && script.Spec.Knob(knob) == nil { // this knob is declared in the script itself
		p.Knobs = withEntry(p.Knobs, script.SetKnob, strings.TrimSpace(p.Knobs[script.SetKnob]+" "+text))
		_, err := script.Spec.Settings(p.Knobs)
		return err
	}
	p.Knobs = withEntry(p.Knobs, knob, value)
	spec, err := registry.Find(p.Name)
	if err == nil {
		_, err = spec.SettingsUnchecked(map[string]string{knob: value})
	}
	return err
}

// withEntry sets a key of map m to a value and returns the map. If m is nil, it returns a new map.
func withEntry(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[key] = value
	return m
}

// policies returns the policies to run. These are the policies that flags name or, if no flag names
// a policy, the policies of the scenario. A policy that a flag names also gets the knobs that it
// has in the scenario, unless -set changes them. A -set before the first -policy is a usage error.
func (c *policyChoices) policies(scenarioPolicies []scenario.Policy) ([]scenario.Policy, error) {
	if len(c.list) > 0 && len(c.knobsForAll) > 0 {
		return nil, usageErrorf("-set: expected the flag -policy before this flag, because -set changes a knob of that policy")
	}
	var out []scenario.Policy
	if len(c.list) == 0 {
		for _, p := range scenarioPolicies {
			p.Knobs = mergeKnobs(p.Knobs, c.knobsForAll)
			out = append(out, p)
		}
		return out, nil
	}
	for _, p := range c.list {
		if k := policyIndex(scenarioPolicies, &p); k >= 0 {
			p.Knobs = mergeKnobs(scenarioPolicies[k].Knobs, p.Knobs)
		}
		out = append(out, p)
	}
	return out, nil
}

// policyToRun returns the list of policies after applying the flags, and the index of the policy to
// run. If the flags only select a policy, the list still contains all policies of the scenario. The
// scenario then has the same hash as on the page.
func (c *policyChoices) policyToRun(scenarioPolicies []scenario.Policy) ([]scenario.Policy, int, error) {
	if len(c.list) > 1 {
		return nil, 0, usageErrorf("-policy: expected one policy, got %d (use backfill compare to run several)", len(c.list))
	}
	if len(c.list) == 1 && len(c.list[0].Knobs) == 0 && len(c.knobsForAll) == 0 {
		if k := policyIndex(scenarioPolicies, &c.list[0]); k >= 0 {
			return scenarioPolicies, k, nil
		}
	}
	list, err := c.policies(scenarioPolicies)
	return list, 0, err
}

// checkStorable returns a usage error if a policy is a program. The given flag writes a scenario,
// which cannot contain programs.
func (c *policyChoices) checkStorable(flag string) error {
	for _, p := range c.list {
		if p.Program != nil {
			return usageErrorf("-%s: expected a policy that a scenario can store, got the program %s", flag, p.Name)
		}
	}
	return nil
}

// policyIndex returns the index of the first policy in list with the same name as p, or -1 if there
// is none. It also returns -1 if p is a program, because scenarios cannot contain programs.
func policyIndex(list []scenario.Policy, p *scenario.Policy) int {
	if p.Program != nil {
		return -1
	}
	return slices.IndexFunc(list, func(q scenario.Policy) bool { return q.Name == p.Name })
}

// mergeKnobs returns the knobs in a and in b. If a knob is in both, the value in b wins. It returns
// nil if both are empty.
func mergeKnobs(a, b map[string]string) map[string]string {
	if len(a)+len(b) == 0 {
		return nil
	}
	m := map[string]string{}
	maps.Copy(m, a)
	maps.Copy(m, b)
	return m
}
