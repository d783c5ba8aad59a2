package docs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/link"
)

// TestOpenRun checks that the link to a run of a study opens its jobs, its policies and the knobs of its
// workload. Studies on traces have no link.
func TestOpenRun(t *testing.T) {
	text, err := openRun("jin-fig11")
	require.NoError(t, err)
	address, _ := strings.CutPrefix(text, ", [a run in the page](../index.html#")
	f := link.Parse(strings.TrimSuffix(address, ")"))
	d, err := link.Open(f.Version, f.Payload)
	require.NoError(t, err)
	s := d.Scenario
	require.NoError(t, s.Validate())
	require.Equal(t, "lublin", s.Workload.Generator.Name)
	require.Equal(t, int64(71), s.Workload.Generator.Seed)
	require.Len(t, s.Policies, 2)
	require.Equal(t, []string{"FF", ""}, []string{s.Policies[0].Title, s.Policies[1].Title}, "the workload sets a knob of the second")
	require.Equal(t, "5", s.Policies[1].Knobs["inner.lookahead"])
	for _, name := range []string{"lindsay-fig5", "leinberger-fig2"} {
		text, err := openRun(name)
		require.NoError(t, err)
		require.Empty(t, text, name)
	}
	_, err = openRun("no-study")
	require.Error(t, err)
}
