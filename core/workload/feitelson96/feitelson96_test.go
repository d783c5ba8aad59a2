package feitelson96_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload/feitelson96"
	"backfill-lab/core/workload/generator/registry"
)

func drawJobs(t *testing.T, knobs map[string]string) *registry.Drawn {
	t.Helper()
	knobs["jobs"] = "100000"
	o := registry.Settings{Model: "feitelson96", Knobs: knobs, Procs: 128, Seed: 3}
	d, err := o.Generate()
	require.NoError(t, err)
	return d
}

// TestSizes checks that sizes have a harmonic distribution of order 1.5 with weight w on powers of
// two. Jobs with 1, 2, 3 and 4 processors occur in the ratio 1, w/2^1.5, 1/3^1.5, w/4^1.5.
func TestSizes(t *testing.T) {
	var count [129]float64
	for _, j := range drawJobs(t, map[string]string{"pow2-weight": "4"}).Jobs {
		count[j.Procs]++
	}
	require.InEpsilon(t, 4/2.828427, count[2]/count[1], 0.02)
	require.InEpsilon(t, 1/5.196152, count[3]/count[1], 0.04)
	require.InEpsilon(t, 4/8.0, count[4]/count[1], 0.03)
}

// TestRuntimes checks that runtimes come from two distributions, and that wide jobs more often use
// the one with the longer mean. The mean runtime of a job on n of N processors is
// 1 + 6 (0.05 + 0.2 n/N) time units. The coefficient of variation is above 1.
func TestRuntimes(t *testing.T) {
	sum, squares, want, wide, wides := 0.0, 0.0, 0.0, 0.0, 0.0
	jobs := drawJobs(t, map[string]string{"time-unit": "1000"}).Jobs
	for _, j := range jobs {
		r := float64(j.Runtime) / 1000
		sum, squares = sum+r, squares+r*r
		want += 1 + 6*(0.05+0.2*float64(j.Procs)/128)
		if j.Procs == 128 {
			wide, wides = wide+r, wides+1
		}
	}
	n := float64(len(jobs))
	require.InEpsilon(t, want/n, sum/n, 0.02)
	require.Greater(t, squares/n/(sum/n*sum/n), 2.0)
	require.InEpsilon(t, 1+6*0.25, wide/wides, 0.1)
}

// TestRepeats checks what fraction of the jobs have the same size and runtime as the job before
// them.
func TestRepeats(t *testing.T) {
	same := 0.0
	jobs := drawJobs(t, map[string]string{"repeats": "drawn", "time-unit": "1000000"}).Jobs
	for i := 1; i < len(jobs); i++ {
		if jobs[i].Runtime == jobs[i-1].Runtime && jobs[i].Procs == jobs[i-1].Procs {
			same++
		}
	}
	// The mean number of runs is zeta(1.5)/zeta(2.5) = 1.947, slightly reduced by the limit
	// of 1000.
	require.InDelta(t, 1-1/1.9, same/float64(len(jobs)), 0.02)
}

// TestAmounts checks, for each distribution, the mean amount of each extra resource, relative to the
// job's share of the machine. Resources must not change runtimes and submit times.
func TestAmounts(t *testing.T) {
	plain := drawJobs(t, map[string]string{})
	require.Empty(t, plain.Resources)
	for _, c := range []struct {
		distribution, mean string
		want               float64 // mean; m (1 - exp(-1/m)) for an exponential variable of mean m, cut at 1
	}{{"uniform", "0.5", 0.5}, {"exponential", "0.5", 0.5 * (1 - 0.1353353)}, {"exponential", "0.25", 0.25 * (1 - 0.0183156)}} {
		d := drawJobs(t, map[string]string{"resources": "4", "distribution": c.distribution, "exponential-mean": c.mean})
		require.Len(t, d.Resources, 3)
		require.Equal(t, "r2", d.Resources[0].Name)
		require.EqualValues(t, feitelson96.ExtraCapacity, d.Resources[0].Capacity)
		want, got := 0.0, [3]float64{}
		for i, j := range d.Jobs {
			require.Equal(t, plain.Jobs[i].Runtime, j.Runtime)
			require.Equal(t, plain.Jobs[i].Submit, j.Submit)
			require.LessOrEqual(t, j.Procs, plain.Jobs[i].Procs)
			want += float64(plain.Jobs[i].Procs) / 128
			for k := range got {
				got[k] += float64(j.Extra(k)) / feitelson96.ExtraCapacity
			}
		}
		for k := range got {
			require.InEpsilon(t, c.want, got[k]/want, 0.02, "%s %s, resource %d", c.distribution, c.mean, k)
		}
	}
}
