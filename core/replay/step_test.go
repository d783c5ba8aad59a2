package replay_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/replay"
)

// isStop says anew at which events a walk stops.
func isStop(p *replay.Replay, x *explain.Index, n int, at replay.Stops) bool {
	kind, start := p.Kind(n), log.Kinds[log.Start].Name
	switch at {
	case replay.Moments:
		return n == 0 || n == p.Len() || p.At(n+1) != p.At(n)
	case replay.Starts:
		return kind == start || kind == log.Kinds[log.Resume].Name
	case replay.Backfilled:
		return kind == start && x.Chart().Backfilled(p.Job(n))
	case replay.Moves:
		return kind == log.Kinds[log.Move].Name
	}
	return true
}

// A walk stops at each stop, back as forth, and nowhere else.
func TestStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"easy", "conservative", "pc", "scojo-pect", "fcfs"}).Draw(t, "policy")
		w := policytest.DrawWorkload(t)
		x := explain.NewIndex(w.Case(t, name, nil).Run(t))
		p := replay.New(x)
		for _, at := range []replay.Stops{replay.Events, replay.Moments, replay.Starts, replay.Backfilled, replay.Moves} {
			var stops []int
			for n := range p.Len() + 1 {
				if isStop(p, x, n, at) {
					stops = append(stops, n)
				}
			}
			n := rapid.IntRange(0, p.Len()).Draw(t, "from")
			by := rapid.IntRange(-4, 4).Filter(func(by int) bool { return by != 0 }).Draw(t, "by")
			want, found, left := n, false, by
			for k := range stops {
				s := stops[k]
				if by < 0 {
					s = stops[len(stops)-1-k]
				}
				if beyond := by > 0 && s > n || by < 0 && s < n; beyond && left != 0 {
					want, found, left = s, true, left-by/max(by, -by)
				}
			}
			to, ok := p.Step(n, by, at)
			require.Equal(t, want, to, "%s from %d by %d", at, n, by)
			require.Equal(t, found, ok)
		}
	})
}

var (
	tooWide = regexp.MustCompile(`^Job (\S+) needs (\d+) processors? and (\d+) (?:was|were) free\.$`)
	leaves  = regexp.MustCompile(`^Job (\S+) would have fit, but job (\S+) left (\d+) processors? of the (\d+) that it needs\.$`)
	also    = regexp.MustCompile(`^Job (\S+) also starts at t = \d+\.$`)
)

// What is said of the jobs that were not started is so, by the starts and ends
// before the event alone; and it is said of all that waited.
func TestInstead(t *testing.T) {
	said := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"easy", "conservative", "pc", "fcfs", "first-fit"}).Draw(t, "policy")
		w := policytest.DrawWorkload(t)
		l := w.Case(t, name, nil).Run(t)
		p := replay.New(explain.NewIndex(l))
		byID, starts := map[string]job.Index{}, l.Outcomes()
		for j := range l.Jobs {
			byID[l.Jobs[j].ID] = job.Index(j)
		}
		free, waits := l.Machine.Slots(), 0
		for n := 1; n <= p.Len(); n++ {
			list := p.Instead(n, 1000)
			if k := p.Kind(n); k == log.Kinds[log.Start].Name || k == log.Kinds[log.Hold].Name {
				require.Len(t, list.Items, waits-1)
				few := p.Instead(n, 2)
				require.Len(t, few.Items, min(2, waits-1))
				require.Equal(t, max(0, waits-3), few.More)
			} else {
				require.Empty(t, list.Items)
			}
			for _, item := range list.Items {
				text := item.Text()
				number := func(s string) int { v, _ := strconv.Atoi(s); return v }
				if m := tooWide.FindStringSubmatch(text); m != nil {
					said["too wide"]++
					require.Equal(t, l.Jobs[byID[m[1]]].Procs, number(m[2]), text)
					require.Equal(t, free, number(m[3]), text)
					require.Greater(t, number(m[2]), free, text)
				} else if m := leaves.FindStringSubmatch(text); m != nil {
					said["left"]++
					require.Equal(t, p.Job(n), byID[m[2]], text)
					require.LessOrEqual(t, l.Jobs[byID[m[1]]].Procs, free, text)
					require.Equal(t, free-l.Jobs[p.Job(n)].Procs, number(m[3]), text)
					require.Equal(t, l.Jobs[byID[m[1]]].Procs, number(m[4]), text)
				} else if m := also.FindStringSubmatch(text); m != nil {
					said["also"]++
					require.Equal(t, p.At(n), starts[byID[m[1]]].Start, text)
				} else {
					said["other"]++
					require.NotContains(t, text, "was first in", "%s is no reason to wait", text)
				}
			}
			switch p.Kind(n) {
			case replay.Submitted:
				waits++
			case log.Kinds[log.Start].Name:
				waits--
				free -= l.Jobs[p.Job(n)].Procs
			case log.Kinds[log.Finish].Name:
				free += l.Jobs[p.Job(n)].Procs
			}
		}
	})
	for _, what := range []string{"too wide", "left", "also", "other"} {
		require.Positive(t, said[what], "%s: nothing of that kind was drawn", what)
	}
	t.Log(said)
}
