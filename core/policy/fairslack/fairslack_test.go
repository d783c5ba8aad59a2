package fairslack

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
)

// rulesWith returns the rules for the given knob values. All other knobs have their defaults.
func rulesWith(t *testing.T, set map[string]string) rules {
	t.Helper()
	v, err := Spec.Settings(set)
	require.NoError(t, err)
	return rulesOf(v)
}

// exampleQueue returns a queue on 8 processors at time 100. A running job holds 4 of them until 1000.
// The jobs H, X, Y and Z wait.
func exampleQueue(t *testing.T) *plannedQueue {
	l := &plannedQueue{now: 100, running: profile.New(8), plan: profile.New(8)}
	l.running.Trim(100)
	l.running.Reserve(job.Demand{Procs: 4}, 100, 1000)
	for i, w := range [][4]job.Time{{8, 500, 0, 1000}, {4, 950, 10, 1500}, {2, 880, 20, 1500}, {2, 1000, 30, 1500}} {
		l.jobs = append(l.jobs, waitingJob{job: job.Index(i), demand: job.Demand{Procs: int(w[0])}, estimate: w[1], submit: w[2], fair: w[3]})
	}
	return l
}

// TestSearch checks, for the example, the latest starts, the good sets (which delay no job beyond its
// slack) with their scores, and the set that each goal selects.
func TestSearch(t *testing.T) {
	r := rulesWith(t, nil)
	s := &search{rules: &r, planner: planner{wall: func(t job.Time) job.Time { return t }}, note: func(int, int, log.Reason) {}}
	l := exampleQueue(t)
	l.replan()
	s.prepareAt(l, 0, 100)
	var latest []job.Time
	for i := range s.queue {
		latest = append(latest, s.queue[i].latest)
	}
	require.Equal(t, []job.Time{1140, 1685, 1680, 1675}, latest)
	s.buildTree(policy.Capacity{Procs: 4}, 8)
	numbers, got := s.goodSets()
	const x, y, z = 2, 4, 8
	var sets []uint64
	for _, n := range numbers {
		sets = append(sets, s.nodes[n].set)
	}
	require.Equal(t, []uint64{x, y, z, y + z}, sets)
	require.Equal(t, scores([3]int64{150, 1400, 8}, [3]int64{0, 1400, 6}, [3]int64{200, 2800, 6}, [3]int64{200, 2800, 8}), got)
	require.Equal(t, 1, s.Choose(got, 4))
	busy := rulesWith(t, map[string]string{"goal": "utilization"})
	require.Equal(t, 0, busy.Choose(got, 4))
}

// TestPlannedStarts starts several sets of the example, each in a new queue, and checks the starts that
// are then planned for the other jobs.
func TestPlannedStarts(t *testing.T) {
	for set, want := range map[string][]job.Time{
		"X": {1050, 100, 1550, 1550}, "Y": {1000, 1500, 100, 1500}, "Z": {1100, 1600, 100, 100}, "YZ": {1100, 1600, 100, 100},
	} {
		l := exampleQueue(t)
		got := make([]job.Time, len(l.jobs))
		for i, name := range []string{"Z", "Y", "X", "H"} {
			if place := len(got) - 1 - i; strings.Contains(set, name) {
				l.removeStarted(place, 100+l.jobs[place].estimate)
				got[place] = 100
			}
		}
		l.replan()
		for _, w := range l.jobs {
			got[w.job] = w.planned
		}
		require.Equal(t, want, got, set)
	}
}
