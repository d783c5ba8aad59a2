// Package registry lists all policies and presets and finds them by name. A new policy must be
// added to All. The command, the page and the documentation read the list.
package registry

import (
	"fmt"
	"strings"

	"backfill-lab/core/decision"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/compression"
	"backfill-lab/core/policy/conservative"
	"backfill-lab/core/policy/easy"
	"backfill-lab/core/policy/fairslack"
	"backfill-lab/core/policy/fcfs"
	"backfill-lab/core/policy/firstfit"
	"backfill-lab/core/policy/glomarc"
	"backfill-lab/core/policy/moldable"
	"backfill-lab/core/policy/scojo"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/sim"
)

// All lists every built-in policy, the simplest first. The page and the documentation keep this
// order.
var All = []*policy.Spec{
	&fcfs.Spec,
	&firstfit.Spec,
	&easy.Spec,
	&conservative.Spec,
	&compression.PCSpec,
	&compression.DCSpec,
	&moldable.Spec,
	&fairslack.Spec,
	&glomarc.Spec,
	scojo.Spec(policy.Inner{&conservative.Spec, &easy.Spec, &fcfs.Spec, &fairslack.Spec, &glomarc.Spec}),
}

// Find returns the policy with the given name, which is one of All or script.Spec. The error for an
// unknown name lists all names.
func Find(name string) (*policy.Spec, error) {
	for _, s := range All {
		if s.Name == name {
			return s, nil
		}
	}
	if name == script.Name {
		return &script.Spec, nil
	}
	return nil, unknownNameError(name, nil)
}

// ProgramPrefix is the prefix of the names of policies that external programs implement, as in
// "exec:python3 mine.py". The registry does not contain such policies. The command handles these
// names itself, so that only its command line can name a program.
const ProgramPrefix = "exec:"

// unknownNameError returns the error for a name that belongs neither to a policy nor to one of the
// presets.
func unknownNameError(name string, presets []policy.Preset) error {
	if strings.HasPrefix(name, ProgramPrefix) {
		return fmt.Errorf("policy: expected the name of a policy, got the program %.100q: only the flag -policy of a command that runs policies can name a program", name)
	}
	if strings.HasPrefix(name, script.Name+":") {
		return fmt.Errorf("policy: expected the name of a policy, got the file %.100q: only the flag -policy of a command that runs policies can name the file of a script; a scenario holds the script itself, as the knob %s of the policy %s", name, script.SourceKnob, script.Name)
	}
	var names []string
	for _, s := range All {
		names = append(names, s.Name)
	}
	names = append(names, script.Name)
	for _, p := range presets {
		names = append(names, p.Name)
	}
	return fmt.Errorf("policy: expected one of %s, got %.100q", strings.Join(names, ", "), name)
}

// New returns a new instance of the policy with the given name and knobs. Other knobs have their
// defaults.
func New(name string, knobs map[string]string) (sim.Policy, error) {
	s, err := Find(name)
	if err != nil {
		return nil, err
	}
	v, err := s.Settings(knobs)
	if err != nil {
		return nil, err
	}
	return s.New(v), nil
}

// DecisionReader returns a function that reads from a log how the named policy, or its inner policy,
// selected sets of jobs. It returns nil if neither selects sets, or if the knobs are invalid.
func DecisionReader(name string, knobs map[string]string) decision.Reader {
	if r := SlackRules(name, knobs); r != nil {
		return func(l *log.Log, place int) decision.Description { return decision.Read(l, place, r) }
	}
	if v := findValues(&glomarc.Spec, name, knobs); v != nil {
		limits := glomarc.Limits(v)
		return func(l *log.Log, place int) decision.Description { return decision.ReadFormation(l, place, &limits) }
	}
	return nil
}

// SlackRules returns the rules by which fair-slack selects sets, if the policy or its inner policy
// is fair-slack. It returns nil for other policies and for invalid knobs.
func SlackRules(name string, knobs map[string]string) *decision.Rules {
	v := findValues(&fairslack.Spec, name, knobs)
	if v == nil {
		return nil
	}
	r := &decision.Rules{Slack: fairslack.Slack(v)}
	r.Goals[decision.Fairness], r.Goals[decision.Utilization] = fairslack.Ranges(v, false), fairslack.Ranges(v, true)
	return r
}

// findValues returns the knob values of the wanted policy. The policy with the given name must be
// the wanted policy, or have it as its inner policy. Otherwise, or if the knobs are invalid,
// findValues returns nil.
func findValues(wanted *policy.Spec, name string, knobs map[string]string) policy.Values {
	spec, err := Find(name)
	if err != nil {
		return nil
	}
	v, err := spec.Settings(knobs)
	if err != nil {
		return nil
	}
	if spec != wanted {
		if inner, inside := wanted.InnerValues(v); inside {
			return inner
		}
		return nil
	}
	return v
}
