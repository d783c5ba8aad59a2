package whatif_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/whatif"
)

// outcomes runs policy i of a setup and returns the outcomes of the jobs.
func outcomes(t policytest.TB, setup *scenario.Setup, i int) []log.Outcome {
	t.Helper()
	c, err := setup.Config(i, log.Spans)
	require.NoError(t, err)
	return run(t, c)
}

// runTrials runs all trials for job j under policy i and returns them.
func runTrials(setup *scenario.Setup, i int, ends []log.Outcome, j job.Index) []*whatif.Trial {
	trials := whatif.Trials(setup, i, ends, j)
	for _, x := range trials {
		if x.Prepare(setup, i, j) == nil {
			for x.Steps(3) {
			}
		}
	}
	return trials
}

// TestSoakTrials checks that the start in a trial equals the start in a full run of the changed
// scenario.
func TestSoakTrials(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) {
			soak.Check(t, 0.001, func(t *rapid.T) {
				setup := drawSetup(t, s.Name)
				j := job.Index(rapid.IntRange(0, len(setup.Work.Jobs)-1).Draw(t, "job"))
				ends := outcomes(t, setup, 0)
				trials := runTrials(setup, 0, ends, j)
				require.LessOrEqual(t, len(trials), 32)
				ran := 0
				for _, x := range trials {
					next, err := whatif.Apply(setup, j, x.Changes...)
					if err != nil {
						require.Error(t, x.Err)
						continue
					}
					ran++
					require.NoError(t, x.Err)
					require.Equal(t, outcomes(t, next.Setup, next.PolicyIndex(0))[next.Match[j]].Start, x.Start, "%v", x.Changes)
				}
				sooner, same, later := whatif.SplitByStart(trials, ends[j].Start)
				require.Equal(t, ran, len(sooner)+len(same)+len(later))
				for i := 1; i < len(sooner); i++ {
					require.LessOrEqual(t, sooner[i-1].Start, sooner[i].Start)
				}
			})
		})
	}
}

// TestSooner compares the trials for job 9 of the first example, and their starts, with wantSooner.
// Under EASY, the job waits from 8 to 24.
func TestSooner(t *testing.T) {
	setup := example(t)
	ends := outcomes(t, setup, 0)
	sooner, same, later := whatif.SplitByStart(runTrials(setup, 0, ends, 8), ends[8].Start)
	text := ""
	for k, list := range [][]*whatif.Trial{sooner, same, later} {
		text += []string{"sooner\n", "as before\n", "later\n"}[k]
		for _, x := range list {
			if p := x.Changes[0].Policy.Name; p != "" && !slices.Contains(judge.WithOwnTests, p) {
				continue // a policy added after the expected text was written
			}
			text += fmt.Sprintf("  %d if %s\n", x.Start, whatif.Words(&setup.Work.Jobs[8], x.Changes, format.Clock{}))
		}
	}
	require.Equal(t, wantSooner, text)
}

const wantSooner = `sooner
  5 if it were submitted at 0
  8 if it requested 2 processors
  14 if it requested 2 processors and its estimate were 12 s and it ran 6 s
  15 if job 8 were removed
  20 if job 7 were removed
  21 if the machine had 1 node more
  21 if job 6 were removed
as before
  24 if its estimate were exact (3 s)
  24 if all estimates were exact
  24 if job 10 were removed
  24 if the policy were FCFS
  24 if the policy were First fit
  24 if the policy were Prioritized compression
  24 if the policy were Delayed compression
  24 if the policy were Fair slack
later
  25 if the policy were Conservative
  25 if the policy were Scojo-PECT
`
