package explain

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

// explained returns a Why? panel that explains job 9 of the first example. The session has results.
func explained(t *testing.T) *Explainer {
	c := New(sessiontest.Ran(t, 3), nil, nil)
	c.Plan, c.Bad = c.Doc().Check()
	require.Empty(t, c.Bad)
	c.ShownPlan, c.Ran = c.Plan, &protocol.Ran{Generation: 3, Jobs: 12}
	c.ShowResults(c.Ran, c.ShownPlan, nil)
	c.Why = &protocol.Answers{Generation: 3, Job: 8, ID: "9", At: 10, Submit: 8, Procs: 5, Estimate: 6, Runtime: 3,
		Answers: []protocol.Answer{{Title: "EASY", State: "waiting"}, {Title: "Conservative", State: "running"}}}
	c.trial.updateForm(c)
	return c
}

// deliver calls trial.answer with an answer of the worker to the open request.
func (c *Explainer) deliver(t *testing.T, kind string, head any) {
	text, err := json.Marshal(head)
	require.NoError(t, err)
	require.NoError(t, c.trial.answer(c, browser.Message{Kind: kind, ID: c.trial.requestID, Head: text}))
}

func after(n int64) *int64 { return &n }

func TestWhatIfFields(t *testing.T) {
	c := explained(t)
	texts := func() (out []string) {
		for _, f := range c.WhatIfFields() {
			out = append(out, f.Text)
		}
		return out
	}
	require.Equal(t, []string{"5", "8", "6", "the policies shown"}, texts())
	c.TryWhatIf()
	require.Equal(t, "Change at least one value first.", c.WhatIfStatus())
	c.trial.texts[0], c.trial.typed[0] = "two", true
	c.TryWhatIf()
	require.Equal(t, `expected a whole number from 1 to 10^12, got "two"`, c.WhatIfFields()[0].Problem)
	require.Empty(t, c.WhatIfStatus(), "the field shows the error")
	c.deliver(t, "error", protocol.Fault{Text: "job 9, procs: expected at most the machine's 8, got 9"})
	require.Equal(t, "expected at most the machine's 8, got 9", c.WhatIfFields()[0].Problem)
	c.deliver(t, "error", protocol.Fault{Text: "jobs, row 1, procs: expected at most the machine's 4, got 5"})
	require.Empty(t, c.WhatIfFields()[0].Problem, "the error is about another job")
	require.NotEmpty(t, c.WhatIfStatus())

	w := *c.Why // the same job with another submit time: the typed text stays, and the other fields show the new values
	w.Submit = 7
	c.Why = &w
	c.trial.updateForm(c)
	require.Equal(t, []string{"two", "7", "6", "the policies shown"}, texts())
	w.Job, w.ID = 2, "3"
	c.trial.updateForm(c)
	require.Equal(t, []string{"5", "7", "6", "the policies shown"}, texts())
}

// If the page shows dates, the form and its answer also show dates.
func TestWhatIfDates(t *testing.T) {
	c := explained(t)
	c.Ran.Clock = format.Clock{Units: true, Calendar: &format.Calendar{Start: 1_764_547_200}} // 2025-12-01
	w := *c.Why
	w.Job, w.Submit, w.Estimate = 7, 86_400, 5400
	c.Why = &w
	c.trial.updateForm(c)
	require.Equal(t, "2025-12-02 00:00", c.WhatIfFields()[1].Text)
	require.Equal(t, "1 h 30 min", c.WhatIfFields()[2].Text)
	c.trial.texts[2], c.trial.typed[2] = "90 min", true
	c.TryWhatIf()
	require.Equal(t, "Change at least one value first.", c.WhatIfStatus(), "the typed text stands for the same value")
	w.Runtime = 4200
	c.trial.texts[2] = "1 h"
	c.TryWhatIf()
	require.Equal(t, "expected at least 1 h 10 min (the runtime), got 1 h", c.WhatIfFields()[2].Problem)
	c.trial.err = ""
	c.deliver(t, "supposed", protocol.WhatIfAnswer{Generation: 3, Job: 7, ID: "9", Effects: []protocol.Effect{{Title: "EASY", Before: 90_000, After: after(86_400)}}})
	x := c.Consequences()[0]
	require.Equal(t, []string{"2025-12-02 01:00", "2025-12-02 00:00", "1 h sooner"}, []string{x.Before, x.After, x.Delta})
	require.Equal(t, "if-said", c.ScrollTo)
}

func TestWhatIfFound(t *testing.T) {
	c := explained(t)
	c.deliver(t, "found", protocol.StartEarlierAnswer{Generation: 3, Job: 8, Title: "EASY", Start: 24, Improvements: []protocol.Improvement{{Start: 8}, {Start: 20}}})
	require.Equal(t, "Changes that would start the job earlier: 2.", c.WhatIfStatus(), "the status line announces the answer wherever the focus is")
	require.Equal(t, "Under EASY, the job starts at 24. With one of these changes, it would start earlier:", c.ImprovementsTitle())
	c.deliver(t, "found", protocol.StartEarlierAnswer{Generation: 3, Job: 8, Title: "EASY", Start: 24})
	require.Equal(t, "None of the changes that were tried starts the job earlier.", c.WhatIfStatus())
	require.Equal(t, "Under EASY, the job starts at 24.", c.ImprovementsTitle())
}

// The panel shows an answer only if it is about the selected job and the results are up to date.
func TestWhatIfStale(t *testing.T) {
	c := explained(t)
	c.deliver(t, "supposed", protocol.WhatIfAnswer{Generation: 3, Job: 8, ID: "9", Words: "it requested 2 processors",
		Effects: []protocol.Effect{{Title: "EASY", Before: 24, After: after(8), OthersText: "x."}, {Title: "Conservative", Before: 25, OthersText: "y."}}})
	require.Equal(t, "Job 9: 16 s sooner under EASY, removed under Conservative.", c.WhatIfStatus())
	require.Equal(t, "8", c.Consequences()[0].After)
	c.deliver(t, "predicted", protocol.Predicted{Generation: 3, At: 10, Results: []protocol.ExpectedStarts{{Jobs: []int{7, 8}, Starts: []int64{20, 30}}, {}}})
	require.Equal(t, "Expected start at t = 30, if no more jobs arrive and every job runs for its full estimate.", c.ExpectedText(0))
	require.Empty(t, c.ExpectedText(1))

	c.Ran.Generation = 4
	require.Nil(t, c.Outcome())
	c.Ran.Generation = 3
	require.NotNil(t, c.Outcome())
	c.Do("", c.Doc().SetCell(0, document.Runtime, "4"))
	require.Nil(t, c.Outcome())
	require.Nil(t, c.Consequences())
	require.Empty(t, c.ExpectedText(0))
	c.ApplyWhatIf()
	require.Equal(t, "4", func() string { r := c.Doc().Rows.At(0); return r.Text(document.Runtime) }())
}

// Applying a change is a single undo step. The job stays selected, unless the change removes it.
func TestMakeIf(t *testing.T) {
	for text, want := range map[string]int{"procs=2": 9, "submit=0": 9, "remove": 0, "remove=1": 8, "nodes=1": 9, "exact": 9} {
		c := explained(t)
		before := *c.Doc()
		c.deliver(t, "supposed", protocol.WhatIfAnswer{Generation: 3, Job: 8, ID: "9", Changes: []string{text}, Words: "the job were smaller"})
		c.ApplyWhatIf()
		require.Equal(t, want, c.trial.row, text)
		require.Equal(t, want == 0, c.Why == nil, text)
		require.Equal(t, "The change was applied to the scenario. Undo reverts it.", c.Notice)
		require.False(t, c.Doc().Rows.Same(before.Rows) && c.Doc().Machine == before.Machine)
		if want > 0 {
			r := c.Doc().Rows.At(want - 1)
			require.Equal(t, "9", r.Name)
		}
		c.Undo()
		require.True(t, c.Doc().Rows.Same(before.Rows))
		require.Equal(t, before.Machine, c.Doc().Machine)
	}
}
