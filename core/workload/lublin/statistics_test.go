package lublin_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
)

const sample = 20000 // number of jobs

// statistics holds those statistics of one sample that the reference tables list.
type statistics struct {
	serial, pow2    float64    // serial: fraction of serial jobs among all jobs; pow2: fraction of powers of two among parallel jobs
	size, runtime   float64    // means
	meanGap, load   float64    // mean time between arrivals in seconds; work per processor and second
	jobs, work      [3]float64 // shares of the jobs and of the work: short (<= 10 min), medium (<= 3 h), long
	sizes, runtimes []float64  // sorted
	gaps            []float64  // times between arrivals in seconds, sorted
	correlation     float64    // correlation of the logarithms of size and runtime
}

func measure(jobs []job.Job, procs int) (s statistics) {
	n, area := float64(len(jobs)), 0.0
	var x, y, xx, yy, xy float64
	for i, j := range jobs {
		size, runtime := float64(j.Procs), float64(j.Runtime)
		if j.Procs == 1 {
			s.serial++
		} else if j.Procs&(j.Procs-1) == 0 {
			s.pow2++
		}
		class := 2
		switch {
		case j.Runtime <= 600:
			class = 0
		case j.Runtime <= 3*3600:
			class = 1
		}
		s.jobs[class] += 1 / n
		s.work[class] += size * runtime
		area += size * runtime
		s.sizes, s.runtimes = append(s.sizes, size), append(s.runtimes, runtime)
		if i > 0 {
			s.gaps = append(s.gaps, float64(j.Submit-jobs[i-1].Submit))
		}
		s.size += size / n
		s.runtime += runtime / n
		a, b := math.Log(size), math.Log(runtime)
		x, y, xx, yy, xy = x+a, y+b, xx+a*a, yy+b*b, xy+a*b
	}
	span := float64(jobs[len(jobs)-1].Submit - jobs[0].Submit)
	s.pow2 /= n - s.serial
	s.serial /= n
	s.meanGap = span / (n - 1)
	s.load = area / (float64(procs) * float64(jobs[len(jobs)-1].Submit)) // measured from time 0, as in the reference
	for c := range s.work {
		s.work[c] /= area
	}
	s.correlation = (xy/n - x/n*y/n) / math.Sqrt((xx/n-x/n*x/n)*(yy/n-y/n*y/n))
	slices.Sort(s.sizes)
	slices.Sort(s.runtimes)
	slices.Sort(s.gaps)
	return s
}

func quantile(sorted []float64, percent int) float64 { return sorted[len(sorted)*percent/100] }

func requireBetween(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	require.True(t, got >= low && got <= high, "%s: expected %g to %g, got %g", what, low, high, got)
}

// TestStatistics compares statistics of generated jobs, for three seeds, with those of the
// published generator. Each value must lie between the minimum and the maximum of the generator
// over these seeds, widened by a tolerance for rounding. The tolerance is half a unit of the last
// published digit, but 0.15 percentage points for the fraction of long jobs. Quantiles have
// tolerances of their own.
func TestStatistics(t *testing.T) {
	for seed := range uint32(3) {
		s := measure(drawJobs(t, sample, 128, seed+1, nil), 128)
		requireBetween(t, "serial", s.serial, 0.2415, 0.24835)
		requireBetween(t, "powers of two among parallel jobs", s.pow2, 0.8225, 0.8295)
		requireBetween(t, "mean size", s.size, 11.85, 12.35)
		requireBetween(t, "mean runtime", s.runtime, 4347.5, 4372.5)
		requireBetween(t, "mean time between arrivals", s.meanGap, 877.5, 903.5)
		requireBetween(t, "correlation", s.correlation, 0.1535, 0.1665)
		for _, want := range []struct{ percent, size int }{{50, 4}, {90, 32}, {99, 128}} {
			require.InDelta(t, want.size, quantile(s.sizes, want.percent), 1, "size, %d %%", want.percent)
		}
		for _, want := range []struct{ percent, runtime, tolerance int }{{10, 7, 0}, {25, 19, 1}, {50, 106, 8}, {75, 6980, 140}, {90, 14500, 300}, {99, 34400, 1400}} {
			require.InDelta(t, want.runtime, quantile(s.runtimes, want.percent), float64(want.tolerance), "runtime, %d %%", want.percent)
		}
		for _, want := range []struct{ percent, gap, tolerance int }{{10, 18, 1}, {50, 115, 5}, {90, 1230, 60}, {99, 13300, 900}} {
			require.InDelta(t, want.gap, quantile(s.gaps, want.percent), float64(want.tolerance), "time between arrivals, %d %%", want.percent)
		}
		for c, want := range [3][2]float64{{0.6385, 0.6425}, {0.1935, 0.1965}, {0.163, 0.166}} {
			requireBetween(t, "share of the jobs", s.jobs[c], want[0], want[1])
		}
		for c, want := range [3][2]float64{{0.0045, 0.0055}, {0.2655, 0.2725}, {0.7225, 0.7295}} {
			requireBetween(t, "share of the work", s.work[c], want[0], want[1])
		}
	}
}

// TestLoads compares the load of 20,000 jobs with that of the published generator, to three digits,
// for each seed and each value of the knob alpha. The values of alpha come from the theses of Jin
// and Zeng.
func TestLoads(t *testing.T) {
	for alpha, want := range map[float64][3]float64{
		9.83: {.874, .854, .921}, 10.05: {.813, .765, .779}, 10.2303: {.759, .719, .693},
		10.33: {.687, .673, .722}, 10.43: {.637, .602, .608}, 10.73: {.532, .602, .553},
	} {
		for seed := range uint32(3) {
			knobs := map[string]string{"alpha": strconv.FormatFloat(alpha, 'g', -1, 64)}
			s := measure(drawJobs(t, sample, 128, seed+1, knobs), 128)
			require.InDelta(t, want[seed], s.load, 0.00051, "alpha %g, seed %d", alpha, seed+1)
		}
	}
}

// TestTyped checks samples of batch and interactive jobs against the reference ranges.
func TestTyped(t *testing.T) {
	for seed := range uint32(3) {
		s := measure(drawJobs(t, sample, 128, seed+1, map[string]string{"typed": "true"}), 128)
		requireBetween(t, "serial", s.serial, 0.1725, 0.1795)
		requireBetween(t, "powers of two among parallel jobs", s.pow2, 0.825, 0.8375)
		requireBetween(t, "mean size", s.size, 8.85, 9.05)
		requireBetween(t, "mean runtime", s.runtime, 1461.5, 1740.5)
		requireBetween(t, "mean time between arrivals", s.meanGap, 494.5, 525.5)
		requireBetween(t, "load", s.load, 0.355, 0.485)
	}
}
