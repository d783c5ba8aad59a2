package slowdown_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload/draw"
)

// TestTable4 checks that table 4 of the thesis follows from its tables 2 and 3. These hold 24 values of
// SL_crs and 8 of SL_nos (see Crs and Nos). Table 4 holds three columns of whole percentages, whose
// total must be 300. For SL_nos, the thesis moves 5 % from bin 1.0 to bin 1.2.
func TestTable4(t *testing.T) {
	crs := [9]int{0, 6, 4, 4, 3, 4, 2, 1, 0}
	nos := [9]int{2, 4, 1, 0, 1}
	moved := [9]float64{0, -5, 0, 5, 0, 0, 0, 0, 0}
	sum := 0
	for k := range crs {
		require.InDelta(t, 100*float64(crs[k])/24, slowdown.Crs[k], 1.2, "SL_crs, bin %d", k)
		require.InDelta(t, 100*float64(nos[k])/8+moved[k], slowdown.Nos[k], 0.51, "SL_nos, bin %d", k)
		sum += slowdown.Crs[k] + slowdown.Nos[k] + slowdown.Cos[k]
	}
	require.Equal(t, 300, sum)
}

// TestBins checks that a drawn slowdown is in its bin, and that each bin gets its share of the
// draws.
func TestBins(t *testing.T) {
	require.Equal(t, 0.9, slowdown.Nos.Sample(0, 0))
	require.Equal(t, 1.05, slowdown.Nos.Sample(0.25, 0.5))
	require.Equal(t, 1.7, slowdown.Cos.Sample(0.99, 0))
	s := draw.Stream(4, 1)
	for _, bins := range []slowdown.Bins{slowdown.Crs, slowdown.Nos, slowdown.Cos} {
		requireShares(t, bins, func() float64 { return bins.Sample(s.Uniform(), s.Uniform()) })
	}
}

// requireShares compares the fractions of 200,000 draws with the percentages of the bins.
func requireShares(t *testing.T, bins slowdown.Bins, next func() float64) {
	const n = 200000
	var counts [9]int
	for range n {
		counts[int((next()-0.9)*10+1e-9)]++
	}
	for k := range bins {
		require.InDelta(t, bins[k], 100*float64(counts[k])/n, 0.4, "bin %d of %v", k, bins)
	}
}

// TestDrawnPairs checks that drawn slowdowns of pairs follow table 4 and depend only on the seed and
// the two jobs. The slowdown of i by j must be drawn independently of the slowdown of j by i.
func TestDrawnPairs(t *testing.T) {
	jobs := make([]job.Job, 700)
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i + 1)
	}
	m := slowdown.Model{Drawn: true, Seed: 7}
	cos := m.Speed(jobs).(speed.Contention).Cos
	i, j := int32(0), int32(0)
	requireShares(t, slowdown.Cos, func() float64 {
		if i++; i == 600 {
			i, j = 0, j+1
		}
		return cos(i, j)
	})
	fewer := m.Speed(jobs[3:]).(speed.Contention).Cos
	require.Equal(t, cos(5, 3), fewer(2, 0))
	symmetric, repeated := 0, 0
	other := slowdown.Model{Drawn: true, Seed: 8}
	otherCos := other.Speed(jobs).(speed.Contention).Cos
	for i := range int32(100) {
		for j := range i {
			if cos(i, j) == cos(j, i) {
				symmetric++
			}
			if cos(i, j) == otherCos(i, j) {
				repeated++
			}
		}
	}
	require.Less(t, symmetric, 20, "of 4950 pairs, some are equal by chance")
	require.Less(t, repeated, 20)
	require.Equal(t, []float64{1.0122, 1.443, 1.063}, []float64{cos(0, 1), cos(1, 0), cos(600, 3)}, "equal on all platforms")
}

// TestGivenPairs checks that each given pair sets the slowdown of one job by the other, and not the
// reverse. It also checks that jobs of one application class have the same slowdowns.
func TestGivenPairs(t *testing.T) {
	jobs := []job.Job{{ID: "A"}, {ID: "B"}, {ID: "C", Request: job.Request{More: &job.More{Class: "x"}}},
		{ID: "D", Request: job.Request{More: &job.More{Class: "x"}}}}
	m := slowdown.Model{Pairs: []slowdown.Pair{{Of: "B", NextTo: "A", Slow: 1.4}, {Of: "A", NextTo: "B", Slow: 1.2}}}
	require.NoError(t, m.Check(jobs))
	cos := m.Speed(jobs).(speed.Contention).Cos
	require.Equal(t, []float64{1.2, 1.4, 1, 1}, []float64{cos(0, 1), cos(1, 0), cos(0, 2), cos(3, 2)})

	m = slowdown.Model{Drawn: true, Seed: 1, ByClass: true}
	cos = m.Speed(jobs).(speed.Contention).Cos
	require.Equal(t, cos(0, 2), cos(0, 3))
	require.Equal(t, cos(2, 3), cos(3, 2))
	require.NotEqual(t, cos(0, 2), cos(1, 2))
}

func TestInvalidPairs(t *testing.T) {
	jobs := []job.Job{{ID: "A"}, {ID: "B", Request: job.Request{More: &job.More{Class: "x"}}}}
	for _, c := range []struct {
		of, nextTo string
		classes    bool
		want       string
	}{
		{"A", "C", false, `slowdown of "A" next to "C": expected a job of the workload, got "C"`},
		{"x", "A", false, `slowdown of "x" next to "A": expected a job of the workload, got "x"`},
		{"B", "x", true, `slowdown of "B" next to "x": expected an application class of the workload, got "B"`},
		{"A", "A", false, `slowdown of "A" next to "A": expected another job, got itself`},
		{"x", "x", true, ""},
	} {
		m := slowdown.Model{ByClass: c.classes, Pairs: []slowdown.Pair{{Of: c.of, NextTo: c.nextTo, Slow: 1.1}}}
		if err := m.Check(jobs); c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
}

// TestGrownSize checks the sizes that formula 7 of Zeng 2009 gives after rounding. It also checks the
// number of processes per node that formula 11 gives for jobs of these sizes.
func TestGrownSize(t *testing.T) {
	for _, c := range []struct {
		procs     int
		nos, crs  float64
		size, ppn int
	}{
		{8, 1.0, 1.1, 32, 4},
		{8, 1.05, 1.4, 16, 2},
		{8, 1.35, 1.3, 8, 1},
		{1, 1, 1, 1, 1},
		{8, 1.15, 1.05, 32, 4},
		{6, 1.05, 1.4, 11, 2},
		{6, 1.0, 1.1, 22, 4},
		{128, 1.0, 1.1, 512, 4},
		{127, 0.9, 1.0, 512, 4}, // 564 processes do not fit
		{127, 0.9, 1.5, 256, 2}, // 282 do not fit with two per node
		{2, 1.0, 1.2, 8, 4},
	} {
		require.Equal(t, c.size, slowdown.GrownSize(c.procs, c.nos, c.crs, 128, 4), "%+v", c)
		require.Equal(t, c.ppn, slowdown.ThesisLimits.ProcsPerNode(c.size, c.nos, c.crs, 4), "%+v", c)
	}
	require.Equal(t, 8, slowdown.GrownSize(8, 1, 1, 128, 1), "a single-core node holds one process")
}

// TestSharesOfProcsPerNode draws slowdowns of parallel jobs from table 4. It checks what percentages
// of the jobs get 1, 2 and 4 processes per node by formula 11.
func TestSharesOfProcsPerNode(t *testing.T) {
	const n = 200000
	s := draw.Stream(3, 1)
	var count [5]int
	for range n {
		nos, crs := slowdown.Nos.Sample(s.Uniform(), s.Uniform()), slowdown.Crs.Sample(s.Uniform(), s.Uniform())
		count[slowdown.ThesisLimits.ProcsPerNode(8, nos, crs, 4)]++
	}
	for ppn, want := range map[int]float64{1: 25.7, 2: 38.2, 4: 36.1} {
		require.InDelta(t, want, 100*float64(count[ppn])/n, 0.5, "PPN %d", ppn)
	}
}

// TestGrownSizeOfRandomJobs checks that a grown job is not smaller than before and fits on the nodes.
// If the size before is a power of two, the grown size must be one too.
func TestGrownSizeOfRandomJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := 1 << rapid.IntRange(0, 8).Draw(t, "log2 nodes")
		procs := rapid.IntRange(1, nodes).Draw(t, "procs")
		nos, crs := rapid.Float64Range(0.9, 1.4).Draw(t, "nos"), rapid.Float64Range(1, 1.7).Draw(t, "crs")
		n := slowdown.GrownSize(procs, nos, crs, nodes, 4)
		perNode := slowdown.ThesisLimits.ProcsPerNode(n, nos, crs, 4)
		require.True(t, n >= procs && n <= nodes*perNode, "%d processes, %d before, %d on each of %d nodes", n, procs, perNode, nodes)
		if procs&(procs-1) == 0 {
			require.Zero(t, n&(n-1))
		}
	})
}
