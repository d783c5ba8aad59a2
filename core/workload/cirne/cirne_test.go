package cirne_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/generator/registry"
)

func drawJobs(t *testing.T, knobs map[string]string) []job.Job {
	t.Helper()
	knobs["jobs"] = "100000"
	o := registry.Settings{Model: "cirne-like", Knobs: knobs, Procs: 128, Seed: 5}
	d, err := o.Generate()
	require.NoError(t, err)
	return d.Jobs
}

// TestDefaults checks that the defaults approximate the workload of Wu et al. 2015. The average parallelism
// A is log-uniform in [1, 128], and its variation sigma is uniform in [0, 2]. The sequential runtime L is
// log-normal with median 30000 s and spread 1.6, at most 2,000,000 s.
func TestDefaults(t *testing.T) {
	jobs := drawJobs(t, map[string]string{"mean-interarrival": "600"})
	a, sigma, l, ll, cut := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, j := range jobs {
		s := j.Speedup()
		require.LessOrEqual(t, s.L, 2e6)
		if s.L == 2e6 {
			cut++
		}
		x := math.Log(s.L)
		a, sigma, l, ll = a+math.Log(s.A), sigma+s.Sigma, l+x, ll+x*x
	}
	n := float64(len(jobs))
	require.InEpsilon(t, math.Log(128)/2, a/n, 0.01)
	require.InEpsilon(t, 1, sigma/n, 0.01)
	require.InDelta(t, math.Log(30000), l/n, 0.02) // the limit on L lowers the mean by 0.002
	require.InDelta(t, 1.6, math.Sqrt(ll/n-l/n*l/n), 0.02)
	require.InDelta(t, 0.0043, cut/n, 0.001) // ln(2e6/30000) is 2.62 standard deviations
	require.InEpsilon(t, 600, float64(jobs[len(jobs)-1].Submit)/n, 0.01)
}

// TestMeanChangesArrivalsOnly checks that changing the mean time between arrivals changes only the
// arrivals.
func TestMeanChangesArrivalsOnly(t *testing.T) {
	heavy, light := drawJobs(t, map[string]string{"mean-interarrival": "600"}), drawJobs(t, map[string]string{"mean-interarrival": "2000"})
	for i := range heavy {
		require.Equal(t, heavy[i].More, light[i].More)
		require.InDelta(t, float64(light[i].Submit)*0.3, float64(heavy[i].Submit), 1)
	}
}

// TestRequests checks, for each log to which the model can be fitted, the fraction of serial jobs,
// the fraction of powers of two among the other sizes, and the range of runtimes on the requested
// processors.
func TestRequests(t *testing.T) {
	for log, want := range map[string]struct{ serial, pow2, shortest, longest float64 }{
		"ctc": {.420, .702, 232, 311333}, "kth": {.329, .615, 113, 105649}, "sdsc": {.232, .800, 210, 130248},
	} {
		serial, pow2, n := 0.0, 0.0, 0.0
		for _, j := range drawJobs(t, map[string]string{"length": log}) {
			n++
			switch {
			case j.Procs == 1:
				serial++
			case j.Procs&(j.Procs-1) == 0:
				pow2++
			}
			require.True(t, float64(j.Runtime) >= want.shortest-1 && float64(j.Runtime) <= want.longest+1, "%d", j.Runtime)
		}
		require.InDelta(t, want.serial, serial/n, 0.01, log)
		// The rounding of other sizes, mostly small ones, can also give powers of two.
		require.Greater(t, pow2/(n-serial), want.pow2-0.01, log)
		require.Less(t, pow2/(n-serial), want.pow2+0.2, log)
	}
}

// TestCycle checks that arrivals have the fitted distribution over the hours of the day.
func TestCycle(t *testing.T) {
	var hours [24]float64
	for _, j := range drawJobs(t, map[string]string{"cycle": "ctc"}) {
		hours[j.Submit/3600%24] += 1e-5
	}
	require.InDelta(t, 0.0822, hours[11], 0.004)
	require.InDelta(t, 0.0069, hours[5], 0.002)
	require.InDelta(t, 0.0381, hours[23], 0.003)
}
