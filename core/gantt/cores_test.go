package gantt_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// placed starts each job at once, on the slots it is given.
type placed []sim.Claim

func (s placed) Clone() sim.Policy { return s }

func (s placed) Schedule(p *sim.Pass) {
	for j := range p.Waiting() {
		p.Start(j, s[j], log.Reason{Code: log.Grouped, Other: job.None})
	}
}

// group returns oracle F8: A on four nodes of two processors with two cores, beside J1
// on the first two and J2 on the others. A goes at 1/1.1 beside J1, J2 as fast as
// alone, and slow is how much J2 slows A down.
func group(t require.TestingT, slow float64) *log.Log {
	m := cluster.Machine{Nodes: 4, Processors: 2, Cores: 2, JobsPerNode: 2}
	cores := func(core int, nodes ...int) (s cluster.Set) { // that core of both processors
		for _, n := range nodes {
			s = s.Append(m.Slot(n, 0, core)).Append(m.Slot(n, 1, core))
		}
		return s
	}
	slowdown := [3][3]float64{{0, 1.1, slow}, {1.1, 0, 0}, {1.0, 0, 0}}
	var jobs []job.Job
	for i, id := range []string{"A", "J1", "J2"} {
		length := []job.Time{4000, 3000, 1500}[i]
		jobs = append(jobs, job.Job{ID: id, Runtime: length, Request: job.Request{Procs: []int{8, 4, 4}[i], Estimate: length}})
	}
	e, err := sim.New(sim.Config{Machine: m, Jobs: jobs, Level: log.Full,
		Policy: placed{{PerNode: 2, Slots: cores(0, 0, 1, 2, 3)}, {PerNode: 2, Slots: cores(1, 0, 1)}, {PerNode: 2, Slots: cores(1, 2, 3)}},
		Speed:  speed.Contention{Cos: func(i, j job.Index) float64 { return slowdown[i][j] }}})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}

// of returns the pieces of a job on its lowest lanes.
func of(v gantt.View, j job.Index) (out []gantt.Piece) {
	for _, p := range v.Pieces {
		if p.Job == j && (len(out) == 0 || p.Lane0 == out[0].Lane0) {
			out = append(out, p)
		}
	}
	return out
}

// Where the rate of a job changes its piece is cut, and each part tells its rate
// and beside whom it is.
func TestPiecesAreCutWhereTheRateChanges(t *testing.T) {
	c := gantt.New(group(t, 1.2))
	v := c.View(whole(c))
	a := of(v, 0)
	require.Len(t, a, 3)
	require.Equal(t, gantt.Pace{Rate: 1 / 1.2, Beside: 1, Others: 2}, v.Paces[a[0].Pace])
	require.Equal(t, gantt.Pace{Rate: 1 / 1.1, Beside: 1, Others: 1}, v.Paces[a[1].Pace])
	require.Zero(t, a[2].Pace, "the rest it has its nodes for itself")
	require.Equal(t, []job.Time{0, 1500, 3300, 4414}, []job.Time{a[0].From, a[1].From, a[2].From, a[2].To})
	require.Equal(t, gantt.Pace{Rate: 1 / 1.1, Others: 1}, v.Paces[of(v, 1)[0].Pace])
	require.Equal(t, gantt.Pace{Rate: 1, Others: 1}, v.Paces[of(v, 2)[0].Pace], "beside A at its own speed")
	require.Equal(t, 1, c.Pieces(0), "it is not preempted")
	require.Len(t, c.JobSpans(0), 1)
}

// Where the nodes are shared is told by nodes and times.
func TestSharesAreNodesAndTimes(t *testing.T) {
	c := gantt.New(group(t, 1.05))
	v := c.View(whole(c))
	require.Equal(t, []gantt.Piece{
		{To: 3300, Lane0: 0, Lane1: 8},
		{To: 1500, Lane0: 8, Lane1: 16},
	}, v.Shares)
	a := of(v, 0)
	require.Len(t, a, 2, "the worst neighbour counts: the end of J2 changes nothing")
	require.Equal(t, gantt.Pace{Rate: 1 / 1.1, Beside: 1, Others: 2}, v.Paces[a[0].Pace])
	require.Equal(t, "3 jobs share nodes, there at 0.91 to 1.00 of their speed.", c.Sharing())
}

// Paces too short to be told apart are one, with their mean.
func TestShortPacesAreGathered(t *testing.T) {
	c := gantt.New(group(t, 1.2))
	q := whole(c)
	q.Columns = 4
	v := c.View(q)
	a := of(v, 0)
	require.Len(t, a, 1)
	pace := v.Paces[a[0].Pace]
	require.InDelta(t, (1500/1.2+1800/1.1+1114)/4414, pace.Rate, 1e-9)
	require.Equal(t, gantt.Pace{Rate: pace.Rate, Mean: true}, pace, "nobody in particular was beside it")
	require.Empty(t, c.View(q).Shares)
	q = whole(c)
	q.T0, q.T1, q.Columns = 1600, 1700, 100
	a = of(c.View(q), 0)
	require.Len(t, a, 3)
	require.Equal(t, []job.Time{0, 1500, 3300}, []job.Time{a[0].From, a[1].From, a[2].From}, "what is out of sight is not cut up")
}

// What a page hears of the paces: three numbers a piece, or nothing.
func TestEncodePaces(t *testing.T) {
	c := gantt.New(group(t, 1.2))
	q := whole(c)
	told := func() (out [][3]float64) {
		v := c.View(q)
		v.Pieces = of(v, 0)
		data := v.EncodePaces(nil)
		for ; len(data) > 0; data = data[24:] {
			var x [3]float64
			for k := range x {
				x[k] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*k:]))
			}
			out = append(out, x)
		}
		return out
	}
	require.Equal(t, [][3]float64{{1 / 1.2, 1, 2}, {1 / 1.1, 1, 1}, {1, 0, 0}}, told())
	q.Columns = 4
	require.EqualValues(t, -1, told()[0][2])
	v := gantt.New(twelve(t, "easy")).View(q)
	require.Empty(t, v.EncodePaces(nil))
}

// Jobs that have their nodes for themselves have nothing to tell.
func TestWholeNodesAreNotShared(t *testing.T) {
	c := gantt.New(twelve(t, "easy"))
	v := c.View(whole(c))
	require.Empty(t, v.Shares)
	require.Empty(t, c.Sharing())
	for _, p := range v.Pieces {
		require.Zero(t, p.Pace)
	}
}
