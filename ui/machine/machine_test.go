package machine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/document"
	"backfill-lab/ui/session/sessiontest"
)

// The form shows only the slowdown fields that have an effect, and marks errors in them.
func TestSlowdownFields(t *testing.T) {
	c := &Machine{Session: sessiontest.Example(t)}
	ids := func() (out []string) {
		for _, f := range c.SlowdownFields() {
			out = append(out, f.ID)
		}
		return out
	}
	require.Equal(t, []string{"slowdown", document.SlowdownPairs}, ids())
	pairs := func(text string) {
		c.Do("", c.Doc().EditSlowdown(func(s *document.Slowdown) { s.Pairs = text }))
	}
	pairs("1 next to 2: 1.2")
	require.Equal(t, []string{"slowdown", document.SlowdownPairs, "slowdown-classes"}, ids())
	require.Empty(t, c.Problems())
	c.Do("", c.Doc().EditSlowdown(func(s *document.Slowdown) { s.RandomUnlisted = true }))
	require.Equal(t, []string{"slowdown", document.SlowdownSeed, document.SlowdownPairs, "slowdown-classes"}, ids())
	pairs("1 next to 2: 0.1")
	f := c.SlowdownFields()[2]
	require.Equal(t, []string{"true", c.Problems()[0]}, []string{f.Invalid, f.Problem})
	pairs(strings.Repeat("1 next to 2: 1.2\n", 200))
	require.NotContains(t, ids(), document.SlowdownPairs)
	require.Contains(t, c.SlowdownFields()[0].Help, "change the file in a text editor")

	c.Do("", c.Doc().SetMachineText(2, "0"))
	require.Equal(t, "true", c.SizeFields()[2].Invalid)
	require.Equal(t, "false", c.SizeFields()[3].Invalid)
}
