package registry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
)

// TestPresets checks that every preset has a unique name and valid knobs. It also checks the results of
// Resolve and PresetOf.
func TestPresets(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range registry.All {
		seen[s.Name] = true
	}
	for _, p := range registry.Presets {
		require.False(t, seen[p.Name], "%s is the name of another policy or preset", p.Name)
		seen[p.Name] = true
		require.NotEmpty(t, p.Title, p.Name)
		name, knobs, err := registry.Resolve(p.Name)
		require.NoError(t, err)
		require.Equal(t, p.Policy, name)
		_, err = registry.New(name, knobs)
		require.NoError(t, err)
		require.Len(t, knobs, len(p.Knobs))
		requireRecognized(t, &p)
	}
	name, knobs, err := registry.Resolve("pc")
	require.NoError(t, err)
	require.Equal(t, "pc", name)
	require.Empty(t, knobs)
	_, _, err = registry.Resolve("no-such")
	require.ErrorContains(t, err, registry.All[len(registry.All)-1].Name+", script, leinberger-ff-easy, ")
}

// requireRecognized checks that PresetOf finds the preset by its knobs, and that it finds no preset
// if another knob is also set. If the preset has the default of every knob, PresetOf must find no
// preset.
func requireRecognized(t *testing.T, p *policy.Preset) {
	t.Helper()
	spec, err := registry.Find(p.Policy)
	require.NoError(t, err)
	set, defaults := p.KnobValues(), true
	value := func(k *policy.Knob) string {
		if text, ok := set[k.Name]; ok {
			return text
		}
		return k.Default
	}
	for i := range spec.Knobs {
		defaults = defaults && value(&spec.Knobs[i]) == spec.Knobs[i].Default
	}
	found := registry.PresetOf(spec, value)
	if defaults {
		require.Nil(t, found, p.Name)
		return
	}
	require.Equal(t, p.Name, found.Name)
	set[spec.Knobs[len(spec.Knobs)-1].Name] = "another"
	require.Nil(t, registry.PresetOf(spec, value))
}
