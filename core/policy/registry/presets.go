package registry

import (
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/moldable"
)

const (
	leinberger = "Leinberger et al. 1999"
	jin        = "Jin 2009"
	zeng       = "Zeng 2009"
	tsafrir    = "Tsafrir, Etsion and Feitelson 2007"
	lelong     = "Lelong, Reis and Trystram 2017"
)

// Presets lists every preset. The presets of a paper are next to each other.
var Presets = append([]policy.Preset{
	knobPreset("leinberger-ff-easy", "EASY, picks the first job that fits", "FCFS/FF-EASY", leinberger, "easy", "pick", "first"),
	knobPreset("leinberger-bl-easy", "EASY, picks a job that mostly needs the least used resource", "FCFS/BL-EASY", leinberger, "easy", "pick", "bl"),
	knobPreset("leinberger-bb-easy", "EASY, picks the job that best balances resources", "FCFS/BB-EASY", leinberger, "easy", "pick", "bb"),
	knobPreset("leinberger-ff-cons", "Conservative backfilling in the order of planned starts", "FCFS/FF-CONS", leinberger, "conservative", "compress", "start"),
	knobPreset("easy-sjbf", "EASY, backfills the shortest job first", "EASY-SJBF", tsafrir, "easy", "backfill-order", "sjf"),
	knobPreset("easy-spf", "EASY, queue sorted by shortest estimate", "EASY-SPF", lelong, "easy", "order", "sjf"),
	jinPreset("jin-g1", "Time slices with fair slack, for fairness", "G1", "fairness"),
	jinPreset("jin-g2", "Time slices with fair slack, for utilization", "G2", "utilization"),
	zengPreset("zeng-glts", "Time slices with groups of jobs on shared nodes", "G-LOMARC-TS", "glts"),
	zengPreset("zeng-ssp", "Time slices without groups: each job has its own nodes", "SSP", "ssp"),
	zengPreset("zeng-cst", "Time slices, starts the best pair of jobs on shared nodes", "CST", "cst"),
	zengPreset("zeng-cstws", "Time slices, starts the first acceptable pair of jobs on shared nodes", "CSTWS", "cstws"),
	zengPreset("zeng-fbo", "Time slices with groups formed only from the first block of candidates", "FBO", "fbo"),
	zengPreset("zeng-ns", "Time slices with groups formed from unsorted blocks of candidates", "NS", "ns"),
	zengPreset("zeng-nh", "Time slices, starts the first acceptable group, without blocks of candidates", "NH", "nh"),
}, moldable.Presets...)

// jinPreset returns a preset with Jin's policy fair-slack inside time slices.
func jinPreset(name, title, short, goal string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Short: short, Paper: jin, Policy: "scojo-pect",
		Knobs: [][2]string{{"inner", "fair-slack"}, {"inner.goal", goal}, {"overhead", "0"}}}
}

// zengPreset returns a preset with Zeng's policy glomarc-ts inside time slices.
func zengPreset(name, title, short, variant string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Short: short, Paper: zeng, Policy: "scojo-pect",
		Knobs: [][2]string{{"inner", "glomarc-ts"}, {"inner.variant", variant}, {"overhead", "60"}}}
}

// knobPreset returns a preset that sets one knob.
func knobPreset(name, title, short, paper, policyName, knob, value string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Short: short, Paper: paper, Policy: policyName, Knobs: [][2]string{{knob, value}}}
}

// PresetOf returns the preset that sets the knobs of a policy to their current values. It calls
// valueOf for the current value of a knob. PresetOf returns nil if there is no such preset, or if
// all knobs have their defaults.
func PresetOf(spec *policy.Spec, valueOf func(*policy.Knob) string) *policy.Preset {
	if knobsEqual(nil, spec, valueOf) {
		return nil
	}
	for i := range Presets {
		if p := &Presets[i]; p.Policy == spec.Name && knobsEqual(p.KnobValues(), spec, valueOf) {
			return p
		}
	}
	return nil
}

// knobsEqual reports whether each knob of a policy has the wanted value or, if no value is wanted,
// its default. It calls valueOf for the current value of a knob.
func knobsEqual(want map[string]string, spec *policy.Spec, valueOf func(*policy.Knob) string) bool {
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		wanted, ok := want[k.Name]
		if !ok {
			wanted = k.Default
		}
		if valueOf(k) != wanted {
			return false
		}
	}
	return true
}

// Resolve returns the policy and the knobs of the preset with the given name. If a policy has this
// name, Resolve returns that policy and no knobs. The error for an unknown name lists all policies
// and presets.
func Resolve(name string) (policy string, knobs map[string]string, err error) {
	for _, p := range Presets {
		if p.Name == name {
			return p.Policy, p.KnobValues(), nil
		}
	}
	if _, err := Find(name); err != nil {
		return "", nil, unknownNameError(name, Presets)
	}
	return name, nil, nil
}
