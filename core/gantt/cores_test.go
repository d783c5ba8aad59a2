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

// fixedSlots is a policy that starts each job when it is submitted, on the slots listed for it.
type fixedSlots []sim.Claim

func (s fixedSlots) Clone() sim.Policy { return s }

func (s fixedSlots) Schedule(p *sim.Pass) {
	for j := range p.Waiting() {
		p.Start(j, s[j], log.Reason{Code: log.Grouped, Other: job.None})
	}
}

// sharedLog returns the log of a run on four nodes with two processors of two cores each. Job A
// runs on all nodes, J1 on the first two nodes, and J2 on the last two. A and J1 slow each other
// down by the factor 1.1. J2 slows A down by the factor slowOfA, and A does not slow J2 down.
func sharedLog(t require.TestingT, slowOfA float64) *log.Log {
	m := cluster.Machine{Nodes: 4, Processors: 2, Cores: 2, JobsPerNode: 2}
	cores := func(core int, nodes ...int) (s cluster.Set) { // one core of both processors of each node
		for _, n := range nodes {
			s = s.Append(m.Slot(n, 0, core)).Append(m.Slot(n, 1, core))
		}
		return s
	}
	slowdown := [3][3]float64{{0, 1.1, slowOfA}, {1.1, 0, 0}, {1.0, 0, 0}}
	var jobs []job.Job
	for i, id := range []string{"A", "J1", "J2"} {
		length := []job.Time{4000, 3000, 1500}[i]
		jobs = append(jobs, job.Job{ID: id, Runtime: length, Request: job.Request{Procs: []int{8, 4, 4}[i], Estimate: length}})
	}
	e, err := sim.New(sim.Config{Machine: m, Jobs: jobs, Level: log.Full,
		Policy: fixedSlots{{PerNode: 2, Slots: cores(0, 0, 1, 2, 3)}, {PerNode: 2, Slots: cores(1, 0, 1)}, {PerNode: 2, Slots: cores(1, 2, 3)}},
		Speed:  speed.Contention{Cos: func(i, j job.Index) float64 { return slowdown[i][j] }}})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}

// piecesOf returns the pieces of job j on its lowest range of lanes, in order of time.
func piecesOf(v gantt.View, j job.Index) (out []gantt.Piece) {
	for _, p := range v.Pieces {
		if p.Job == j && (len(out) == 0 || p.Lane0 == out[0].Lane0) {
			out = append(out, p)
		}
	}
	return out
}

// TestPiecesAreCutWhereTheRateChanges checks that a piece is cut where the rate of its job changes.
// The pace of each resulting piece must state the rate and the other jobs on the nodes.
func TestPiecesAreCutWhereTheRateChanges(t *testing.T) {
	c := gantt.New(sharedLog(t, 1.2))
	v := c.View(wholeChartQuery(c))
	a := piecesOf(v, 0)
	require.Len(t, a, 3)
	require.Equal(t, gantt.Pace{Rate: 1 / 1.2, FirstOther: 1, Others: 2}, v.Paces[a[0].Pace])
	require.Equal(t, gantt.Pace{Rate: 1 / 1.1, FirstOther: 1, Others: 1}, v.Paces[a[1].Pace])
	require.Zero(t, a[2].Pace, "at the end, A shares no nodes")
	require.Equal(t, []job.Time{0, 1500, 3300, 4414}, []job.Time{a[0].From, a[1].From, a[2].From, a[2].To})
	require.Equal(t, gantt.Pace{Rate: 1 / 1.1, Others: 1}, v.Paces[piecesOf(v, 1)[0].Pace])
	require.Equal(t, gantt.Pace{Rate: 1, Others: 1}, v.Paces[piecesOf(v, 2)[0].Pace], "J2 runs at full speed while it shares nodes with A")
	require.Equal(t, 1, c.SpanCount(0), "A is not preempted")
	require.Len(t, c.JobSpans(0), 1)
}

// TestSharesAreNodesAndTimes checks that the shares of a view cover exactly the nodes that jobs
// share, and the times at which they do.
func TestSharesAreNodesAndTimes(t *testing.T) {
	c := gantt.New(sharedLog(t, 1.05))
	v := c.View(wholeChartQuery(c))
	require.Equal(t, []gantt.Piece{
		{To: 3300, Lane0: 0, Lane1: 8},
		{To: 1500, Lane0: 8, Lane1: 16},
	}, v.Shares)
	a := piecesOf(v, 0)
	require.Len(t, a, 2, "the largest slowdown counts: the end of J2 changes nothing")
	require.Equal(t, gantt.Pace{Rate: 1 / 1.1, FirstOther: 1, Others: 2}, v.Paces[a[0].Pace])
	require.Equal(t, "3 jobs share nodes, where they run at 0.91 to 1.00 of their full speed.", c.SharingText())
}

// TestShortPhasesAreMerged checks that phases too short to show become one phase with their mean
// rate.
func TestShortPhasesAreMerged(t *testing.T) {
	c := gantt.New(sharedLog(t, 1.2))
	q := wholeChartQuery(c)
	q.Columns = 4
	v := c.View(q)
	a := piecesOf(v, 0)
	require.Len(t, a, 1)
	pace := v.Paces[a[0].Pace]
	require.InDelta(t, (1500/1.2+1800/1.1+1114)/4414, pace.Rate, 1e-9)
	require.Equal(t, gantt.Pace{Rate: pace.Rate, Mean: true}, pace, "a mean names no other job")
	require.Empty(t, c.View(q).Shares)
	q = wholeChartQuery(c)
	q.T0, q.T1, q.Columns = 1600, 1700, 100
	a = piecesOf(c.View(q), 0)
	require.Len(t, a, 3)
	require.Equal(t, []job.Time{0, 1500, 3300}, []job.Time{a[0].From, a[1].From, a[2].From}, "phases outside the window are not merged")
}

// TestEncodePaces checks that EncodePaces writes three numbers for each piece, and nothing if all
// jobs run at full speed on nodes of their own.
func TestEncodePaces(t *testing.T) {
	c := gantt.New(sharedLog(t, 1.2))
	q := wholeChartQuery(c)
	encoded := func() (out [][3]float64) {
		v := c.View(q)
		v.Pieces = piecesOf(v, 0)
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
	require.Equal(t, [][3]float64{{1 / 1.2, 1, 2}, {1 / 1.1, 1, 1}, {1, 0, 0}}, encoded())
	q.Columns = 4
	require.EqualValues(t, -1, encoded()[0][2])
	v := gantt.New(runExample(t, "easy")).View(q)
	require.Empty(t, v.EncodePaces(nil))
}

// TestWholeNodesAreNotShared checks that, if no jobs share nodes, the view contains no shares, all
// pieces have full speed, and SharingText returns "".
func TestWholeNodesAreNotShared(t *testing.T) {
	c := gantt.New(runExample(t, "easy"))
	v := c.View(wholeChartQuery(c))
	require.Empty(t, v.Shares)
	require.Empty(t, c.SharingText())
	for _, p := range v.Pieces {
		require.Zero(t, p.Pace)
	}
}
