package registry

import (
	"backfill-lab/core/decision"
	"backfill-lab/core/policy/fairslack"
)

// Decisions is the knobs by which a policy chooses sets of jobs to backfill with,
// by itself or inside of another: readers of its log need them. It is nil for a
// policy that chooses none, and for knobs with a fault.
func Decisions(name string, knobs map[string]string) *decision.Rules {
	spec, err := Find(name)
	if err != nil {
		return nil
	}
	v, err := spec.Settings(knobs)
	if err != nil {
		return nil
	}
	if spec != &fairslack.Spec {
		inside := false
		if v, inside = fairslack.Spec.Within(v); !inside {
			return nil
		}
	}
	r := &decision.Rules{Slack: fairslack.Slack(v)}
	r.Goals[decision.Fairness], r.Goals[decision.Utilization] = fairslack.Ranges(v, false), fairslack.Ranges(v, true)
	return r
}
