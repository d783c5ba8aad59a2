package document

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/ui/plot"
)

// shapedBy returns the results of ApplyRules. It also checks that ApplyRules keeps as many rows as its prediction says.
func shapedBy(t require.TestingT, d Doc, rules workload.Rules) (Doc, Prediction) {
	out, prediction, err := d.ApplyRules(rules, NoPause)
	require.NoError(t, err)
	require.Equal(t, out.Rows.Len(), prediction.Remaining+prediction.Skipped)
	return out, prediction
}

// fourJobs returns the document that small returns, but with four jobs.
func fourJobs() Doc {
	d := small()
	d.Rows = NewRows([]Row{
		{Name: "1", Values: [4]int64{10, 2, 5, 5}},
		{Name: "2", Values: [4]int64{13, 1, 3, 2}},
		{Name: "3", Values: [4]int64{20, 4, 30, 20}},
		{Name: "4", Values: [4]int64{20, 1, 3, 2}},
	})
	return d
}

func TestApplyRules(t *testing.T) {
	for _, c := range []struct {
		rules workload.Rules
		want  []string
	}{
		{workload.Rules{Window: workload.Window{From: 13, To: 20}}, []string{"2 13 1 3 2 "}},
		{workload.Rules{Window: workload.Window{From: 13}, Shift: true}, []string{"2 0 1 3 2 ", "3 7 4 30 20 ", "4 7 1 3 2 "}},
		{workload.Rules{LoadFactor: 2}, []string{"1 10 2 5 5 ", "2 12 1 3 2 ", "3 15 4 30 20 ", "4 15 1 3 2 "}},
		{workload.Rules{LoadFactor: 0.5}, []string{"1 10 2 5 5 ", "2 16 1 3 2 ", "3 30 4 30 20 ", "4 30 1 3 2 "}},
		{workload.Rules{Limit: 3}, []string{"1 10 2 5 5 ", "2 13 1 3 2 ", "3 20 4 30 20 "}},
		{workload.Rules{Keep: workload.Keep{Procs: workload.Span{From: 2, To: 4}, Runtime: workload.Span{To: 5}}}, []string{"1 10 2 5 5 "}},
	} {
		d, prediction := shapedBy(t, fourJobs(), c.rules)
		require.Equal(t, c.want, texts(d), "%+v", c.rules)
		seen, err := func() (Prediction, error) { d := fourJobs(); return d.PredictRules(c.rules, NoPause) }()
		require.NoError(t, err)
		require.Equal(t, prediction, seen)
	}
}

func TestLoadIsWorkByCapacity(t *testing.T) {
	_, prediction := shapedBy(t, fourJobs(), workload.Rules{LoadFactor: 2})
	require.Equal(t, Prediction{Total: 4, Remaining: 4, First: 10, Last: 15, Work: 94}, prediction)
	require.InDelta(t, 94.0/5/4, prediction.Load(4), 1e-12)
	require.Zero(t, (&Prediction{Work: 1}).Load(4))
}

func TestApplyRulesErrors(t *testing.T) {
	d := fourJobs()
	_, _, err := d.ApplyRules(workload.Rules{Window: workload.Window{From: 100}}, NoPause)
	require.ErrorIs(t, err, ErrNoneLeft)
	_, _, err = d.ApplyRules(workload.Rules{LoadFactor: 1e-12}, NoPause)
	require.ErrorIs(t, err, ErrTooLong)
	_, _, err = d.ApplyRules(workload.Rules{LoadFactor: -1}, NoPause)
	require.ErrorContains(t, err, "load-factor: expected")
	enough := errors.New("enough")
	_, _, err = d.ApplyRules(workload.Rules{Limit: 1}, func(int) error { return enough })
	require.ErrorIs(t, err, enough)
}

func TestApplyRulesKeepsInvalidTextsAndUnknownFields(t *testing.T) {
	d := fourJobs().SetCell(0, Submit, "1x").SetCell(2, Runtime, "")
	d.Rows = d.Rows.Splice(1, 1, d.Rows.At(1).WithUnknownFields(scenario.Fields{{Name: "note", JSON: "1"}}))
	out, prediction := shapedBy(t, d, workload.Rules{Window: workload.Window{From: 13, To: 21}, Shift: true})
	require.Equal(t, []string{"1 1x 2 5 5 ", "2 0 1 3 2 ", "3 7 4 30  ", "4 7 1 3 2 "}, texts(out))
	require.Equal(t, 1, prediction.Skipped)
	require.Equal(t, "note", out.Rows.UnknownFields()[1][0].Name)
}

func TestRowsStayExcusedAfterRules(t *testing.T) {
	d := fourJobs().SetCell(1, Runtime, "0")
	d.Excuse(nil)
	out, _ := shapedBy(t, d, workload.Rules{LoadFactor: 2, Keep: workload.Keep{Runtime: workload.Span{From: 1}}})
	require.Equal(t, "2 12 1 3 0 ", texts(out)[1])
	_, bad := out.Check()
	require.Empty(t, bad)
	_, bad = d.Check()
	require.Empty(t, bad, "the previous document does not change")
}

// TestApplyRulesEqualsDataRules checks that ApplyRules changes valid jobs in the same way as workload.Clean, which applies
// the data rules of the command line.
func TestApplyRulesEqualsDataRules(t *testing.T) {
	few := rapid.Int64Range(0, 20)
	rapid.Check(t, func(t *rapid.T) {
		var rows []Row
		var jobs []job.Job
		for i := range rapid.IntRange(1, 30).Draw(t, "jobs") {
			estimate := rapid.Int64Range(1, 9).Draw(t, "estimate")
			r := Row{Name: fmt.Sprint(i), Values: [4]int64{few.Draw(t, "submit"), rapid.Int64Range(1, 8).Draw(t, "procs"), estimate, rapid.Int64Range(1, estimate).Draw(t, "runtime")}}
			rows, jobs = append(rows, r), append(jobs, r.Job())
		}
		rules := workload.Rules{Limit: rapid.IntRange(0, 20).Draw(t, "limit"), Shift: rapid.Bool().Draw(t, "shift"),
			LoadFactor: rapid.SampledFrom([]float64{0, 1, 0.3, 2.5}).Draw(t, "factor")}
		if rapid.Bool().Draw(t, "window") {
			rules.Window.From = few.Draw(t, "from")
			rules.Window.To = rules.Window.From + 1 + few.Draw(t, "length")
		}
		rules.Keep.Procs = workload.Span{From: rapid.Int64Range(0, 4).Draw(t, "low"), To: rapid.Int64Range(4, 8).Draw(t, "high")}
		d := Doc{Machine: [4]string{"8", "1", "1", "0"}, Rows: NewRows(rows)}
		out, _, err := d.ApplyRules(rules, NoPause)
		want, wantErr := workload.Clean(jobs, nil, 8, rules)
		if wantErr != nil {
			require.ErrorIs(t, wantErr, workload.ErrNoJobs)
			require.ErrorIs(t, err, ErrNoneLeft)
			return
		}
		require.NoError(t, err)
		plan := Plan{Rows: out.Rows}
		got := plan.Jobs()
		job.Sort(got)
		require.Equal(t, want.Jobs, got)
	})
}

// The document that ApplyRules returns shares the unchanged chunks with the original document.
func TestApplyRulesSharesChunks(t *testing.T) {
	rows := make([]Row, 10*chunkRows)
	for i := range rows {
		rows[i] = Row{Name: fmt.Sprint(i), Values: [4]int64{int64(i), 1, 1, 1}}
	}
	d := Doc{Machine: [4]string{"8", "1", "1", "0"}, Rows: NewRows(rows)}
	longest := 0
	last := 0
	out, _, err := d.ApplyRules(workload.Rules{Window: workload.Window{From: 5000, To: 9000}}, func(done int) error {
		longest, last = max(longest, done-last), done
		return nil
	})
	require.NoError(t, err)
	require.LessOrEqual(t, longest, 2*chunkRows)
	require.Equal(t, 4000, out.Rows.Len())
	require.Contains(t, d.Rows.chunks, out.Rows.chunks[1])
}

func TestSurvey(t *testing.T) {
	d := fourJobs().SetCell(0, Submit, "15") // the rows are then not in order of submission
	d = d.AddRow().SetCell(4, Runtime, "x")
	s, err := d.Rows.Survey(NoPause)
	require.NoError(t, err)
	require.Equal(t, 4, s.Jobs, "invalid rows are skipped")
	require.Equal(t, 94.0, s.Work)
	require.InDelta(t, 94.0/7/4, s.Load(4), 1e-12)
	require.Equal(t, []plot.Bin{{From: 1, To: 2, N: 2}, {From: 2, To: 4, N: 1}, {From: 4, To: 8, N: 1}}, s.Sizes.Bins())
	require.Equal(t, []plot.Bin{{From: 0, To: 1, N: 1}, {From: 1, To: 2}, {From: 2, To: 5, N: 1}, {From: 5, To: 10, N: 1}}, s.Gaps.Bins())
	s, err = Rows{}.Survey(NoPause)
	require.NoError(t, err)
	require.Zero(t, s.Load(4))
	require.Empty(t, s.Gaps.Bins())
}

// A document records the operations that were applied to all its jobs, and stores this
// record in its file. Undo removes the record.
func TestApplyRulesRecordsChanges(t *testing.T) {
	h := NewHistory(fourJobs())
	scaled, _, err := fourJobs().ApplyRules(workload.Rules{LoadFactor: 1.25}, NoPause)
	require.NoError(t, err)
	first, _, err := scaled.ApplyRules(workload.Rules{Limit: 3}, NoPause)
	require.NoError(t, err)
	want := []string{"load ×1.25", "first 3 jobs"}
	require.Equal(t, want, first.Changes)
	require.Equal(t, want[:1], scaled.Changes)
	require.Empty(t, h.Now().Changes)
	plan, problems := first.Check()
	require.Empty(t, problems)
	again, err := Read(first.File(plan))
	require.NoError(t, err)
	require.Equal(t, want, again.Changes)
}
