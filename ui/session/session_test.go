package session

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/public/examples"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// If a run rejects a job, the page marks the invalid cell of the job, as if it had found the error before the run.
// After the next edit, the page checks the document again.
func TestRejectedJobsAreMarked(t *testing.T) {
	c := example(t)
	plan, row := c.Plan, 3
	require.NotNil(t, plan)
	fail := func(f protocol.Fault, running *document.Plan) {
		head, err := json.Marshal(f)
		require.NoError(t, err)
		c.Task, c.RunPlan = 7, running
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

// The page shows an Undo button next to a notice only while Undo reverts what the notice reports.
func TestNoticesOfferUndo(t *testing.T) {
	c := example(t)
	c.Notice = "Replaced. Undo restores your scenario."
	require.False(t, c.OffersUndo(), "there is nothing to undo")
	c.Do("", c.Doc().SetCell(3, document.Procs, "1"))
	c.Notice = "Cancelled."
	require.False(t, c.OffersUndo())
	c.DoText("", *c.Doc())
	require.Equal(t, "Cancelled.", c.Notice)
	c.Notice = "Replaced. Undo restores your scenario."
	require.True(t, c.OffersUndo())
	c.DoText("", *c.Doc())
	require.Empty(t, c.Notice, "Undo would revert the title")
}

// A policy fails in a run, and the user edits the policy before the answer arrives. The page then
// ignores the answer, which is about the old version of the policy.
func TestFailureOfAnEditedPolicy(t *testing.T) {
	c, policy := example(t), 1
	head, err := json.Marshal(protocol.Fault{Text: "EASY: at 0: script, line 1, column 1: no", Policy: &policy})
	require.NoError(t, err)
	c.Task = 8
	require.NoError(t, c.handleFailure(browser.Message{Kind: "error", ID: 7, Head: head}))
	require.Empty(t, c.Failure)
	require.Nil(t, c.PolicyFault)
	require.Equal(t, 8, c.Task)
	c.RunPlan = c.Plan
	require.NoError(t, c.handleFailure(browser.Message{Kind: "error", ID: 8, Head: head}))
	require.NotEmpty(t, c.Failure)
	require.Equal(t, policy, *c.PolicyFault.Policy)
}

// The script that an exercise gives the student is incomplete, so its failure is not an error of
// the student. The page runs the policies before the script. If there are none, it drops the old
// results.
func TestFailureOfAnUnwrittenScript(t *testing.T) {
	c, policy := example(t), 1
	old := c.Plan
	c.Do("", c.Doc().SetCell(0, document.Procs, "1"))
	c.Events.Unwritten = func(i int) bool { return i == policy }
	fail := func() {
		head, err := json.Marshal(protocol.Fault{Text: "Submission: at 13: no event remains, with 12 of 20 jobs still waiting", Policy: &policy})
		require.NoError(t, err)
		c.Task, c.RunPlan = 7, c.Plan
		require.NoError(t, c.handleFailure(browser.Message{Kind: "error", ID: 7, Head: head}))
		require.Empty(t, c.Failure)
		require.Nil(t, c.PolicyFault)
		require.Same(t, c.Plan, c.RunPlan)
	}
	fail()
	require.Equal(t, len(c.Doc().Policies)-1, c.Skipped)
	require.NotZero(t, c.Task, "the first policy runs again")
	require.Same(t, old, c.ShownPlan)
	policy = 0
	fail()
	require.Equal(t, len(c.Doc().Policies), c.Skipped)
	require.Nil(t, c.Ran)
	c.run()
	require.Zero(t, c.Skipped)
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

// If results arrive while a question about a job is unanswered, the page must ask this question
// again, not the previous one. Moving the cursor asks about the same job.
func TestResultsDuringAQuestion(t *testing.T) {
	c := example(t)
	head, err := json.Marshal(protocol.Ran{Jobs: c.Doc().Rows.Len(), Generation: 2})
	require.NoError(t, err)
	c.RunPlan, c.Why = c.Plan, &protocol.Answers{Job: 3, ID: "4", At: 9}
	c.AskWhy(7, 5)
	_ = c.handleMessage(browser.Message{Kind: "ran", Head: head}) // this returns an error only because the test has no charts
	require.Equal(t, protocol.Why{Job: 7, At: 5}, c.lastWhy)
	c.ShowAt(6)
	require.Equal(t, protocol.Why{Job: 7, At: 6}, *c.nextWhy)
}

// The explanations of a job begin with the policy in whose chart the user selected the job, even
// after a run with the policies in another order. If the job was selected elsewhere, the
// explanations are in the order of the charts.
func TestAnswerOrder(t *testing.T) {
	c := example(t)
	require.Empty(t, c.AnswerOrder())
	c.ShownPlan, c.Ran = c.Plan, &protocol.Ran{Jobs: c.Doc().Rows.Len()}
	c.ShowJob(2, 5, 1)
	c.Why = &protocol.Answers{Job: 2, ID: "3", Answers: []protocol.Answer{{Title: "EASY"}, {Title: "Conservative"}, {Title: "FCFS"}}}
	require.Equal(t, []int{1, 0, 2}, c.AnswerOrder())
	require.Equal(t, "Job 3. Conservative:  EASY:  FCFS: ", c.announcement())
	c.AskWhy(4, 5)
	require.Equal(t, []int{1, 0, 2}, c.AnswerOrder(), "a link in an explanation keeps the order")

	ran := func(titles ...string) *protocol.Ran {
		x := &protocol.Ran{Jobs: c.Doc().Rows.Len(), Generation: 2}
		for _, t := range titles {
			x.Results = append(x.Results, protocol.Result{Title: t})
		}
		return x
	}
	c.ShowResults(ran("EASY", "Conservative", "FCFS"), c.Plan, nil)
	head, err := json.Marshal(ran("EASY", "FCFS", "Conservative"))
	require.NoError(t, err)
	c.RunPlan = c.Plan
	_ = c.handleMessage(browser.Message{Kind: "ran", Head: head}) // this returns an error only because the test has no charts
	require.Equal(t, []int{2, 0, 1}, c.AnswerOrder())
	c.SelectJob(2)
	require.Equal(t, []int{0, 1, 2}, c.AnswerOrder())
	c.ShowJob(2, 5, -1)
	_ = c.handleMessage(browser.Message{Kind: "ran", Head: head}) // this returns an error only because the test has no charts
	require.Equal(t, []int{0, 1, 2}, c.AnswerOrder())
}

// If a run is cancelled when some policies are done, their results stay. A notice says so, and the
// user can run the other policies.
func TestCancelAfterSomePolicies(t *testing.T) {
	c := example(t)
	head, err := json.Marshal(protocol.Ran{Jobs: c.Doc().Rows.Len(), Generation: 2, Results: []protocol.Result{{Title: "EASY"}}, Pending: []string{"Conservative"}})
	require.NoError(t, err)
	c.Task, c.RunPlan = 7, c.Plan
	_ = c.handleMessage(browser.Message{Kind: "partial", ID: 7, Head: head}) // this returns an error only because the test has no charts
	require.Equal(t, 7, c.Task)
	require.Equal(t, []string{"EASY"}, c.Titles())
	require.True(t, c.IsCurrent())
	require.False(t, c.IsComplete())
	c.Cancel()
	require.True(t, c.CanRunAgain())
	require.Equal(t, "Cancelled. Charts and metrics show the policies that had finished.", c.Notice)
}

// While a lesson hides later events, a question about the start of a job asks instead about the time that the
// player shows.
func TestQuestionInAStep(t *testing.T) {
	c := example(t)
	require.EqualValues(t, -1, c.timeToAsk(-1))
	c.Events.HidesLaterEvents, c.Events.PlayedAt = func() bool { return true }, func() int64 { return 8 }
	require.EqualValues(t, 8, c.timeToAsk(-1))
	require.EqualValues(t, 5, c.timeToAsk(5), "a time that the user selected")
}

// After all jobs are deleted, WaitingText does not mention the last valid scenario until new results arrive.
func TestEmptyTableEndsTheLastValidScenario(t *testing.T) {
	c := example(t)
	add := func() string {
		n := c.Doc().Rows.Len()
		c.EditedRow, c.Adding = n+1, true
		c.Do("", c.Doc().AddRow())
		return c.WaitingText()
	}
	require.Equal(t, "Row 13 is new. Fill in submit, procs, estimate and runtime; until then, the charts show the last valid scenario.", add())
	require.Equal(t, "Row 13 is new. Fill in submit, procs, estimate and runtime, then save it.", c.FirstFixNotice("save it"))
	require.False(t, c.Emptied)
	c.Do("", c.Doc().DeleteRows(0, 13))
	require.Equal(t, "The scenario has no jobs. Add a job, then save it.", c.FirstFixNotice("save it"))
	require.Equal(t, "Row 1 is new. Fill in submit, procs, estimate and runtime.", add())
	require.True(t, c.Emptied)
	c.ShowResults(&protocol.Ran{}, &document.Plan{}, nil)
	require.False(t, c.Emptied)
}

// Problems lists at most five errors, and says how many it omits.
func TestProblemsAreLimited(t *testing.T) {
	c := example(t)
	for n, last := range map[int]string{5: "e5", 6: "and 1 more", 7: "and 2 more"} {
		c.Bad = nil
		for i := range n {
			c.Bad = append(c.Bad, document.Problem{Row: -1, Text: fmt.Sprintf("e%d", i+1)})
		}
		all := c.Problems()
		require.Len(t, all, min(n, 6))
		require.Equal(t, last, all[len(all)-1])
	}
}
