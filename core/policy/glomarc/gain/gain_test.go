package gain_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/policy/glomarc/gain"
)

// figure11 returns the group of figure 11 in Zeng 2009: a primary on four nodes and two jobs
// matched with it. The primary has the given work in seconds.
func figure11(work float64) gain.Group {
	return gain.Group{Primary: gain.Job{Procs: 8, PerNode: 2, Nos: 1, Left: work}, Matched: []gain.Member{
		{Job: gain.Job{Procs: 4, PerNode: 2, Nos: 1, Left: 3000}, Causes: 1.2, Suffers: 1.2},
		{Job: gain.Job{Procs: 4, PerNode: 2, Nos: 1, Left: 1500}, Causes: 1.1, Suffers: 1.0},
	}}
}

// TestGain checks that Gain follows formulas 5 and 6 for the group of figure 11. The group ends
// with its last matched job, or with its primary if the primary has less work.
func TestGain(t *testing.T) {
	for _, c := range []struct {
		name              string
		group             gain.Group
		to                []float64 // end of each period
		slow              []float64 // slowdown of the primary in each period
		alone, used, gain float64
		left              float64   // work left of the primary
		rest              []float64 // work left of the matched jobs
	}{
		{"ends with a matched job", figure11(4000), []float64{1500, 3600}, []float64{1.2, 1.2}, 42000, 14400, 1.916667, 1000, []float64{0, 0}},
		{"ends with the primary", figure11(2000), []float64{1500, 2400}, []float64{1.2, 1.2}, 30000, 9600, 2.125, 0, []float64{1000, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := c.group.Gain()
			require.Len(t, w.Periods, len(c.to))
			from := 0.0
			for i, p := range w.Periods {
				require.InDelta(t, from, p.From, 1e-6)
				require.InDelta(t, c.to[i], p.To, 1e-6)
				require.InDelta(t, c.slow[i], p.Slowdown, 1e-9)
				from = p.To
			}
			require.Equal(t, []int{0, 1}, w.Periods[0].Running)
			require.Equal(t, []int{0}, w.Periods[1].Running)
			require.InDelta(t, c.alone, w.Alone, 1e-6)
			require.InDelta(t, c.used, w.Used, 1e-6)
			require.InDelta(t, c.gain, w.U, 1e-6)
			require.InDelta(t, c.left, w.PrimaryLeft, 1e-6)
			require.InDeltaSlice(t, c.rest, w.MatchedLeft, 1e-6)
		})
	}
}

// TestGainOfWork checks the field Gain.Alone. It must be the sum, over the jobs, of the work done (T) times
// the number of processes (S). In figure 11, this is T1*S1 + T2*S2 + T3*S3.
func TestGainOfWork(t *testing.T) {
	require.Equal(t, 3000.*8+3000.*4+1500.*4, 42000.)
	g := figure11(4000)
	g.Matched[0].Causes, g.Matched[0].Suffers, g.Matched[1].Causes = 1.1, 1.1, 1.05
	require.InDelta(t, 2.181818, (&g).Gain().U, 1e-6)
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t)
		w := g.Gain()
		work := float64(g.Primary.Procs) * (g.Primary.Left - w.PrimaryLeft)
		for i, m := range g.Matched {
			require.GreaterOrEqual(t, w.MatchedLeft[i], 0.0)
			work += float64(m.Procs) * (m.Left - w.MatchedLeft[i])
		}
		require.InEpsilon(t, work, w.Alone, 1e-9)
		all := 0.0
		for _, r := range w.MatchedLeft {
			all += r
		}
		require.True(t, w.PrimaryLeft == 0 || all == 0, "a group ends with its primary or with its last matched job")
		require.LessOrEqual(t, len(w.Periods), len(g.Matched))
	})
}

// drawGroup draws a group with one to five matched jobs.
func drawGroup(t *rapid.T) gain.Group {
	slow := rapid.SampledFrom([]float64{0.9, 1, 1.05, 1.1, 1.2, 1.7})
	one := func() gain.Job {
		return gain.Job{Procs: rapid.IntRange(1, 64).Draw(t, "procs"), PerNode: rapid.IntRange(1, 2).Draw(t, "per node"),
			Nos: slow.Draw(t, "nos"), Crs: slow.Draw(t, "crs"), Left: float64(rapid.IntRange(1, 200000).Draw(t, "left"))}
	}
	g := gain.Group{Primary: one()}
	for range rapid.IntRange(1, 5).Draw(t, "matched") {
		g.Matched = append(g.Matched, gain.Member{Job: one(), Suffers: slow.Draw(t, "suffers"), Causes: slow.Draw(t, "causes")})
	}
	return g
}

// TestPurify checks which matched jobs Purify removes. In figure 11, the first matched job slows
// the primary down most. It stays, because the group would gain less without it. If the group gains
// more without this job, Purify removes it, unless it is required or is the only matched job.
func TestPurify(t *testing.T) {
	g := figure11(4000)
	require.Equal(t, []int{0, 1}, g.Purify(0))
	w := (&gain.Group{Primary: g.Primary, Matched: g.Matched[1:]}).Gain()
	require.InDelta(t, 1500, w.Periods[0].To, 1e-6)
	require.InDelta(t, 1.818182, w.U, 1e-6)

	g.Matched[0].Causes, g.Matched[0].Suffers = 4, 4
	require.Equal(t, []int{1}, g.Purify(0))
	require.Equal(t, []int{0, 1}, g.Purify(1), "the first job is required")
	g.Matched = g.Matched[:1]
	require.Equal(t, []int{0}, g.Purify(0))
}

// TestGainAlone checks that a job alone on its nodes gains by running more processes per node.
func TestGainAlone(t *testing.T) {
	j := gain.Job{Procs: 8, Nos: 1.05, Crs: 1.2 / 1.05}
	four, two := j.WithPerNode(4), j.WithPerNode(2)
	require.InDelta(t, 2.3333, four.OwnGain(), 1e-4)
	require.InDelta(t, 0.9048, two.OwnGain(), 1e-4)
	j.Procs = 1
	one := j.WithPerNode(4)
	require.Equal(t, 0.0, one.OwnGain(), "a serial job has one process on its node")
}

// TestPerNode checks that PerNode follows formula 11 on nodes of four, two and one cores, and that
// PerNodeInGroup limits PPN to two. It also checks ToleratesTwoProcesses.
func TestPerNode(t *testing.T) {
	for _, c := range []struct {
		procs            int
		nos, crs         float64
		space, group     int // PPN on nodes of four cores: alone, and in a group
		twoCores, single int // PPN alone on nodes of two cores and of one core
	}{
		{32, 1.0, 1.1, 4, 2, 2, 1},
		{16, 1.05, 1.4, 2, 2, 2, 1},
		{8, 1.35, 1.3, 1, 1, 1, 1},
		{1, 1, 1, 1, 1, 1, 1},
		{32, 1.15, 1.05, 4, 1, 1, 1}, // above the limit for two processes, within the limit for four
		{22, 1.0, 1.1, 4, 2, 2, 1},
	} {
		j := gain.Job{Procs: c.procs, Nos: c.nos, Crs: c.crs}
		require.Equal(t, c.space, gain.ThesisLimits.PerNode(j, 4), "%+v", c)
		require.Equal(t, c.group, gain.ThesisLimits.PerNodeInGroup(j), "%+v", c)
		require.Equal(t, c.twoCores, gain.ThesisLimits.PerNode(j, 2), "%+v", c)
		require.Equal(t, c.single, gain.ThesisLimits.PerNode(j, 1), "%+v", c)
	}
	for nos, want := range map[float64]bool{1.12: true, 1.2: true, 1.25: true, 1.26: false} {
		j := gain.Job{Procs: 200, Nos: nos, Crs: 1.4}
		require.Equal(t, want, gain.ThesisLimits.ToleratesTwoProcesses(j, 4), nos)
		require.False(t, gain.ThesisLimits.ToleratesTwoProcesses(j, 1))
		j.Procs = 1
		require.False(t, gain.ThesisLimits.ToleratesTwoProcesses(j, 4))
	}
	j := gain.Job{Procs: 9, PerNode: 4}
	require.Equal(t, 3, j.Nodes())
}

// TestSlowdownsInGroup checks the slowdown of a job in a group. It must be the slowdown next to the
// other job, multiplied by SL_nos if the job has two processes on a node.
func TestSlowdownsInGroup(t *testing.T) {
	g := gain.Group{Primary: gain.Job{Procs: 8, PerNode: 2, Nos: 1.1, Left: 1}, Matched: []gain.Member{
		{Job: gain.Job{Procs: 2, PerNode: 1, Nos: 1.4, Left: 1}, Suffers: 1.2, Causes: 1.5}}}
	require.InDelta(t, 1.2, g.MatchedSlowdown(0), 1e-12)
	require.InDelta(t, 1.65, g.PrimarySlowdown(0), 1e-12)
	require.Equal(t, 2, g.Nodes())
}

// TestWindows checks which sets of consecutive candidates Windows finds within a node limit.
func TestWindows(t *testing.T) {
	limit := gain.NodeLimit(4, 0.125)
	require.Equal(t, 4.5, limit)
	require.Equal(t, []gain.Window{{0, 1}, {1, 2}, {2, 4}, {3, 4}}, gain.Windows([]int{2, 3, 2, 1}, limit))
	require.Equal(t, []gain.Window{{1, 2}}, gain.Windows([]int{5, 4}, limit), "a job that is too wide by itself is in no set")
	require.Empty(t, gain.Windows(nil, limit))
}

// TestPrimaryRecovers checks that the primary becomes faster when the matched job that slows it
// down most has ended.
func TestPrimaryRecovers(t *testing.T) {
	g := figure11(4000)
	g.Matched[1].Causes = 1.25
	w := g.Gain()
	require.InDelta(t, 1.25, w.Periods[0].Slowdown, 1e-12)
	require.InDelta(t, 1.2, w.Periods[1].Slowdown, 1e-12)
	require.InDelta(t, 4000-1500/1.25-2100/1.2, w.PrimaryLeft, 1e-6)
}

// TestFitAcceptsLimits checks that Fit accepts slowdowns and runtimes equal to the limits, and
// rejects larger values.
func TestFitAcceptsLimits(t *testing.T) {
	for _, c := range []struct {
		left, suffers, causes float64
		want                  bool
	}{
		{1000, 1.25, 1.25, true},
		{1000, 1.26, 1, false},
		{1000, 1, 1.26, false},
		{6000, 1.2, 1.05, true}, // the job runs 7200 s; allowed are the 4200 s of the primary and 3000 s more
		{6001, 1.2, 1.05, false},
	} {
		g := gain.Group{Primary: gain.Job{Procs: 4, PerNode: 1, Left: 4000}, Matched: []gain.Member{
			{Job: gain.Job{Procs: 2, PerNode: 1, Left: c.left}, Suffers: c.suffers, Causes: c.causes}}}
		require.Equal(t, c.want, gain.ThesisLimits.Fit(&g, 0) == gain.Suited, "%+v", c)
	}
}
