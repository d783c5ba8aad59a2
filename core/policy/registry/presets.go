package registry

import "maps"

// Preset is a policy with knobs as a paper has them, under the paper's name.
type Preset struct {
	Name   string // kebab-case
	Title  string // as the paper calls it
	Policy string
	Knobs  map[string]string
}

// Presets is every preset.
var Presets = []Preset{
	{"leinberger-ff-easy", "FCFS/FF-EASY", "easy", map[string]string{"pick": "first"}},
	{"leinberger-bl-easy", "FCFS/BL-EASY", "easy", map[string]string{"pick": "bl"}},
	{"leinberger-bb-easy", "FCFS/BB-EASY", "easy", map[string]string{"pick": "bb"}},
	{"leinberger-ff-cons", "FCFS/FF-CONS", "conservative", map[string]string{"compress": "replan"}},
}

// Expand returns the policy and the knobs that a name stands for: those of a
// preset, or the policy of that name with no knobs set. The error names the
// policies and the presets.
func Expand(name string) (policy string, knobs map[string]string, err error) {
	for _, p := range Presets {
		if p.Name == name {
			return p.Policy, maps.Clone(p.Knobs), nil
		}
	}
	if _, err := Find(name); err != nil {
		return "", nil, unknown(name, Presets)
	}
	return name, nil, nil
}
