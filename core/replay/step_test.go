package replay_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/explain"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/replay"
)

// isStop is a reference implementation of Replay.isStop. It reports whether event n is a stop.
func isStop(p *replay.Replay, c *gantt.Chart, n int, stops replay.StopKind) bool {
	kind, start := p.Kind(n), log.Kinds[log.Start].Name
	switch stops {
	case replay.Instants:
		return n == 0 || n == p.Len() || p.At(n+1) != p.At(n)
	case replay.Starts:
		return kind == start || kind == log.Kinds[log.Resume].Name
	case replay.Backfilled:
		return kind == start && c.Backfilled(p.Job(n))
	case replay.Moves:
		return kind == log.Kinds[log.Move].Name
	}
	return true
}

// TestStep compares Step with a search in a list of all stops.
func TestStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"easy", "conservative", "pc", "scojo-pect", "fcfs"}).Draw(t, "policy")
		w := policytest.DrawWorkload(t)
		l := w.Case(t, name, nil).Run(t)
		c := gantt.New(l)
		p := replay.New(explain.NewIndex(l), c)
		for _, at := range []replay.StopKind{replay.Events, replay.Instants, replay.Starts, replay.Backfilled, replay.Moves} {
			var stops []int
			for n := range p.Len() + 1 {
				if isStop(p, c, n, at) {
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
				if inDirection := by > 0 && s > n || by < 0 && s < n; inDirection && left != 0 {
					want, found, left = s, true, left-by/max(by, -by)
				}
			}
			to, ok := p.Step(n, by, at)
			require.Equal(t, want, to, "%s from %d by %d", at, n, by)
			require.Equal(t, found, ok)
		}
	})
}

// These patterns match the sentences of WhyOthersWait that TestWhyOthersWait checks.
var (
	tooWideText      = regexp.MustCompile(`^Job (\S+) needs (\d+) processors? and (\d+) (?:was|were) free\.$`)
	leavesTooFewText = regexp.MustCompile(`^Job (\S+) would have fit, but after the start of job (\S+), only (\d+) processors? remained free, and job (\S+) needs (\d+)\.$`)
	delaysText       = regexp.MustCompile(`^Job (\S+): (\d+) processors? (?:is|are) free now, but the job may run for (\d+) s, and job (\S+) holds a reservation of (\d+) processors? from (\d+)\.$`)
	alsoStartsText   = regexp.MustCompile(`^Job (\S+) also starts at t = \d+\.$`)
)

// TestWhyOthersWait checks that every other waiting job has an explanation. It compares the numbers in
// an explanation with numbers that it computes from the starts and ends before the event.
func TestWhyOthersWait(t *testing.T) {
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"easy", "conservative", "pc", "fcfs", "first-fit"}).Draw(t, "policy")
		w := policytest.DrawWorkload(t)
		l := w.Case(t, name, nil).Run(t)
		p := replay.New(explain.NewIndex(l), gantt.New(l))
		byID, starts := map[string]job.Index{}, l.Outcomes()
		for j := range l.Jobs {
			byID[l.Jobs[j].ID] = job.Index(j)
		}
		free, waits := l.Machine.Slots(), 0
		for n := 1; n <= p.Len(); n++ {
			list := p.WhyOthersWait(n, 1000)
			if k := p.Kind(n); k == log.Kinds[log.Start].Name || k == log.Kinds[log.Hold].Name {
				require.Len(t, list.Items, waits-1)
				few := p.WhyOthersWait(n, 2)
				require.Len(t, few.Items, min(2, waits-1))
				require.Equal(t, max(0, waits-3), few.More)
			} else {
				require.Empty(t, list.Items)
			}
			for _, item := range list.Items {
				text := item.Text()
				number := func(s string) int { v, _ := strconv.Atoi(s); return v }
				if m := tooWideText.FindStringSubmatch(text); m != nil {
					counts["too wide"]++
					require.Equal(t, l.Jobs[byID[m[1]]].Procs, number(m[2]), text)
					require.Equal(t, free, number(m[3]), text)
					require.Greater(t, number(m[2]), free, text)
				} else if m := leavesTooFewText.FindStringSubmatch(text); m != nil {
					counts["left"]++
					require.Equal(t, p.Job(n), byID[m[2]], text)
					require.Equal(t, m[1], m[4], text)
					require.LessOrEqual(t, l.Jobs[byID[m[1]]].Procs, free, text)
					require.Equal(t, free-l.Jobs[p.Job(n)].Procs, number(m[3]), text)
					require.Equal(t, l.Jobs[byID[m[1]]].Procs, number(m[5]), text)
				} else if m := delaysText.FindStringSubmatch(text); m != nil {
					counts["delays"]++
					before := p.State(n - 1)
					require.Equal(t, free, number(m[2]), text)
					require.Equal(t, before.Planned(byID[m[4]]), int64(number(m[6])), text)
					require.NotEqual(t, p.Job(n), byID[m[4]], text)
					require.LessOrEqual(t, l.Jobs[byID[m[1]]].Procs, free, text)
					require.Less(t, int64(number(m[6])), p.At(n)+l.Jobs[byID[m[1]]].Estimate, text)
				} else if m := alsoStartsText.FindStringSubmatch(text); m != nil {
					counts["also"]++
					require.Equal(t, p.At(n), starts[byID[m[1]]].Start, text)
				} else {
					counts["other"]++
					require.NotContains(t, text, "was first in", "%s does not explain a wait", text)
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
	for _, what := range []string{"too wide", "left", "delays", "also", "other"} {
		require.Positive(t, counts[what], "%s: no such explanation was drawn", what)
	}
	t.Log(counts)
}

// backlog returns n jobs that together keep nearly all of 128 processors busy, so that many jobs
// wait.
func backlog(n int) []job.Job {
	x := uint64(1)
	random := func(k int64) int64 {
		x = x*6364136223846793005 + 1442695040888963407
		return int64(x>>33) % k
	}
	jobs, submit := make([]job.Job, n), int64(0)
	for i := range jobs {
		submit += random(540)
		runtime := 1 + random(4000)
		jobs[i] = job.Job{ID: strconv.Itoa(i + 1), Request: job.Request{Submit: submit, Procs: 1 + int(random(32)), Estimate: runtime + random(4000)}, Runtime: runtime}
	}
	return jobs
}

// BenchmarkEvents measures the calls that the page makes to show an event. The events are spread over
// a run of 30,000 jobs.
func BenchmarkEvents(b *testing.B) {
	for _, name := range []string{"easy", "conservative"} {
		b.Run(name, func(b *testing.B) {
			l := policytest.Simulate(b, 128, backlog(30_000), name, nil)
			p := replay.New(explain.NewIndex(l), gantt.New(l))
			maxWaiting, n := 0, 0
			for b.Loop() {
				n = (n + 7919*13) % p.Len()
				before, after := p.StatesAround(n + 1)
				before.Free(after.At)
				after.Free(after.At)
				after.Pieces()
				p.WhyOthersWait(n+1, 10)
				maxWaiting = max(maxWaiting, len(after.Waiting))
			}
			b.ReportMetric(float64(maxWaiting), "waiting")
		})
	}
}

// TestInsteadNamesTheReservation checks an explanation in the lesson intro-promises. At 4, E starts
// but D does not. The reason must be the promise to C, which D would delay even if E did not start.
func TestInsteadNamesTheReservation(t *testing.T) {
	newJob := func(id string, submit, procs, estimate int64) job.Job {
		return job.Job{ID: id, Request: job.Request{Submit: submit, Procs: int(procs), Estimate: estimate}, Runtime: estimate}
	}
	jobs := []job.Job{newJob("A", 0, 3, 6), newJob("B", 1, 2, 4), newJob("C", 2, 4, 2), newJob("D", 3, 1, 12), newJob("E", 4, 1, 5)}
	l := policytest.Simulate(t, 4, jobs, "conservative", nil)
	p := replay.New(explain.NewIndex(l), gantt.New(l))
	n, ok := p.Find(replay.EventRef{Time: 4, Event: "start", Job: "E"})
	require.True(t, ok)
	list := p.WhyOthersWait(n, 10)
	require.Equal(t, "Job D: 1 processor is free now, but the job may run for 12 s, and job C holds a reservation of 4 processors from 10.", list.Items[2].Text())
}
