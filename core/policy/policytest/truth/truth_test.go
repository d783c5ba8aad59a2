package truth_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/truth"
	"backfill-lab/core/speed"
)

// judged returns the run of a case, to be judged.
func judged(t policytest.TB, c *policytest.Case) *truth.Case {
	v, err := c.Spec.Settings(c.Knobs)
	require.NoError(t, err)
	out := &truth.Case{Log: c.Run(t), Policy: c.Spec.Name, Knobs: v}
	if s, ok := c.Speed.(speed.Contention); ok {
		out.Cos = s.Cos
	}
	return out
}

// wanted returns how many decisions of each reason are judged, for each setting: in the
// long form at least 1,000.
func wanted(t *testing.T) int {
	if n := soak.Cases(t); n >= 100_000 {
		return n / 100
	}
	return soak.Cases(t) / 1000
}

// share returns a part of the log, where it is long.
func share(text string) string { return text[:min(len(text), 4000)] }

// Every reason that a policy records is true, as often as wanted.
func TestSoakReasonsAreTrue(t *testing.T) {
	var table strings.Builder
	for _, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			counts, need, runs := truth.Counts{}, wanted(t), 0
			may := map[log.Code]bool{}
			for ; runs < 3000*need && (runs < 20 || rarest(counts, may) < need); runs++ {
				c := s.generator().Example(runs)
				x := judged(t, c)
				for _, code := range x.All() {
					may[code] = true
				}
				if untrue := x.Check(counts); len(untrue) > 0 {
					t.Fatalf("%s\n%s\n%s", c, strings.Join(untrue, "\n"), share(policytest.Text(x.Log)))
				}
			}
			for code := range log.Codes {
				if n := counts[log.Code(code)]; n > 0 || may[log.Code(code)] {
					fmt.Fprintf(&table, "%-24s %-14s %7d\n", s.name, log.Codes[code].Name, n)
					if n < need {
						t.Errorf("%s: %d judged in %d runs, %d wanted", log.Codes[code].Name, n, runs, need)
					}
				}
			}
		})
	}
	if os.Getenv("BACKFILL_SOAK") != "" || testing.Verbose() {
		t.Log("\n" + table.String())
	}
}

func rarest(counts truth.Counts, may map[log.Code]bool) int {
	least := 1 << 30
	for code := range may {
		if code != log.NoReason {
			least = min(least, counts[code])
		}
	}
	return least
}

// No reason of the table is left out.
func TestEveryReasonIsJudged(t *testing.T) {
	for c := range log.Codes {
		if code := log.Code(c); code != log.NoReason {
			require.True(t, truth.Judges(code), log.Codes[c].Name)
		}
	}
}
