package registry

import (
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/moldable"
)

// Presets lists every preset.
var Presets = append([]policy.Preset{
	preset("leinberger-ff-easy", "FCFS/FF-EASY", "easy", "pick", "first"),
	preset("leinberger-bl-easy", "FCFS/BL-EASY", "easy", "pick", "bl"),
	preset("leinberger-bb-easy", "FCFS/BB-EASY", "easy", "pick", "bb"),
	preset("leinberger-ff-cons", "FCFS/FF-CONS", "conservative", "compress", "start"),
	inSlices("jin-g1", "Jin G1", "fairness"),
	inSlices("jin-g2", "Jin G2", "utilization"),
	matched("zeng-glts", "G-LOMARC-TS", "glts"),
	matched("zeng-ssp", "SSP", "ssp"),
	matched("zeng-cst", "CST", "cst"),
	matched("zeng-cstws", "CSTWS", "cstws"),
	matched("zeng-fbo", "FBO", "fbo"),
	matched("zeng-ns", "NS", "ns"),
	matched("zeng-nh", "NH", "nh"),
}, moldable.Presets...)

// inSlices returns a preset with Jin's policy fair-slack inside time slices.
func inSlices(name, title, goal string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Policy: "scojo-pect",
		Knobs: [][2]string{{"inner", "fair-slack"}, {"inner.goal", goal}, {"overhead", "0"}}}
}

// matched returns a preset with Zeng's policy glomarc-ts inside time slices.
func matched(name, title, variant string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Policy: "scojo-pect",
		Knobs: [][2]string{{"inner", "glomarc-ts"}, {"inner.variant", variant}, {"overhead", "60"}}}
}

// preset returns a preset that sets one knob.
func preset(name, title, policyName, knob, value string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Policy: policyName, Knobs: [][2]string{{knob, value}}}
}

// PresetOf returns the preset whose knob values equal those that value returns. It returns nil
// if there is none, or if all knobs have their defaults.
func PresetOf(spec *policy.Spec, value func(*policy.Knob) string) *policy.Preset {
	if equal(nil, spec, value) {
		return nil
	}
	for i := range Presets {
		if p := &Presets[i]; p.Policy == spec.Name && equal(p.Set(), spec, value) {
			return p
		}
	}
	return nil
}

// equal reports whether all knobs have the values in set, and their defaults if not in set.
func equal(set map[string]string, spec *policy.Spec, value func(*policy.Knob) string) bool {
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		want, ok := set[k.Name]
		if !ok {
			want = k.Default
		}
		if value(k) != want {
			return false
		}
	}
	return true
}

// Expand returns the policy and the knobs of the preset with the given name. If name is a policy,
// it returns that policy and no knobs. The error lists all policies and presets.
func Expand(name string) (policy string, knobs map[string]string, err error) {
	for _, p := range Presets {
		if p.Name == name {
			return p.Policy, p.Set(), nil
		}
	}
	if _, err := Find(name); err != nil {
		return "", nil, unknown(name, Presets)
	}
	return name, nil, nil
}
