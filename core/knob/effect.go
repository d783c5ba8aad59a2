package knob

import (
	"slices"
	"strings"
)

// Need names a property that a scenario must have so that a knob can have an effect.
type Need string

const (
	Nothing   Need = ""
	Resources Need = "resources" // the machine has extra resources
	Moldable  Need = "moldable"  // at least one job is moldable
	Cores     Need = "cores"     // nodes have several cores
	Slices    Need = "slices"    // the policy decides within time slices of another policy
	EarlyEnds Need = "early"     // at least one job ends before its estimate
)

// Condition returns a phrase that says when the knob has an effect, such as "only with pick=bl". It
// returns "" if the knob always has an effect.
func (k *Knob) Condition() string {
	text := map[Need]string{Resources: "only with extra resources", Moldable: "only with moldable jobs",
		Cores: "only on nodes with several cores", Slices: "only inside scojo-pect", EarlyEnds: "only if jobs end before their estimates"}[k.Needs]
	if k.DependsOn == "" {
		return text
	}
	with := "only with " + k.DependsOn + "=" + strings.Join(k.DependsOnValues, " or ")
	if text == "" {
		return with
	}
	return with + ", " + text
}

// Facts says which properties a scenario and its policy have. It has a field for each Need, except
// Nothing.
type Facts struct{ Resources, Moldable, Cores, Slices, EarlyEnds bool }

// unmetNeed returns a phrase that says why need n is not met, or "" if it is.
func (f *Facts) unmetNeed(n Need) string {
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

// NoEffect returns a phrase that says why the knob has no effect on the schedule, or "" if it may
// have one. It takes all knobs of the same policy or model, and calls valueOf for the current value
// of a knob. If a knob that depends on k is not at its default, NoEffect ignores k.Needs, because k
// may then have an effect through that knob.
func (k *Knob) NoEffect(allKnobs []Knob, valueOf func(*Knob) string, f Facts) string {
	if c := k.unmetCondition(allKnobs, valueOf); c != nil {
		return c.conditionTitle(allKnobs)
	}
	for i := range allKnobs {
		if d := &allKnobs[i]; d.DependsOn == k.Name && valueOf(d) != d.Default {
			return ""
		}
	}
	return f.unmetNeed(k.Needs)
}

// DisabledBy reports whether k has no effect because of the current value of the knob otherName.
func (k *Knob) DisabledBy(otherName string, all []Knob, value func(*Knob) string) bool {
	c := k.unmetCondition(all, value)
	return c != nil && c.DependsOn == otherName
}

// unmetCondition returns the knob whose condition DependsOn is not met. This is k, or a knob on which k
// depends. It returns nil if all conditions are met.
func (k *Knob) unmetCondition(all []Knob, value func(*Knob) string) *Knob {
	with := find(all, k.DependsOn)
	if with == nil {
		return nil
	}
	if c := with.unmetCondition(all, value); c != nil {
		return c
	}
	if !slices.Contains(k.DependsOnValues, value(with)) {
		return k
	}
	return nil
}
