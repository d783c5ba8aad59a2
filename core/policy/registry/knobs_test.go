package registry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"backfill-lab/core/policy/registry"
)

// TestKnobs compares the knobs of every policy with testdata/knobs, because links and scenario
// files rely on the names, defaults and ranges of the knobs. After an intended change, run:
// go test ./core/policy/registry -run Knobs -rewrite
func TestKnobs(t *testing.T) {
	datadriven.RunTest(t, "testdata/knobs", func(*testing.T, *datadriven.TestData) string {
		var b strings.Builder
		for _, spec := range registry.All {
			b.WriteString(spec.Name + "\n")
			for _, k := range spec.Knobs {
				fmt.Fprintf(&b, "  %s=%s", k.Name, k.Default)
				if len(k.Choices) > 0 {
					fmt.Fprintf(&b, " of %s", strings.Join(k.Choices, " "))
				}
				if k.Max != 0 {
					fmt.Fprintf(&b, " from %g to %g %s", k.Min, k.Max, k.Unit)
				}
				if k.DependsOn != "" {
					fmt.Fprintf(&b, " where %s is %s", k.DependsOn, strings.Join(k.DependsOnValues, " "))
				}
				if k.Needs != "" {
					fmt.Fprintf(&b, " needs %s", k.Needs)
				}
				b.WriteString("\n")
			}
		}
		return b.String()
	})
}
