package explain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

// withCurve returns a Why? panel that explains a moldable job on a machine of 8 nodes. The argument procs holds the
// number of processors that each policy gave the job.
func withCurve(t *testing.T, s *job.Speedup, procs ...int) *Explainer {
	c := New(sessiontest.Example(t), nil, nil)
	c.Why = &protocol.Answers{Procs: 3, Machine: protocol.Machine{Nodes: 8, Processors: 1, Cores: 1}, More: &job.More{Speedup: s}}
	for i, n := range procs {
		c.Why.Answers = append(c.Why.Answers, protocol.Answer{Procs: n, Title: string(rune('A' + i))})
	}
	return c
}

func TestCurveOfDowney(t *testing.T) {
	c := withCurve(t, &job.Speedup{L: 12, A: 3}, 4, 2, 4, 0)
	k := c.curve()
	require.Equal(t, 5, k.maxProcs, "2A - 1")
	require.Equal(t, []mark{{2, "B"}, {4, "A, C"}}, k.marks)
	require.Equal(t, "2 processors for 6 s (B) · 4 processors for 4 s (A, C)", k.sizesText())
	require.Equal(t, "runtime on one processor (L) 12 s, average parallelism (A) 3, variation of the parallelism (sigma) 0", k.parametersText())
	require.Equal(t, []CurveRow{
		{"1", "12", "1", "6", "", "other"}, {"2", "6", "2", "2", "chosen", "chosen"}, {"3", "4", "3", "0", "requested", "other"},
		{"4", "4", "3", "0", "chosen", "chosen"}, {"5", "4", "3", "0", "", "other"},
	}, c.CurveRows())
	require.Equal(t, "The second processor saves 6 s. On 5 processors, one more would save 0 s.", c.RevenueLabel())
	picture := string(c.CurveRuntimes())
	require.Contains(t, picture, `<path class="line" d="M54.0 8.0L103.0 44.0L152.0 56.0L201.0 56.0L250.0 56.0"/>`)
	require.Equal(t, 2, strings.Count(picture, "<circle"))
	require.Equal(t, 1, strings.Count(string(c.CurveRevenues()), `class="asked"`))
}

// If the charts show times with units, such as hours, so does the curve.
func TestCurveInUnits(t *testing.T) {
	c := withCurve(t, &job.Speedup{L: 7200, A: 3}, 2)
	require.Equal(t, ", in seconds", c.CurveUnit())
	c.Ran = &protocol.Ran{Clock: format.UnitClock}
	require.Empty(t, c.CurveUnit())
	require.Equal(t, "2 processors for 1 h (A)", c.curve().sizesText())
	require.Equal(t, "Runtime from 2 h on 1 processor to 40 min on 5 processors. The job runs on 2 processors for 1 h (A).", c.CurveLabel())
	require.Equal(t, "1 h", c.CurveRows()[0].Revenue)
}

func TestCurveOfATableAndOfNone(t *testing.T) {
	k := withCurve(t, &job.Speedup{Table: []job.Time{9, 6}}, 3).curve()
	require.Equal(t, 3, k.maxProcs, "the machine gave more than the table has")
	require.Equal(t, 6.0, k.Runtime(3))
	require.Equal(t, "a table of 2 runtimes, one for each number of processors", k.parametersText())
	require.Equal(t, "no processors yet", withCurve(t, &job.Speedup{L: 5, A: 1}).curve().sizesText())
	require.False(t, withCurve(t, nil).HasCurve())
	require.False(t, New(sessiontest.Example(t), nil, nil).HasCurve())
}

func TestCurveOfManyProcessorsIsThinnedOut(t *testing.T) {
	c := withCurve(t, &job.Speedup{L: 1e9, A: 1e6, Sigma: 2}, 777_777)
	c.Why.Machine.Nodes = 1_000_000
	require.Equal(t, 1_000_000, c.curve().maxProcs)
	require.LessOrEqual(t, len(c.CurveRows()), 23)
	require.Less(t, len(c.CurveRuntimes()), 4000)
}
