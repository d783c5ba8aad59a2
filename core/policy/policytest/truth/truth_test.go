package truth_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/explain"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/policytest/truth"
)

// TestSoakReasonsAreTrue checks random runs until each reason of each setting was checked
// often enough. No run may have an error.
func TestSoakReasonsAreTrue(t *testing.T) {
	var table strings.Builder
	for _, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			counts := judge.CheckReasons(t, func(run int) (*policytest.Case, *truth.Case) {
				c := s.generator().Example(run)
				return c, judge.TruthCase(t, c)
			})
			for code := range log.Codes {
				if n, possible := counts[log.Code(code)]; possible {
					fmt.Fprintf(&table, "%-24s %-14s %7d\n", s.name, log.Codes[code].Name, n)
				}
			}
		})
	}
	if os.Getenv("BACKFILL_SOAK") != "" || testing.Verbose() {
		t.Log("\n" + table.String())
	}
}

// TestEveryReasonHasACheck checks that this package can check every reason.
func TestEveryReasonHasACheck(t *testing.T) {
	for c := range log.Codes {
		if code := log.Code(c); code != log.NoReason && code.IsShared() {
			require.True(t, truth.HasCheck(code), log.Codes[c].Name)
		}
	}
}

// TestSentences checks sentences that were untrue in an earlier version of the program. It uses the
// smallest runs in which the errors occurred.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, policy string
		knobs        map[string]string
		procs        int
		jobs         string
		want         []string
	}{
		{"with several reservations, the reason names no head of the queue", "easy", knobs("reservations", "2"), 4, "A 3/10\nB 4/5@1\nC 1/5@1",
			[]string{"Job C starts. It was backfilled: 1 processor was free, and according to its estimate it delayed no reservation."}},
		{"earlier jobs in the queue fit too", "easy", knobs("reservations", "1", "pick", "first", "backfill-order", "sjf"), 4, "A 3/10\nB 4/5@1\nC 1/30@1\nD 1/5@1",
			[]string{"Job D starts. It was backfilled: 1 processor was free, and it was estimated to end by 10, the estimated start of job B, which was first in the queue."}},
		{"with another backfill order, no job is the first that fits", "easy", knobs("reservations", "0", "backfill-order", "sjf"), 4, "A 3/10\nB 1/5\nC 1/4",
			[]string{"Job C starts. It was backfilled: 4 processors were free, and according to its estimate it delayed no reservation."}},
		{"a planned start that moves earlier is not always now", "conservative", knobs("compress", "submit"), 13,
			"1 6/4(1)\n2 6/3(1)\n3 6/1\n4 6/6(1)\n5 4/3\n6 5/4(3)\n7 6/4(3)\n8 9/6(1)\n9 6/2\n10 3/6(1)\n11 6/6(3)\n12 8/3\n13 6/5(3)\n14 5/6(2)\n15 8/2",
			[]string{"ended and the plan was compressed."}},
		{"the lookahead may end before a job", "fair-slack", knobs("lookahead", "1"), 4, "A 3/10\nB 4/5@1\nC 1/20@1",
			[]string{"Job C would fit, but the search for sets of jobs stopped before it reached job C."}},
		{"a job is left out although it delays no job that still waits", "fair-slack", knobs("jin-fst", "slack"), 4,
			"A 2/6(2)\nB 2/6(1)\nH 2/5\nW 4/4\nX 1/3@1\nY 1/9@1",
			[]string{"Job X starts. It started at 2: the plan made then, for all waiting jobs in queue order, starts it immediately.",
				"Job Y would fit, but is not in the selected set: sets with job Y would delay another job beyond its slack, or are no better than the selected set."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			jobs, err := policytest.ParseJobs(c.jobs)
			require.NoError(t, err)
			tc := judge.TruthCase(t, policytest.NewCase(t, c.procs, jobs, c.policy, c.knobs))
			require.Empty(t, tc.Check(truth.Counts{}))
			sentences := allSentences(tc.Log)
			for _, s := range c.want {
				require.Contains(t, sentences, s)
			}
		})
	}
}

// allSentences returns the sentences for all records of a log.
func allSentences(l *log.Log) (text string) {
	index := explain.NewIndex(l)
	for r := range l.All() {
		text += index.RecordText(r).Text() + "\n"
	}
	return text
}
