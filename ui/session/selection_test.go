package session

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/public/examples"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

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

// A job whose submission moves past that of others has another place in the results.
func TestAnEditedJobStaysSelected(t *testing.T) {
	c := example(t)
	c.Why, c.ReselectRow = &protocol.Answers{Job: 3, ID: "4"}, 4
	c.Do("", c.Doc().SetCell(3, document.Submit, "12"))
	c.ShowResults(c.Ran, c.Plan, []int32{0, 1, 2, 4, 5, 6, 7, 8, 9, 3, 10, 11})
	require.True(t, c.hold())
	require.Equal(t, 9, c.Why.Job)
	require.Zero(t, c.ReselectRow)
	c.ShowResults(c.Ran, c.Plan, nil)
	require.False(t, c.hold())
	require.Equal(t, 3, c.Why.Job, "also after another edit, by its name")
}
