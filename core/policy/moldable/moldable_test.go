package moldable

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
)

// fixedSizes is a sizer that gives each job a fixed size. The slice holds the sizes by job.
type fixedSizes []int32

func (f fixedSizes) clone() sizer                             { return f }
func (f fixedSizes) add(p *sim.Pass, w *waiting, j job.Index) { w.resize(p, j, f[j]) }
func (f fixedSizes) remove(*sim.Pass, job.Index)              {}
func (f fixedSizes) allocate(*sim.Pass, *waiting)             {}
func (f fixedSizes) why(m, procs int, gain float64) log.Code  { return log.AtShare }

// TestStrategies checks the schedules of three choices of sizes: the strategies A, B and C of Wu et
// al. 2015, Table 1 and Figure 3. It runs them with backfilling, as in the figure, and in FCFS
// order.
func TestStrategies(t *testing.T) {
	table := [][]job.Time{{10, 5}, {10, 7}, {10, 9}}
	for _, c := range []struct {
		name, selection string
		sizes           fixedSizes
		starts, ends    []job.Time
		responses       job.Time // sum of the response times
	}{
		{"A", "easy", fixedSizes{2, 2, 1}, []job.Time{0, 5, 0}, []job.Time{5, 12, 10}, 27},
		{"B", "easy", fixedSizes{2, 1, 2}, []job.Time{0, 0, 5}, []job.Time{5, 10, 14}, 29},
		{"C", "easy", fixedSizes{1, 2, 2}, []job.Time{0, 0, 7}, []job.Time{10, 7, 16}, 33},
		{"A", "fcfs", fixedSizes{2, 2, 1}, []job.Time{0, 5, 5}, []job.Time{5, 12, 15}, 32},
		{"B", "fcfs", fixedSizes{2, 1, 2}, []job.Time{0, 0, 5}, []job.Time{5, 10, 14}, 29},
		{"C", "fcfs", fixedSizes{1, 2, 2}, []job.Time{0, 0, 7}, []job.Time{10, 7, 16}, 33},
	} {
		t.Run(c.name+"-"+c.selection, func(t *testing.T) {
			var jobs []job.Job
			for i, runtimes := range table {
				jobs = append(jobs, job.Job{ID: fmt.Sprint(i + 1), Runtime: 10,
					Request: job.Request{Procs: 1, Estimate: 10, More: &job.More{Speedup: &job.Speedup{Table: runtimes}}}})
			}
			m := build(knobs(map[string]string{"select": c.selection})).(*Moldable)
			m.sizer = c.sizes
			e, err := sim.New(sim.Config{Machine: cluster.Flat(3), Jobs: jobs, Policy: m, Level: log.Full})
			require.NoError(t, err)
			require.NoError(t, e.Run())
			require.Empty(t, schedule.CheckLog(e.Log(), false))
			sum := job.Time(0)
			for i, o := range e.Log().Outcomes() {
				require.Equal(t, c.starts[i], o.Start)
				require.Equal(t, c.ends[i], o.Finish)
				require.Equal(t, c.sizes[i], e.Log().Layout(job.Index(i)).Procs)
				sum += o.Finish
			}
			require.Equal(t, c.responses, sum)
		})
	}
}

// TestDowney compares the speedups and runtimes that Downey's model gives with known values.
func TestDowney(t *testing.T) {
	for _, c := range []struct {
		a, sigma float64
		n        int
		speedup  float64
	}{
		{10, .5, 2, 1.9512}, {10, .5, 4, 3.7209}, {10, .5, 8, 6.8085}, {10, .5, 10, 8.1633}, {10, .5, 16, 9.5522}, {10, .5, 19, 10},
		{10, 2, 2, 1.875}, {10, 2, 4, 3.3333}, {10, 2, 8, 5.4545}, {10, 2, 10, 6.25}, {10, 2, 16, 8}, {10, 2, 20, 8.8235}, {10, 2, 28, 10},
		{3, 1, 2, 1.7143}, {3, 1, 4, 2.6667}, {3, 1, 5, 3}, {3, 1, 9, 3},
	} {
		s := job.Speedup{L: 1000, A: c.a, Sigma: c.sigma}
		require.InDelta(t, c.speedup, s.At(c.n), 1e-4, "%v", c)
		require.InDelta(t, 1000/c.speedup, s.Runtime(c.n), 0.05, "%v", c)
	}
}

// TestConvex checks that the runtime in Downey's model is a convex function of the number of
// processors, and that it is constant from MaxUsefulProcs processors on.
func TestConvex(t *testing.T) {
	for a := 1.0; a < 100; a *= 1.3 {
		for sigma := 0.0; sigma <= 2; sigma += 0.1 {
			s := &job.Speedup{L: 30000, A: a, Sigma: sigma}
			last := s.L
			for n := 1; n < 300; n++ {
				gain := s.Runtime(n) - s.Runtime(n+1)
				require.GreaterOrEqual(t, roundToNanos(gain), 0.0, "A %g, sigma %g, n %d", a, sigma, n)
				require.LessOrEqual(t, gain, last+1e-7, "A %g, sigma %g, n %d", a, sigma, n)
				require.True(t, n < s.MaxUsefulProcs() || roundToNanos(gain) == 0, "A %g, sigma %g, n %d", a, sigma, n)
				last = gain
			}
		}
	}
}

// TestRules checks the budget and the maximum sizes for knob values whose products with the machine
// size have rounding errors.
func TestRules(t *testing.T) {
	r := rules{alpha: 0.29, threshold: 0.29}
	require.Equal(t, 29, r.budget(100))
	require.Equal(t, 29, r.maxSizeHRF(100))
	require.Equal(t, 29, r.maxSize(100))
	r = rules{alpha: 1.6667, threshold: 0.9}
	require.Equal(t, 5, r.budget(3))
	require.Equal(t, 116, r.maxSizeHRF(128))
	require.Equal(t, 115, r.maxSize(128))
	r.threshold = 0
	require.Equal(t, 1, r.maxSizeHRF(128))
	require.Equal(t, 1, r.maxSize(128))
	r.threshold = 1
	require.Equal(t, 128, r.maxSizeHRF(128))
}

// TestPresets checks that Spec accepts the knobs of all presets.
func TestPresets(t *testing.T) {
	for _, p := range Presets {
		v, err := Spec.Settings(p.KnobValues())
		require.NoError(t, err, p.Name)
		require.NotNil(t, build(v))
	}
}
