package document

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

// rich returns the document that small returns, with two extra resources, memory and gpu.
func rich() Doc {
	d := small().AddResource().AddResource()
	return d.SetMachineText(3, "memory").SetMachineText(4, "16").SetMachineText(5, "gpu").SetMachineText(6, "2")
}

const (
	memory = Amounts
	gpu    = Amounts + 1
)

// cellProblem returns the problem of a cell.
func cellProblem(row int, c Column, text string) Problem {
	return Problem{Row: row, Column: c, Policy: -1, Text: text}
}

func TestResourcesOfTheMachine(t *testing.T) {
	d := rich()
	plan, bad := d.Check()
	require.Empty(t, bad)
	require.Equal(t, []protocol.Resource{{Name: "memory", Capacity: 16}, {Name: "gpu", Capacity: 2}}, plan.Run.Machine.Resources)
	require.Equal(t, "resource 1", small().AddResource().Resources[0].Name)
	require.Len(t, small().AddResource().AddResource().DropResource(0).Resources, 1)
	for want, bad := range map[string]Doc{
		"machine, resource 1: expected a name, got nothing":               d.SetMachineText(3, ""),
		`machine, resource 2: expected a unique name, got "memory" twice`: d.SetMachineText(5, "memory"),
		`machine, capacity of gpu: expected a whole number, got "2x"`:     d.SetMachineText(6, "2x"),
		"machine, capacity of gpu: expected 1 to 10^18, got 0":            d.SetMachineText(6, "0"),
	} {
		_, problems := bad.Check()
		require.Len(t, problems, 1)
		require.Equal(t, want, problems[0].Text)
	}
	d = d.SetMachineText(6, "")
	require.Equal(t, 4, d.Slots(), "resources do not affect the slots")
}

func TestAmounts(t *testing.T) {
	d := rich().SetCell(1, gpu, "2").SetCell(0, memory, "9")
	plan, bad := d.Check()
	require.Empty(t, bad)
	require.Equal(t, []int64{9}, plan.Jobs()[0].More.Extra)
	require.Equal(t, []int64{0, 2}, plan.Jobs()[1].More.Extra)
	_, bad = check(d.SetMachineText(6, "1"))
	require.Equal(t, []Problem{cellProblem(1, gpu, "expected 0 to 1 (capacity of the machine), got 2")}, bad)
	for typed, want := range map[string]string{
		"3": "expected 0 to 2 (capacity of the machine), got 3", "-1": "expected 0 to 2 (capacity of the machine), got -1", "": `expected a whole number, got ""`,
	} {
		e := d.SetCell(0, gpu, typed)
		require.Equal(t, typed, text(e, 0, gpu))
		_, bad = e.Check()
		problem := cellProblem(0, gpu, want)
		problem.Blank = typed == ""
		require.Equal(t, []Problem{problem}, bad)
	}
	d = d.SetCell(1, gpu, "0")
	plan, _ = d.Check()
	require.Nil(t, plan.Jobs()[1].More, "a zero amount leaves no optional data")
}

func TestDropResourceRemovesAmounts(t *testing.T) {
	d := rich().SetCell(0, memory, "9").SetCell(0, gpu, "1").SetCell(1, memory, "x").SetCell(1, gpu, "-")
	e := d.DropResource(0)
	require.Equal(t, "1", text(e, 0, memory), "the second resource is now the first")
	require.Equal(t, "-", text(e, 1, memory))
	require.Equal(t, "9", text(d, 0, memory), "an edit does not change the previous document")
	e = e.DropResource(0)
	plan, bad := e.Check()
	require.Empty(t, bad)
	require.Nil(t, plan.Jobs()[0].More)
	require.Nil(t, plan.Jobs()[1].More)
}

func TestCurveIsTypedCellByCell(t *testing.T) {
	d := small().SetCell(0, Estimate, "20").SetCell(0, A, "4")
	_, bad := d.Check()
	require.Equal(t, []Problem{
		cellProblem(0, L, "expected the sequential runtime in seconds, because the job is moldable, got nothing"),
		cellProblem(0, Sigma, "expected the coefficient of variation of the parallelism, because the job is moldable, got nothing"),
	}, bad)
	require.Equal(t, "4", text(d, 0, A))
	d = d.SetCell(0, L, "10").SetCell(0, Sigma, "x")
	_, bad = d.Check()
	require.Equal(t, []Problem{cellProblem(0, Sigma, `expected a number, got "x"`)}, bad)
	d = d.SetCell(0, Sigma, "0")
	plan, bad := d.Check()
	require.Empty(t, bad)
	require.Equal(t, &job.Speedup{L: 10, A: 4}, plan.Jobs()[0].Speedup())
	require.Equal(t, int64(5), plan.Jobs()[0].Runtime, "S(2) = 2")
	require.True(t, d.Rows.Groups()&Curves != 0)
	for _, half := range []string{"1.", "1.0", "1.05"} {
		d = d.SetCell(0, Sigma, half)
		require.Equal(t, half, text(d, 0, Sigma), "the text is kept as typed")
		_, bad = d.Check()
		require.Empty(t, bad)
	}
	_, bad = check(d.SetCell(0, A, "0.5"))
	require.Equal(t, []Problem{cellProblem(0, A, "expected a number from 1 to 1e+09, got 0.5")}, bad)
	for _, c := range []Column{L, A, Sigma} {
		d = d.SetCell(0, c, "")
	}
	plan, bad = d.Check()
	require.Empty(t, bad)
	require.Nil(t, plan.Jobs()[0].More, "a job without a curve is rigid")
	require.False(t, d.Rows.Groups()&Curves != 0)
}

func TestRuntimeOfAMoldableJobIsComputed(t *testing.T) {
	d := small().SetCell(0, L, "10").SetCell(0, A, "4").SetCell(0, Sigma, "0")
	d = d.SetCell(0, Procs, "4")
	require.Equal(t, "3", text(d, 0, Runtime), "10 / 4, rounded up")
	d = d.SetCell(0, Runtime, "1")
	require.Equal(t, "3", text(d, 0, Runtime), "the runtime cannot be edited")
	d = d.SetCell(0, Procs, "4x").SetCell(0, Procs, "0")
	require.Equal(t, "3", text(d, 0, Runtime), "the runtime stays if the number of processors is invalid")
	_, bad := check(d.SetCell(0, Procs, "1"))
	require.Equal(t, []Problem{{Row: 0, Column: Runtime, Policy: -1, Text: "expected 1 to the estimate 5, got 10", Overrun: true}}, bad)
}

func TestTablesOfRuntimesAreKept(t *testing.T) {
	odd := job.Job{ID: "1", Runtime: 6, Request: job.Request{Procs: 2, Estimate: 9, More: &job.More{Speedup: &job.Speedup{Table: []int64{9, 6, 4}}}}}
	d := rich()
	d.Rows = NewRows([]Row{RowOf(&odd)})
	d = d.SetCell(0, Procs, "3").SetCell(0, memory, "4").SetCell(0, A, "2")
	require.Equal(t, "4", text(d, 0, Runtime))
	_, bad := d.Check()
	require.Len(t, bad, 2, "A alone is no curve")
	plan, bad := check(d.SetCell(0, A, ""))
	require.Empty(t, bad)
	require.Equal(t, []int64{9, 6, 4}, plan.Jobs()[0].Speedup().Table)
	require.Equal(t, []int64{4}, plan.Jobs()[0].More.Extra)
}

func TestPasteIntoOptionalColumns(t *testing.T) {
	d, err := rich().Paste(0, richColumns(0)[4:], "4\t8\t1\n2\t3\n", nil, NoPause)
	require.NoError(t, err)
	require.Equal(t, []string{"4", "8", "1"}, []string{text(d, 0, Runtime), text(d, 0, memory), text(d, 0, gpu)})
	require.Equal(t, "3", text(d, 1, memory))
	d, err = rich().Paste(0, richColumns(0), "sigma,A,L,res:gpu\n0,2,8,1\n", nil, NoPause)
	require.NoError(t, err)
	plan, bad := d.Check()
	require.Empty(t, bad)
	require.Equal(t, &job.Speedup{L: 8, A: 2}, plan.Jobs()[0].Speedup())
	require.Equal(t, []int64{0, 1}, plan.Jobs()[0].More.Extra)
	d, err = rich().Paste(0, richColumns(Curves), "A\nL\n", nil, NoPause)
	require.NoError(t, err)
	require.Equal(t, "A", text(d, 0, ID), "a row of single letters is not a header")
}

// check calls Check for a document that is not addressable, such as the result of a call.
func check(d Doc) (*Plan, []Problem) { return d.Check() }

// richColumns returns the columns that the table shows with the given groups, for the document that rich returns.
func richColumns(shown Groups) []Column {
	d := rich()
	return d.Columns(shown)
}

func TestMakeMoldableFitsTheEstimate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		procs, estimate := rapid.Int64Range(1, 300).Draw(t, "procs"), rapid.Int64Range(1, 1e6).Draw(t, "estimate")
		d := Doc{Machine: [4]string{"300", "1", "1", "0"}, Policies: []Policy{{Name: "fcfs"}},
			Rows: NewRows([]Row{{Name: "1", Values: [4]int64{0, procs, estimate, 1}}})}
		d, n := d.MakeMoldable(0, 1, rapid.Float64Range(1, 400).Draw(t, "A"), rapid.Float64Range(0, 5).Draw(t, "sigma"))
		require.Equal(t, 1, n)
		plan, bad := d.Check()
		require.Empty(t, bad)
		require.Equal(t, estimate, plan.Jobs()[0].Runtime)
		require.Equal(t, estimate, plan.Jobs()[0].Estimate)
	})
}

func TestMakeMoldableSkipsOtherJobs(t *testing.T) {
	d := small().SetCell(0, Procs, "x")
	e, n := d.MakeMoldable(0, 2, 4, 1)
	require.Equal(t, 1, n, "invalid rows are skipped")
	first := e.Rows.At(0)
	require.Equal(t, d.Rows.At(0), first)
	f, n := e.MakeMoldable(1, 1, 9, 0)
	require.Zero(t, n, "a moldable job keeps its curve")
	require.True(t, f.Rows.Same(e.Rows))
	v, bad := ParseCurve("4", "-1")
	require.Equal(t, 4.0, v[0])
	require.NoError(t, bad[0])
	require.EqualError(t, bad[1], "expected a number from 0 to 1e+09, got -1")
}
