package session

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// A job that only a run finds fault with is marked like one of which the table
// tells at once; an edit judges anew.
func TestRefusedJobsAreMarked(t *testing.T) {
	c := example(t)
	plan, row := c.Plan, 3
	require.NotNil(t, plan)
	fail := func(f protocol.Fault, running *document.Plan) {
		head, err := json.Marshal(f)
		require.NoError(t, err)
		c.Task, c.Running = 7, running
		require.NoError(t, c.failed(browser.Message{Kind: "error", ID: 7, Head: head}))
	}
	f := protocol.Fault{Text: `job 4 (id "4"), procs: expected at most 1, as never has it so, got 2`, Row: &row, Field: "procs"}
	fail(f, &document.Plan{})
	require.Equal(t, f.Text, c.Failure, "of another document")
	require.Same(t, plan, c.Plan)
	fail(f, plan)
	require.Empty(t, c.Failure)
	require.Equal(t, []string{"Row 4, procs: expected at most 1, as never has it so, got 2"}, c.Problems())
	require.Equal(t, document.Procs, c.Bad[0].Column)
	require.Nil(t, c.Plan, "it can neither run nor be saved")
	c.Download("x", "", nil)
	require.Contains(t, c.Notice, "The scenario has errors")
	c.Do("", c.Doc().SetCell(3, document.Procs, "1"))
	require.Empty(t, c.Problems())
	require.NotNil(t, c.Plan)
}
