package truth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/explain"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/truth"
)

// Sentences that were once untrue, in the smallest runs that had them.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, policy string
		knobs        map[string]string
		procs        int
		jobs         string
		want         []string
	}{
		{"behind a reservation no one is first in the queue", "easy", knobs("reservations", "2"), 4, "A 3/10\nB 4/5@1\nC 1/5@1",
			[]string{"Job C starts. It was backfilled: 1 processor was free, and by its estimate it delayed no reservation."}},
		{"before it are jobs that fit as well", "easy", knobs("reservations", "1", "pick", "first", "backfill-order", "sjf"), 4, "A 3/10\nB 4/5@1\nC 1/30@1\nD 1/5@1",
			[]string{"Job D starts. It was backfilled: 1 processor was free, and by its estimate it was to end by 10, when job B, first in the queue, could start by the estimates."}},
		{"in another order none is the first that fits", "easy", knobs("reservations", "0", "backfill-order", "sjf"), 4, "A 3/10\nB 1/5\nC 1/4",
			[]string{"Job C starts. It was backfilled: 4 processors were free, and by its estimate it delayed no reservation."}},
		{"a job that moves up cannot always start at once", "conservative", knobs("compress", "submit"), 13,
			"1 6/4(1)\n2 6/3(1)\n3 6/1\n4 6/6(1)\n5 4/3\n6 5/4(3)\n7 6/4(3)\n8 9/6(1)\n9 6/2\n10 3/6(1)\n11 6/6(3)\n12 8/3\n13 6/5(3)\n14 5/6(2)\n15 8/2",
			[]string{"ended and the plan was compressed again."}},
		{"a search does not always go as far as a job", "fair-slack", knobs("lookahead", "1"), 4, "A 3/10\nB 4/5@1\nC 1/20@1",
			[]string{"Job C fits what is free, but the search for sets of jobs did not go as far as it."}},
		{"where no set keeps all within their slack one is left out that delays no one who has not started since", "fair-slack", knobs("jin-fst", "slack"), 4,
			"A 2/6(2)\nB 2/6(1)\nH 2/5\nW 4/4\nX 1/3@1\nY 1/9@1",
			[]string{"Job X starts. It started at 2: the plan made then, of all waiting jobs in queue order, starts it at once.",
				"Job Y fits what is free, but is in no set of jobs that was chosen: with it another would have started beyond its slack, or the set was no better."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			jobs, err := policytest.ParseJobs(c.jobs)
			require.NoError(t, err)
			x := judged(t, policytest.Of(t, c.procs, jobs, c.policy, c.knobs))
			require.Empty(t, x.Check(truth.Counts{}))
			said := told(x.Log)
			for _, s := range c.want {
				require.Contains(t, said, s)
			}
		})
	}
}

// told returns what is told of each record.
func told(l *log.Log) (text string) {
	x := explain.NewIndex(l)
	for r := range l.All() {
		text += x.Tell(r).Text() + "\n"
	}
	return text
}
