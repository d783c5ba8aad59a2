package registry

import (
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/moldable"
)

// Presets is every preset.
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

// inSlices returns Jin's backfilling inside of time slices.
func inSlices(name, title, goal string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Policy: "scojo-pect",
		Knobs: [][2]string{{"inner", "fair-slack"}, {"inner.goal", goal}, {"overhead", "0"}}}
}

// matched returns Zeng's matchmaking inside of time slices.
func matched(name, title, variant string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Policy: "scojo-pect",
		Knobs: [][2]string{{"inner", "glomarc-ts"}, {"inner.variant", variant}, {"overhead", "60"}}}
}

func preset(name, title, of, knob, value string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Policy: of, Knobs: [][2]string{{knob, value}}}
}

// PresetOf returns the preset that these knobs of a policy amount to, nil if there is
// none or all knobs have their defaults.
func PresetOf(spec *policy.Spec, value func(*policy.Knob) string) *policy.Preset {
	usual := true
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		usual = usual && value(k) == k.Default
	}
	for i := range Presets {
		if p := &Presets[i]; !usual && p.Policy == spec.Name && amounts(p.Set(), spec, value) {
			return p
		}
	}
	return nil
}

// amounts reports whether all knobs have the values that are set, or their
// defaults.
func amounts(set map[string]string, spec *policy.Spec, value func(*policy.Knob) string) bool {
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

// Expand returns the policy and the knobs that a name stands for: those of a
// preset, or the policy of that name with no knobs set. The error names the
// policies and the presets.
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
