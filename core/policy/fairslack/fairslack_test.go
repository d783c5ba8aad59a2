package fairslack

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
)

func defaults(t *testing.T, set map[string]string) rules {
	t.Helper()
	v, err := Spec.Settings(set)
	require.NoError(t, err)
	return rulesOf(v)
}

// D1: the slack factor by the expected wait (Jin 2009, figure 6).
func TestFactor(t *testing.T) {
	r := defaults(t, nil)
	for wait, want := range map[job.Time]float64{0: 1.5, 3600: 1.5, 5000: 1.4995, 7200: 1.4637, 10800: 1.4141, 65000: 1.2093, 125000: 1.2003} {
		require.InDelta(t, want, r.factor(wait, 1000), 5e-5, "wait %d", wait)
	}
}

// D2: the part of it that counts.
func TestPart(t *testing.T) {
	r := defaults(t, nil)
	for _, c := range []struct {
		already, wait job.Time
		want          float64
	}{{0, 1000, 1.1}, {100, 1000, 1.14}, {500, 1000, 1.3}, {1000, 1000, 1.5}, {2000, 1000, 1.5}, {5000, 5000, 1.4995}, {32500, 65000, 1.1546}, {0, 0, 1.5}} {
		require.InDelta(t, c.want, r.part(c.already, c.wait, 1000), 5e-5, "%d of %d", c.already, c.wait)
	}
}

// A factor above 1.5 is for medium jobs with little to wait for; without slack
// the fraction is 1 from the beginning.
func TestFactorAboveUsual(t *testing.T) {
	r := defaults(t, map[string]string{"slack-up": "1.6", "slack-down": "1.3"})
	require.Equal(t, 1.6, r.factor(0, 1800))
	for _, c := range [][2]job.Time{{0, 600}, {0, 3600}, {7200, 1800}} {
		require.LessOrEqual(t, r.factor(c[0], c[1]), 1.5)
	}
	none := defaults(t, map[string]string{"slack-up": "1", "slack-down": "1"})
	for _, already := range []job.Time{0, 500, 1000} {
		require.Equal(t, 1.0, none.part(already, 1000, 1800))
	}
}

// figure is the state of D4: R holds 4 of 8 processors until 1000, Q has just
// ended, and H, X, Y and Z wait.
func figure(t *testing.T, set map[string]string) *search {
	r := defaults(t, set)
	s := &search{rules: &r, now: 100, clock: 100, wall: func(t job.Time) job.Time { return t }, base: profile.New(8), trial: profile.New(8), note: func(*node, int, log.Reason, *node) {}}
	s.base.Trim(100)
	s.base.Reserve(job.Need{Procs: 4}, 100, 1000)
	for i, w := range [][4]job.Time{{8, 500, 0, 1000}, {4, 950, 10, 1500}, {2, 880, 20, 1500}, {2, 1000, 30, 1500}} {
		s.queue = append(s.queue, waiter{job: job.Index(i), need: job.Need{Procs: int(w[0])}, estimate: w[1], submit: w[2], fair: w[3]})
		s.queue[i].latest = r.latest(&s.queue[i], s.now)
	}
	return s
}

// D4: latest starts, the saved sets in their order and what is chosen.
func TestFigure(t *testing.T) {
	s := figure(t, nil)
	var latest []job.Time
	for i := range s.queue {
		latest = append(latest, s.queue[i].latest)
	}
	require.Equal(t, []job.Time{1140, 1685, 1680, 1675}, latest)
	s.grow(policy.Room{Procs: 4}, 8)
	nodes, scores := s.good()
	const x, y, z = 2, 4, 8
	var sets []uint64
	for _, n := range nodes {
		sets = append(sets, n.set)
	}
	require.Equal(t, []uint64{x, y, z, y + z}, sets)
	require.Equal(t, []score{{150, 1400, 8}, {0, 1400, 6}, {200, 2800, 6}, {200, 2800, 8}}, scores)
	require.Equal(t, 1, s.choose(scores, 4))
	busy := defaults(t, map[string]string{"goal": "utilization"})
	require.Equal(t, 0, busy.choose(scores, 4))
}

// D4: the planned starts with each set.
func TestPlannedStarts(t *testing.T) {
	for set, want := range map[string][]job.Time{
		"X": {1050, 100, 1550, 1550}, "Y": {1000, 1500, 100, 1500}, "Z": {1100, 1600, 100, 100}, "YZ": {1100, 1600, 100, 100},
	} {
		s := figure(t, nil)
		all := slices.Clone(s.queue)
		s.queue = nil
		for i, name := range []string{"H", "X", "Y", "Z"} {
			if in := slices.Contains([]byte(set), name[0]); in {
				s.base.Reserve(all[i].need, 100, 100+all[i].estimate)
				all[i].planned = 100
			} else {
				s.queue = append(s.queue, all[i])
			}
		}
		s.planQueue(s.base)
		for _, w := range s.queue {
			all[w.job].planned = w.planned
		}
		var got []job.Time
		for _, w := range all {
			got = append(got, w.planned)
		}
		require.Equal(t, want, got, set)
	}
}

// The ranges of the knobs; ties and zero go to the earlier set.
func TestChoose(t *testing.T) {
	sets := []score{{0, 0, 4}, {0, 100, 4}, {40, 100, 8}, {44, 90, 8}}
	fair := defaults(t, nil)
	require.Equal(t, 0, fair.choose(sets, 4), "no delay at all: others may have none either")
	allowed := defaults(t, map[string]string{"range-unfairness-abs": "10"})
	require.Equal(t, 0, allowed.choose(sets, 4), "it would let jobs skip, and the first set lets none")
	skips := defaults(t, map[string]string{"range-unfairness-abs": "10", "range-skip": "1"})
	require.Equal(t, 1, skips.choose([]score{{0, 100, 4}, {40, 100, 8}, {44, 90, 8}}, 4), "a mean delay of 10 is allowed, 11 is not")
	busy := defaults(t, map[string]string{"goal": "utilization"})
	require.Equal(t, 2, busy.choose(sets, 4))
	near := defaults(t, map[string]string{"goal": "utilization", "range-utilization": "2"})
	require.Equal(t, 0, near.choose([]score{{0, 0, 4}, {40, 100, 8}}, 4), "half of the processors is near enough")
}
