package registry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/registry"
)

// Every preset is a policy with knobs that it takes, under a name of its own.
func TestPresets(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range registry.All {
		seen[s.Name] = true
	}
	for _, p := range registry.Presets {
		require.False(t, seen[p.Name], "%s is taken", p.Name)
		seen[p.Name] = true
		require.NotEmpty(t, p.Title, p.Name)
		name, knobs, err := registry.Expand(p.Name)
		require.NoError(t, err)
		require.Equal(t, p.Policy, name)
		_, err = registry.New(name, knobs)
		require.NoError(t, err)
		require.Len(t, knobs, len(p.Knobs))
	}
	name, knobs, err := registry.Expand("pc")
	require.NoError(t, err)
	require.Equal(t, "pc", name)
	require.Empty(t, knobs)
	_, _, err = registry.Expand("no-such")
	require.ErrorContains(t, err, registry.All[len(registry.All)-1].Name+", leinberger-ff-easy, ")
}
