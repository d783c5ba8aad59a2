package registry

import (
	"backfill-lab/core/decision"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/fairslack"
	"backfill-lab/core/policy/glomarc"
)

// Decisions reads from its log how a policy chose sets of jobs, by itself or inside
// of another. It is nil for a policy that chooses none, and for knobs with a fault.
func Decisions(name string, knobs map[string]string) decision.Reader {
	if r := SlackRules(name, knobs); r != nil {
		return func(l *log.Log, place int) decision.Account { return decision.Read(l, place, r) }
	}
	if v := within(&glomarc.Spec, name, knobs); v != nil {
		limits := glomarc.Limits(v)
		return func(l *log.Log, place int) decision.Account { return decision.ReadFormation(l, place, &limits) }
	}
	return nil
}

// SlackRules returns the knobs by which fair-slack, by itself or inside of another
// policy, chooses sets; nil for other policies, and for knobs with a fault.
func SlackRules(name string, knobs map[string]string) *decision.Rules {
	v := within(&fairslack.Spec, name, knobs)
	if v == nil {
		return nil
	}
	r := &decision.Rules{Slack: fairslack.Slack(v)}
	r.Goals[decision.Fairness], r.Goals[decision.Utilization] = fairslack.Ranges(v, false), fairslack.Ranges(v, true)
	return r
}

// within returns the values of a policy's knobs where it is the policy of that name or
// inside of it, nil if it is not.
func within(wanted *policy.Spec, name string, knobs map[string]string) policy.Values {
	spec, err := Find(name)
	if err != nil {
		return nil
	}
	v, err := spec.Settings(knobs)
	if err != nil {
		return nil
	}
	if spec != wanted {
		if inner, inside := wanted.Within(v); inside {
			return inner
		}
		return nil
	}
	return v
}
