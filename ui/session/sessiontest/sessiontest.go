// Package sessiontest creates sessions for tests of features. The sessions have no browser and no
// worker.
package sessiontest

import (
	"github.com/stretchr/testify/require"

	"backfill-lab/public/examples"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Example returns a session with the first example.
func Example(t require.TestingT) *session.Session {
	return Scenario(t, examples.List[0].Scenario)
}

// Scenario returns a session with the document of a scenario file.
func Scenario(t require.TestingT, file string) *session.Session {
	d, err := document.Read([]byte(file))
	require.NoError(t, err)
	return Document(d)
}

// Document returns a session with a document.
func Document(d document.Doc) *session.Session {
	s := session.New()
	s.Tabs = []string{"jobs", "workload", "machine", "policies", "text"}
	s.Open(d)
	s.Check()
	return s
}

// Ran returns a session with the first example and a result for each title. The index of each job
// equals the index of its row.
func Ran(t require.TestingT, generation int, titles ...string) *session.Session {
	s := Example(t)
	require.Empty(t, s.Bad)
	ran := &protocol.Ran{Generation: generation, Jobs: s.Doc().Rows.Len()}
	for _, title := range titles {
		ran.Results = append(ran.Results, protocol.Result{Title: title})
	}
	s.ShowResults(ran, s.Plan, nil)
	return s
}
