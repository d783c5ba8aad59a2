package experiment_test

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/experiment"
)

// Of the numbers of each study on generated workloads that are kept in the
// project, one row is made again; with BACKFILL_SOAK all are.
func TestKeptNumbersOfGenerated(t *testing.T) {
	m := &made{loads: map[string]*experiment.Load{}, facts: map[string]experiment.Cell{}, cells: map[string]experiment.Cell{}}
	for _, s := range experiment.All() {
		if s.Rows == nil {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			some := *s
			if os.Getenv("BACKFILL_SOAK") == "" {
				some.Rows = []experiment.Row{quick(t, s)}
			}
			kept, err := os.ReadFile("../../public/studies/" + s.Name + ".csv")
			require.NoError(t, err)
			var again bytes.Buffer
			require.NoError(t, m.table(t, &some).CSV(&again))
			for line := range bytes.Lines(again.Bytes()) {
				require.Contains(t, string(kept), string(line), "make studies")
			}
		})
	}
}

// quick is a row that is made in seconds: the one in the middle, or that with the
// shortest queue or the fewest jobs where most take long. As WebAssembly those with
// many jobs are left out.
func quick(t *testing.T, s *experiment.Study) experiment.Row {
	t.Helper()
	row := func(name string) int {
		return slices.IndexFunc(s.Rows, func(r experiment.Row) bool { return r.Name == name })
	}
	if i := row("uniform, 2,000 jobs"); i >= 0 {
		return s.Rows[i]
	}
	if i := row("uniform K=2 Q=64"); i >= 0 {
		if runtime.GOOS == "js" {
			t.Skip("takes long as WebAssembly")
		}
		return s.Rows[i]
	}
	return s.Rows[len(s.Rows)/2]
}

// made is what was made, each once for all studies.
type made struct {
	loads        map[string]*experiment.Load
	facts, cells map[string]experiment.Cell
}

// table is the table of a study on its own workloads.
func (m *made) table(t *testing.T, s *experiment.Study) *experiment.Table {
	t.Helper()
	for source, c := range s.Needs {
		key := source.Key()
		if m.loads[key] == nil {
			load, facts, err := source.Load()
			require.NoError(t, err)
			m.loads[key], m.facts[key] = load, facts
		}
		if cell := key + " " + c.String(); m.cells[cell] == nil {
			got, err := experiment.Run(m.loads[key], c)
			require.NoError(t, err)
			m.cells[cell] = got
		}
	}
	return s.Made(
		func(x experiment.Source) experiment.Cell { return m.facts[x.Key()] },
		func(x experiment.Source, c *experiment.Case) experiment.Cell { return m.cells[x.Key()+" "+c.String()] })
}
