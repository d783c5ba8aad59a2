package compare_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/compare"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
)

// TestDistributions compares quantiles with those of R (type 7) and NumPy.
func TestDistributions(t *testing.T) {
	values := []float64{100, 3, math.NaN(), 1, 2, 5, 4}
	order := compare.SortedIndexes(values)
	require.Equal(t, []int32{3, 4, 1, 6, 5, 0}, order)
	got := compare.Distributions(values, order, &compare.Classes{Names: []string{"a"}, ClassOf: make([]int32, 7)})[0]
	assert.InDelta(t, 1.25, got.Low, 1e-9)
	assert.InDelta(t, 76.25, got.High, 1e-9)
	assert.Equal(t, []float64{1, 2.25, 3.5, 4.75, 100}, []float64{got.Min, got.Q1, got.Median, got.Q3, got.Max})
	assert.InDelta(t, 115.0/6, got.Mean, 1e-9)
	assert.Equal(t, []float64{1, 2, 3, 4, 5, 100}, got.Values)

	two := compare.Distributions(values, order, &compare.Classes{Names: []string{"a", "none", "b"}, ClassOf: []int32{0, 2, 2, 0, 0, 2, 0}})
	assert.Equal(t, []int{4, 0, 2}, []int{two[0].N, two[1].N, two[2].N})
	assert.Equal(t, 4.0, two[2].Median)
}

func TestSortedIndexesIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-10, 10), rapid.Float64(), rapid.Just(0.0), rapid.Map(rapid.IntRange(-300, 1000), func(n int) float64 { return float64(n) })), 0, 60).Draw(t, "values")
		want := make([]int32, len(values))
		for i := range want {
			want[i] = int32(i)
			if values[i] == 0 {
				values[i] = 0 // replaces -0
			}
		}
		slices.SortStableFunc(want, func(a, b int32) int {
			switch {
			case values[a] < values[b]:
				return -1
			case values[a] > values[b]:
				return 1
			}
			return 0
		})
		require.Equal(t, want, compare.SortedIndexes(values))
	})
}

// TestDistributionsAgreeWithMetrics checks that the mean, median and maximum of a distribution
// equal the corresponding metrics of the same jobs.
func TestDistributionsAgreeWithMetrics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 30).Draw(t, "jobs")
		var jobs []job.Job
		for i := range n {
			jobs = append(jobs, job.Job{ID: string(rune('a' + i)), Runtime: rapid.Int64Range(1, 30).Draw(t, "runtime"), Request: job.Request{Submit: int64(i), Procs: 1, Estimate: 40}})
		}
		l := log.New(cluster.Flat(40), jobs, log.Spans)
		var starts []job.Time
		for i := range jobs {
			starts = append(starts, jobs[i].Submit+rapid.Int64Range(0, 50).Draw(t, "wait"))
			l.Add(log.Record{Kind: log.Start, At: starts[i], Job: job.Index(i), Other: job.None})
			l.RecordSlots(job.Index(i), cluster.Set{{Lo: int32(i), Hi: int32(i) + 1}}, log.Layout{Procs: 1})
		}
		for i := range jobs {
			l.Add(log.Record{Kind: log.Finish, At: starts[i] + jobs[i].Runtime, Job: job.Index(i), Other: job.None})
		}
		o := metrics.Default
		o.Warmup, o.Cooldown = rapid.Float64Range(0, 30).Draw(t, "warm-up"), rapid.Float64Range(0, 30).Draw(t, "cool-down")
		table := metrics.Compute(schedule.FromLog(l), l.Machine, o)
		for _, x := range []struct {
			mean, median, max string
			values            []float64
		}{{"mean-wait", "median-wait", "max-wait", compare.Waits(l, l.Outcomes(), o)}, {"mean-bounded-slowdown", "", "", compare.Slowdowns(l, l.Outcomes(), o)}} {
			s := compare.Distributions(x.values, compare.SortedIndexes(x.values), compare.SingleClass(jobs))[0]
			require.InDelta(t, metrics.Find(table, x.mean).Number, s.Mean, 1e-9)
			require.Equal(t, metrics.Find(table, "jobs").Number, float64(s.N))
			if x.median != "" {
				require.InDelta(t, metrics.Find(table, x.median).Number, s.Median, 1e-9)
				require.Equal(t, metrics.Find(table, x.max).Number, s.Max)
			}
		}
	})
}

func BenchmarkDistributions(b *testing.B) {
	values := make([]float64, 300_000)
	x := uint64(1)
	for i := range values {
		x = x*6364136223846793005 + 1442695040888963407
		values[i] = 1 + float64(x>>40)/7
	}
	c := &compare.Classes{Names: []string{"a"}, ClassOf: make([]int32, len(values))}
	for b.Loop() {
		compare.Distributions(values, compare.SortedIndexes(values), c)
	}
}
