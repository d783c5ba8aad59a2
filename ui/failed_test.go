package ui

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
	c := NewApp()
	c.check()
	plan, row := c.plan, 3
	require.NotNil(t, plan)
	fail := func(f protocol.Fault, running *document.Plan) {
		head, err := json.Marshal(f)
		require.NoError(t, err)
		c.lab.task, c.lab.running = 7, running
		require.NoError(t, c.failed(browser.Message{Kind: "error", ID: 7, Head: head}))
	}
	f := protocol.Fault{Text: `job 4 (id "4"), procs: expected at most 1, as never has it so, got 2`, Row: &row, Field: "procs"}
	fail(f, &document.Plan{})
	require.Equal(t, f.Text, c.Fault(), "of another document")
	require.Same(t, plan, c.plan)
	fail(f, plan)
	require.Empty(t, c.Fault())
	require.Equal(t, []string{"Row 4, procs: expected at most 1, as never has it so, got 2"}, c.Problems())
	require.Equal(t, "true", c.line(3, c.columns()).Cells[document.Procs].Invalid)
	require.Nil(t, c.plan, "it can neither run nor be saved")
	c.Save()
	require.Contains(t, c.Notice, "The scenario has faults")
	c.do("", c.Doc().SetCell(3, document.Procs, "1"))
	require.Empty(t, c.Problems())
	require.NotNil(t, c.plan)
}
