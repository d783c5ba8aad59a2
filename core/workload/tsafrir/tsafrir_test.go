package tsafrir_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/core/workload/tsafrir"
)

// sortedByJobs returns the bins sorted by number of jobs, largest first.
func sortedByJobs(bins []tsafrir.Bin) []tsafrir.Bin {
	out := slices.Clone(bins)
	slices.SortFunc(out, func(a, b tsafrir.Bin) int { return b.Jobs - a.Jobs })
	return out
}

// TestReferenceHistogram compares bins with those of the published program, for 20,000 jobs and a
// maximum of 18 hours. Which rank an estimate below the maximum gets is random. The test therefore
// compares the set of estimates, the most popular estimate, and the number of jobs at each
// popularity rank.
func TestReferenceHistogram(t *testing.T) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: the test is skipped")
	}
	data, err := os.ReadFile(filepath.Join(folder, "models", "tsafrir-histogram-seed1-max64800.txt"))
	require.NoError(t, err)
	var want []tsafrir.Bin
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var b tsafrir.Bin
		_, err := fmt.Sscan(s.Text(), &b.Time, &b.Jobs)
		require.NoError(t, err)
		want = append(want, b)
	}
	require.Len(t, want, 132)
	for seed := range uint32(20) {
		got := tsafrir.Histogram(20000, 64800, draw.Seeded(seed))
		require.Len(t, got, len(want))
		sum := 0
		for i := range got {
			require.Equal(t, want[i].Time, got[i].Time)
			sum += got[i].Jobs
		}
		require.Equal(t, 20000, sum)
		w, g := sortedByJobs(want), sortedByJobs(got)
		require.Equal(t, w[0], g[0])
		for i := range w {
			if i < 20 {
				require.InEpsilon(t, w[i].Jobs, g[i].Jobs, 0.02, "rank %d", i+1)
			} else {
				require.InDelta(t, w[i].Jobs, g[i].Jobs, 1, "rank %d", i+1)
			}
		}
	}
}

// TestPopularityIsDrawn checks that the popularity of each value except the largest differs between
// seeds.
func TestPopularityIsDrawn(t *testing.T) {
	seen := map[job.Time]map[int]bool{}
	for seed := range uint32(200) {
		for rank, b := range sortedByJobs(tsafrir.Histogram(20000, 64800, draw.Seeded(seed)))[:20] {
			if seen[b.Time] == nil {
				seen[b.Time] = map[int]bool{}
			}
			seen[b.Time][rank+1] = true
		}
	}
	require.Len(t, seen, 20)
	for time, ranks := range seen {
		if time == 64800 {
			require.Equal(t, map[int]bool{1: true}, ranks)
		} else {
			require.Greater(t, len(ranks), 2, "%d", time)
		}
	}
}

func TestAnyHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.IntRange(tsafrir.MinJobs, 300000).Draw(t, "jobs")
		largest := rapid.Int64Range(tsafrir.MinLargest, 1e8).Draw(t, "largest")
		sum := 0
		last := tsafrir.Bin{}
		for _, b := range tsafrir.Histogram(jobs, largest, draw.Seeded(rapid.Uint32().Draw(t, "seed"))) {
			require.Greater(t, b.Time, last.Time)
			require.GreaterOrEqual(t, b.Jobs, 1)
			sum, last = sum+b.Jobs, b
		}
		require.Equal(t, jobs, sum)
		require.Equal(t, largest, last.Time)
	})
}

// assignable reports whether the estimates can be assigned so that no estimate is below the runtime
// of its job. It compares the longest runtime with the longest estimate, the second longest with
// the second longest, and so on.
func assignable(jobs []job.Job, bins []tsafrir.Bin) bool {
	var runtimes, estimates []job.Time
	for _, j := range jobs {
		runtimes = append(runtimes, j.Runtime)
	}
	for _, b := range bins {
		estimates = append(estimates, slices.Repeat([]job.Time{b.Time}, b.Jobs)...)
	}
	slices.Sort(runtimes)
	slices.Sort(estimates)
	for i := range runtimes {
		if runtimes[i] > estimates[i] {
			return false
		}
	}
	return true
}

// TestAssign checks that no estimate is below the runtime of its job, and that the number of jobs
// with each estimate matches the histogram.
func TestAssign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(tsafrir.MinJobs, 2000).Draw(t, "jobs")
		seed := rapid.Uint32().Draw(t, "seed")
		jobs, s := make([]job.Job, n), draw.Stream(seed, 99)
		mean := rapid.Float64Range(1, 20000).Draw(t, "mean")
		long := 0
		for i := range jobs {
			jobs[i].Runtime = 1 + int64(s.Exponential(mean))
			if jobs[i].Runtime > 64800 {
				long++
			}
		}
		cut, err := tsafrir.Assign(jobs, 64800, draw.Seeded(seed))
		require.Equal(t, long, cut)
		bins := tsafrir.Histogram(n, 64800, draw.Seeded(seed))
		if !assignable(jobs, bins) {
			require.ErrorIs(t, err, tsafrir.ErrTooLong)
			for _, j := range jobs {
				require.Zero(t, j.Estimate)
			}
			return
		}
		require.NoError(t, err)
		count := map[job.Time]int{}
		for _, j := range jobs {
			require.GreaterOrEqual(t, j.Estimate, j.Runtime)
			count[j.Estimate]++
		}
		for _, b := range bins {
			require.Equal(t, b.Jobs, count[b.Time])
		}
	})
}

// TestLublinWithEstimates checks that the mean of runtime/estimate is close to 0.1704, the mean of
// the published program on the same jobs. The means differ only because popularities are random.
func TestLublinWithEstimates(t *testing.T) {
	o := registry.Settings{Model: "lublin", Knobs: map[string]string{"jobs": "20000", "estimates": "tsafrir"}, Procs: 128, Seed: 1}
	d, err := o.Generate()
	require.NoError(t, err)
	plain := registry.Settings{Model: "lublin", Knobs: map[string]string{"jobs": "20000"}, Procs: 128, Seed: 1}
	p, err := plain.Generate()
	require.NoError(t, err)
	accuracy := 0.0
	for i := range d.Jobs {
		require.Equal(t, min(p.Jobs[i].Runtime, 64800), d.Jobs[i].Runtime)
		require.GreaterOrEqual(t, d.Jobs[i].Estimate, d.Jobs[i].Runtime)
		accuracy += float64(d.Jobs[i].Runtime) / float64(d.Jobs[i].Estimate) / 20000
	}
	require.InDelta(t, 0.1704, accuracy, 0.03)
}
