package downey_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/generator/registry"
)

func drawJobs(t *testing.T, knobs map[string]string, procs int) []job.Job {
	t.Helper()
	o := registry.Settings{Model: "downey97", Knobs: knobs, Procs: procs, Seed: 5}
	d, err := o.Generate()
	require.NoError(t, err)
	return d.Jobs
}

// TestDistributions checks means and limits: A and L are log-uniform, sigma is uniform, and
// arrivals are a Poisson process.
func TestDistributions(t *testing.T) {
	jobs := drawJobs(t, map[string]string{"jobs": "100000", "length-min": "10", "length-max": "100000"}, 128)
	a, l, sigma := 0.0, 0.0, 0.0
	for _, j := range jobs {
		s := j.Speedup()
		require.True(t, s.A >= 1 && s.A <= 128 && s.L >= 10 && s.L <= 100000 && s.Sigma >= 0 && s.Sigma < 2)
		a, l, sigma = a+math.Log(s.A), l+math.Log(s.L), sigma+s.Sigma
		require.Equal(t, min(max(int(math.Round(s.A)), 1), 128), j.Procs)
	}
	n := float64(len(jobs))
	require.InEpsilon(t, math.Log(128)/2, a/n, 0.01)
	require.InEpsilon(t, math.Log(10*100000)/2, l/n, 0.01)
	require.InEpsilon(t, 1, sigma/n, 0.01)
	require.InEpsilon(t, 1000, float64(jobs[len(jobs)-1].Submit)/n, 0.01)
}

// TestCurve checks, on a grid and on random curves, that the runtime is a convex and non-increasing
// function of the number of processors, and constant above the largest useful size.
func TestCurve(t *testing.T) {
	var curves []job.Speedup
	for _, sigma := range []float64{0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1, 1.01, 1.1, 1.3, 1.5, 1.7, 2, 5} {
		for a := 1.0; a <= 128; a += 0.37 {
			curves = append(curves, job.Speedup{L: 30000, A: a, Sigma: sigma})
		}
	}
	for _, j := range drawJobs(t, nil, 128) {
		curves = append(curves, *j.Speedup())
	}
	for _, s := range curves {
		useful := math.Ceil(2*s.A - 1)
		if s.Sigma > 1 {
			useful = math.Ceil(s.A + s.A*s.Sigma - s.Sigma)
		}
		require.Equal(t, 1.0, s.At(1))
		gain := math.Inf(1)
		for n := 1; n < 400; n++ {
			next := s.L/s.At(n) - s.L/s.At(n+1)
			rises, bends := next < -1e-9, next > gain+1e-7
			late := float64(n) >= useful && next > 1e-9
			if rises || bends || late {
				require.Failf(t, "curve", "A %g, sigma %g, n %d: rises %t, not convex %t, useful beyond the largest useful size %t", s.A, s.Sigma, n, rises, bends, late)
			}
			gain = next
		}
	}
}

// TestDefaultLimits checks the default limits of L. Downey 1997 fits -0.18 + 0.10 ln t to the
// distribution function of the lifetimes of jobs on the SDSC Paragon. The limits of L are the times
// t at which this fit is 0 and 1.
func TestDefaultLimits(t *testing.T) {
	require.InDelta(t, 6, math.Exp(1.8), 0.1)
	require.InDelta(t, 133252, math.Exp(11.8), 1)
	var lengths []float64
	for _, j := range drawJobs(t, nil, 128) {
		lengths = append(lengths, j.Speedup().L)
	}
	require.GreaterOrEqual(t, slices.Min(lengths), 6.0)
	require.LessOrEqual(t, slices.Max(lengths), 133252.0)
}
