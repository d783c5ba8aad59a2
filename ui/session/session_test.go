package session

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/public/examples"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// If a run rejects a job, its cell is marked like one that Check rejects. The next edit checks
// the job again.
func TestRejectedJobsAreMarked(t *testing.T) {
	c := example(t)
	plan, row := c.Plan, 3
	require.NotNil(t, plan)
	fail := func(f protocol.Fault, running *document.Plan) {
		head, err := json.Marshal(f)
		require.NoError(t, err)
		c.Task, c.Running = 7, running
		require.NoError(t, c.handleFailure(browser.Message{Kind: "error", ID: 7, Head: head}))
	}
	f := protocol.Fault{Text: `job 4 (id "4"), procs: expected at most 1, as never has it so, got 2`, Row: &row, Field: "procs"}
	fail(f, &document.Plan{})
	require.Equal(t, f.Text, c.Failure, "the error is about another document")
	require.Same(t, plan, c.Plan)
	fail(f, plan)
	require.Empty(t, c.Failure)
	require.Equal(t, []string{"Row 4, procs: expected at most 1, as never has it so, got 2"}, c.Problems())
	require.Equal(t, document.Procs, c.Bad[0].Column)
	require.Nil(t, c.Plan, "an invalid document can neither run nor be saved")
	c.Download("x", "", nil)
	require.Contains(t, c.Notice, "The scenario has errors")
	c.Do("", c.Doc().SetCell(3, document.Procs, "1"))
	require.Empty(t, c.Problems())
	require.NotNil(t, c.Plan)
}

// example returns a session with results of the first example.
func example(t *testing.T) *Session {
	d, err := document.Read([]byte(examples.List[0].Scenario))
	require.NoError(t, err)
	c := New()
	c.Open(d)
	c.Check()
	require.Empty(t, c.Bad)
	c.ShowResults(&protocol.Ran{Jobs: d.Rows.Len()}, c.Plan, nil)
	return c
}

// If an edit moves the submission of a job past others, the index of the job in the results
// changes. The job must stay selected.
func TestAnEditedJobStaysSelected(t *testing.T) {
	c := example(t)
	c.Why, c.ReselectRow = &protocol.Answers{Job: 3, ID: "4"}, 4
	c.Do("", c.Doc().SetCell(3, document.Submit, "12"))
	c.ShowResults(c.Ran, c.Plan, []int32{0, 1, 2, 4, 5, 6, 7, 8, 9, 3, 10, 11})
	require.True(t, c.reselectJob())
	require.Equal(t, 9, c.Why.Job)
	require.Zero(t, c.ReselectRow)
	c.ShowResults(c.Ran, c.Plan, nil)
	require.False(t, c.reselectJob())
	require.Equal(t, 3, c.Why.Job, "found by name after another edit")
}

// A run is cancelled when some policies are done. Their results stay, a notice says so, and
// the user can run the other policies.
func TestCancelAfterSomePolicies(t *testing.T) {
	c := example(t)
	head, err := json.Marshal(protocol.Ran{Jobs: c.Doc().Rows.Len(), Generation: 2, Results: []protocol.Result{{Title: "EASY"}}, Pending: []string{"Conservative"}})
	require.NoError(t, err)
	c.Task, c.Running = 7, c.Plan
	_ = c.handleMessage(browser.Message{Kind: "partial", ID: 7, Head: head}) // no charts here
	require.Equal(t, 7, c.Task)
	require.Equal(t, []string{"EASY"}, c.Titles())
	require.True(t, c.IsCurrent())
	require.False(t, c.IsComplete())
	c.Cancel()
	require.True(t, c.CanRunAgain())
	require.Equal(t, "Cancelled. Charts and metrics show the policies that were done.", c.Notice)
}

// In a step of a lesson, a question about the start of a job is one about the time of the step.
func TestQuestionInAStep(t *testing.T) {
	c := example(t)
	require.EqualValues(t, -1, c.timeToAsk(-1))
	c.Events.Stepping, c.Events.PlayedAt = func() bool { return true }, func() int64 { return 8 }
	require.EqualValues(t, 8, c.timeToAsk(-1))
	require.EqualValues(t, 5, c.timeToAsk(5), "a time that the user selected")
}
