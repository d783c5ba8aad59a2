package refute_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
)

// TestGolden compares findings with testdata. Native runs and runs as WebAssembly use the same
// files. To update them after an intended change, run go test ./core/refute -run Golden -rewrite.
func TestGolden(t *testing.T) {
	datadriven.RunTest(t, "testdata/findings", func(t *testing.T, d *datadriven.TestData) string {
		c := refute.Config{Tries: 2000}
		d.ScanArgs(t, "seed", &c.Seed)
		for _, x := range []struct {
			name string
			to   **refute.Subject
		}{{"a", &c.A}, {"b", &c.B}} {
			if arg, ok := d.Arg(x.name); ok {
				*x.to = registered(t, arg.Vals[0], arg.Vals[1:]...)
			}
		}
		g, err := refute.Find(d.Cmd)
		if d.Cmd == "when" {
			g, err = refute.ParseRelation(strings.TrimSpace(d.Input))
		}
		if err != nil {
			return err.Error()
		}
		c.Goals = []*refute.Goal{g}
		f := search(t, c)
		if f == nil {
			return "nothing found"
		}
		require.NoError(t, f.Scenario.Validate())
		parsed, err := scenario.Parse(scenario.Format(f.Scenario))
		require.NoError(t, err)
		require.Equal(t, scenario.Format(f.Scenario), scenario.Format(parsed))
		return string(scenario.Format(f.Scenario))
	})
}
