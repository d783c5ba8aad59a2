package fairslack

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/policy/fairslack/rule"
)

// TestFactor checks the slack factors for several expected waits, in seconds (Jin 2009, figure 6).
func TestFactor(t *testing.T) {
	r := rulesWith(t, nil)
	for wait, want := range map[job.Time]float64{0: 1.5, 3600: 1.5, 5000: 1.4995, 7200: 1.4637, 10800: 1.4141, 65000: 1.2093, 125000: 1.2003} {
		require.InDelta(t, want, r.Factor(wait, 1000), 5e-5, "wait %d", wait)
	}
}

// TestCurrentFactor checks how the slack factor grows while a job waits.
func TestCurrentFactor(t *testing.T) {
	r := rulesWith(t, nil)
	for _, c := range []struct {
		waited, wait job.Time
		want         float64
	}{{0, 1000, 1.1}, {100, 1000, 1.14}, {500, 1000, 1.3}, {1000, 1000, 1.5}, {2000, 1000, 1.5}, {5000, 5000, 1.4995}, {32500, 65000, 1.1546}, {0, 0, 1.5}} {
		require.InDelta(t, c.want, r.CurrentFactor(c.waited, c.wait, 1000), 5e-5, "%d of %d", c.waited, c.wait)
	}
}

// TestFactorAboveUsual checks that only jobs of medium length with short expected waits get a
// factor above 1.5. With slack-up and slack-down at 1, the factor is always 1.
func TestFactorAboveUsual(t *testing.T) {
	r := rulesWith(t, map[string]string{"slack-up": "1.6", "slack-down": "1.3"})
	require.Equal(t, 1.6, r.Factor(0, 1800))
	for _, c := range [][2]job.Time{{0, 600}, {0, 3600}, {7200, 1800}} {
		require.LessOrEqual(t, r.Factor(c[0], c[1]), 1.5)
	}
	none := rulesWith(t, map[string]string{"slack-up": "1", "slack-down": "1"})
	for _, waited := range []job.Time{0, 500, 1000} {
		require.Equal(t, 1.0, none.CurrentFactor(waited, 1000, 1800))
	}
}

// TestChoose checks which set Choose selects with different ranges. Ties go to the earlier set.
func TestChoose(t *testing.T) {
	sets := scores([3]int64{0, 0, 4}, [3]int64{0, 100, 4}, [3]int64{40, 100, 8}, [3]int64{44, 90, 8})
	fair := rulesWith(t, nil)
	require.Equal(t, 0, fair.Choose(sets, 4), "the first set has no delay, so no other set may cause a delay")
	allowed := rulesWith(t, map[string]string{"range-unfairness-abs": "10"})
	require.Equal(t, 0, allowed.Choose(sets, 4), "other sets start jobs before their fair starts, the first set does not")
	skips := rulesWith(t, map[string]string{"range-unfairness-abs": "10", "range-skip": "1"})
	require.Equal(t, 1, skips.Choose(scores([3]int64{0, 100, 4}, [3]int64{40, 100, 8}, [3]int64{44, 90, 8}), 4), "a mean delay of 10 is allowed, 11 is not")
	busy := rulesWith(t, map[string]string{"goal": "utilization"})
	require.Equal(t, 2, busy.Choose(sets, 4))
	near := rulesWith(t, map[string]string{"goal": "utilization", "range-utilization": "2"})
	require.Equal(t, 0, near.Choose(scores([3]int64{0, 0, 4}, [3]int64{40, 100, 8}), 4), "half of the processors in use is within the range")
}

// scores returns a score for each triple of seconds late, seconds early and processors in use.
func scores(triples ...[3]int64) (out []rule.Score) {
	for _, s := range triples {
		out = append(out, rule.Score{Late: s[0], Early: s[1], Used: int(s[2])})
	}
	return out
}
