package knob

import (
	"slices"
	"strings"
)

// Need names what a scenario must have for a knob to have an effect.
type Need string

const (
	Nothing   Need = ""
	Resources Need = "resources" // the machine has extra resources
	Moldable  Need = "moldable"  // some job is moldable
	Cores     Need = "cores"     // nodes have several cores
	Slices    Need = "slices"    // the policy schedules time slices for another policy
	EarlyEnds Need = "early"     // some job ends before its estimate
)

// Condition describes where the knob has an effect, such as "only with pick=bl". It is empty if
// that is anywhere.
func (k *Knob) Condition() string {
	text := map[Need]string{Resources: "only with extra resources", Moldable: "only with moldable jobs",
		Cores: "only on nodes with several cores", Slices: "only inside scojo-pect", EarlyEnds: "only if jobs end before their estimates"}[k.Needs]
	if k.With == "" {
		return text
	}
	with := "only with " + k.With + "=" + strings.Join(k.Values, " or ")
	if text == "" {
		return with
	}
	return with + ", " + text
}

// Facts holds the needs that a scenario and its policy meet.
type Facts struct{ Resources, Moldable, Cores, Slices, EarlyEnds bool }

// lacking returns what the scenario lacks for the need, "" if nothing.
func (f *Facts) lacking(n Need) string {
	switch {
	case n == Resources && !f.Resources:
		return "the machine has no extra resources"
	case n == Moldable && !f.Moldable:
		return "no job is moldable"
	case n == Cores && !f.Cores:
		return "nodes have one core"
	case n == Slices && !f.Slices:
		return "only inside scojo-pect"
	case n == EarlyEnds && !f.EarlyEnds:
		return "no job ends before its estimate"
	}
	return ""
}

// NoEffect returns why the knob has no effect on the schedule, "" if it may have one. All are the
// knobs of its owner, and value returns their values. A knob that needs something of the
// scenario has an effect in any case if a knob that depends on it differs from its default.
func (k *Knob) NoEffect(all []Knob, value func(*Knob) string, f Facts) string {
	if c := k.unmet(all, value); c != nil {
		return "only with " + c.With + "=" + strings.Join(c.Values, " or ")
	}
	for i := range all {
		if d := &all[i]; d.With == k.Name && value(d) != d.Default {
			return ""
		}
	}
	return f.lacking(k.Needs)
}

// Depends reports whether the knob can have no effect with the value of the knob named other.
func (k *Knob) Depends(other string, all []Knob, value func(*Knob) string) bool {
	c := k.unmet(all, value)
	return c != nil && c.With == other
}

// unmet returns the knob whose condition With is not met: the knob itself or, if its condition
// is met, one that it depends on. It returns nil if all conditions are met.
func (k *Knob) unmet(all []Knob, value func(*Knob) string) *Knob {
	with := find(all, k.With)
	if with == nil {
		return nil
	}
	if c := with.unmet(all, value); c != nil {
		return c
	}
	if !slices.Contains(k.Values, value(with)) {
		return k
	}
	return nil
}
