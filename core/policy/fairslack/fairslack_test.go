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

// figure is the state of D4: R holds 4 of 8 processors until 1000, Q has just
// ended, and H, X, Y and Z wait.
func figure(t *testing.T, set map[string]string) *search {
	r := defaults(t, set)
	s := &search{rules: &r, now: 100, clock: 100, wall: func(t job.Time) job.Time { return t }, base: profile.New(8), trial: profile.New(8), note: func(*node, int, log.Reason, *node) {}}
	s.base.Trim(100)
	s.base.Reserve(job.Need{Procs: 4}, 100, 1000)
	for i, w := range [][4]job.Time{{8, 500, 0, 1000}, {4, 950, 10, 1500}, {2, 880, 20, 1500}, {2, 1000, 30, 1500}} {
		s.queue = append(s.queue, waiter{job: job.Index(i), need: job.Need{Procs: int(w[0])}, estimate: w[1], submit: w[2], fair: w[3]})
		s.queue[i].latest = r.Latest(w[2], w[1], w[3], s.now)
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
	nodes, got := s.good()
	const x, y, z = 2, 4, 8
	var sets []uint64
	for _, n := range nodes {
		sets = append(sets, n.set)
	}
	require.Equal(t, []uint64{x, y, z, y + z}, sets)
	require.Equal(t, scores([3]int64{150, 1400, 8}, [3]int64{0, 1400, 6}, [3]int64{200, 2800, 6}, [3]int64{200, 2800, 8}), got)
	require.Equal(t, 1, s.Choose(got, 4))
	busy := defaults(t, map[string]string{"goal": "utilization"})
	require.Equal(t, 0, busy.Choose(got, 4))
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
