package policies

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

// answer returns a message with the worker's answer to request id.
func answer(t *testing.T, id int, a protocol.Refuted) browser.Message {
	head, err := json.Marshal(a)
	require.NoError(t, err)
	return browser.Message{Kind: "refuted", ID: id, Head: head}
}

func TestSearch(t *testing.T) {
	c := New(sessiontest.Example(t))
	base := c.Doc().Baseline()
	require.Empty(t, c.SearchLabel(&c.Choices()[base]), "the baseline is not compared with itself")
	require.Equal(t, "Open a small example where this policy differs from EASY", c.SearchLabel(&c.Choices()[1-base]))

	c.search = search{request: 7, nothingFound: "EASY and Conservative start all jobs at the same times"}
	c.BeginTask(7)
	taken, err := c.HandleAnswer(answer(t, 7, protocol.Refuted{Tried: 5000}))
	require.NoError(t, err)
	require.True(t, taken)
	require.Zero(t, c.Task)
	require.Equal(t, "EASY and Conservative start all jobs at the same times on 5,000 small random workloads. Other workloads may give another result.", c.Notice)

	before := c.Doc()
	found := protocol.Refuted{Title: "Job 2 starts at 3 under EASY and at 4 under Conservative", Size: "1 job on 1 processor", At: 3, Job: "2",
		Scenario: []byte(`{"version":1,"machine":{"nodes":1},"workload":{"jobs":[{"id":"2","submit":0,"procs":1,"estimate":1,"runtime":1}]},"policies":[{"name":"easy"}]}`)}
	_, err = c.HandleAnswer(answer(t, 7, found))
	require.NoError(t, err)
	require.Same(t, before, c.Doc(), "the search has ended")

	c.BeginTask(7)
	_, err = c.HandleAnswer(answer(t, 7, found))
	require.NoError(t, err)
	require.Equal(t, 1, c.Doc().Rows.Len())
	require.Equal(t, int64(3), c.LinkedView.Cursor)
	require.Equal(t, "2", c.LinkedView.Job)
	require.Equal(t, found.Title+". This is the smallest workload found: 1 job on 1 processor. Undo restores your scenario.", c.Notice)
}
