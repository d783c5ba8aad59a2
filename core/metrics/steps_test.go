package metrics_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
)

const slots = 8

// drawSchedule draws a small schedule. It may use more processors than the machine has, which
// metrics must tolerate.
func drawSchedule(t *rapid.T) *schedule.Schedule {
	s := &schedule.Schedule{}
	submit := job.Time(0)
	for i := range rapid.IntRange(1, 12).Draw(t, "jobs") {
		submit += rapid.Int64Range(0, 4).Draw(t, "gap")
		start := submit + rapid.Int64Range(0, 9).Draw(t, "wait")
		r := row(fmt.Sprint(i), submit, rapid.IntRange(1, slots).Draw(t, "procs"), rapid.Int64Range(1, 9).Draw(t, "runtime"), start)
		if pause := rapid.Int64Range(0, 3).Draw(t, "pause"); pause > 0 && r.Runtime > 1 {
			r.Segments = []schedule.Segment{{From: start, To: start + 1}, {From: start + 1 + pause, To: r.Finish + pause}}
			r.Finish += pause
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// second holds the processors in use, the number of waiting jobs, and the smallest number of
// processors that a waiting job requests.
type second struct {
	busy, waiting, narrowest int
}

// countSecond computes the state of the machine at second t, job by job.
func countSecond(s *schedule.Schedule, t job.Time) second {
	state := second{narrowest: slots + 1}
	for _, r := range s.Rows {
		if r.Submit <= t && t < r.Start {
			state.waiting++
			state.narrowest = min(state.narrowest, r.Procs)
		}
		for _, g := range r.Segments {
			if g.From <= t && t < g.To {
				state.busy += r.Procs
			}
		}
	}
	return state
}

// TestStepsAgreeWithSeconds compares the steps of random schedules with the state of the machine in
// each second.
func TestStepsAgreeWithSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		steps := metrics.Steps(s)
		require.True(t, slices.IsSortedFunc(steps, func(a, b metrics.Step) int { return int(a.At - b.At) }))
		for i, p := range steps {
			for now := p.At; i+1 < len(steps) && now < steps[i+1].At; now++ {
				x := countSecond(s, now)
				require.Equal(t, metrics.Step{At: p.At, Busy: x.busy, Waiting: x.waiting}, p)
			}
		}
		require.Zero(t, steps[len(steps)-1].Busy)
		require.Zero(t, steps[len(steps)-1].Waiting)
	})
}

// TestMetricsAgreeWithSeconds compares the metrics of the machine with sums over all seconds.
func TestMetricsAgreeWithSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		o := metrics.Default
		o.HighLoad = rapid.IntRange(1, 4).Draw(t, "high load")
		o.Warmup = float64(rapid.IntRange(0, 50).Draw(t, "warmup"))
		o.Cooldown = float64(rapid.IntRange(0, 49).Draw(t, "cooldown"))
		counted := s.Rows[int(float64(len(s.Rows))*o.Warmup/100) : len(s.Rows)-int(float64(len(s.Rows))*o.Cooldown/100)]
		from, to, lastArrival := counted[0].Submit, job.Time(0), counted[len(counted)-1].Submit
		for _, r := range counted {
			to = max(to, r.Finish)
		}
		var busy, fits, queue, high, highBusy, phases, waiting, longest int
		for now, was := from, false; now < to; now++ {
			x := countSecond(s, now)
			idle := max(0, slots-x.busy)
			busy += x.busy
			longest = max(longest, x.waiting)
			if x.waiting > 0 {
				queue += idle
			}
			if x.narrowest <= idle {
				fits += idle
			}
			if x.waiting >= o.HighLoad {
				high++
				highBusy += x.busy
				if !was {
					phases++
				}
			}
			was = x.waiting >= o.HighLoad
			if now < lastArrival {
				waiting += x.waiting
			}
		}
		v := metrics.Compute(s, cluster.Flat(slots), o)
		area := float64(slots * (to - from))
		for name, want := range map[string]float64{
			"utilization": float64(busy) / area, "loss-of-capacity": float64(fits) / area, "loss-of-capacity-strict": float64(queue) / area,
			"high-load-length": float64(high), "high-load-phases": float64(phases), "max-queue-length": float64(longest),
		} {
			assert.InDelta(t, want, metrics.Find(v, name).Number, 1e-12, name)
		}
		if u := metrics.Find(v, "high-load-utilization"); high > 0 {
			assert.InDelta(t, float64(highBusy)/float64(slots*high), u.Number, 1e-12)
		} else {
			assert.False(t, u.Applies)
		}
		if q := metrics.Find(v, "mean-queue-length"); lastArrival > from {
			assert.InDelta(t, float64(waiting)/float64(lastArrival-from), q.Number, 1e-12)
		} else {
			assert.False(t, q.Applies)
		}
	})
}

func BenchmarkCompute(b *testing.B) {
	s := &schedule.Schedule{}
	for i := range 300_000 {
		x := job.Time(i)
		s.Rows = append(s.Rows, row("j", x*10, 1+i%64, 1+x*7919%5000, x*10+x*104729%20000))
	}
	for b.Loop() {
		metrics.Compute(s, cluster.Flat(4096), metrics.Default)
	}
}
