package experiment_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/experiment"
)

// TestStoredTablesOfGeneratedWorkloads checks that one row of each table on generated workloads in
// public/studies equals the row that the program computes. With BACKFILL_SOAK, the test checks all
// rows.
func TestStoredTablesOfGeneratedWorkloads(t *testing.T) {
	if testing.Short() {
		t.Skip("running a row of each study takes long")
	}
	m := newRunCache()
	for _, s := range experiment.All() {
		if s.Rows == nil {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			some := *s
			if os.Getenv("BACKFILL_SOAK") == "" {
				some.Rows = []experiment.Row{quickRow(t, s)}
			}
			kept, err := os.ReadFile("../../public/studies/" + s.Name + ".csv")
			require.NoError(t, err)
			var again bytes.Buffer
			require.NoError(t, m.table(t, &some).CSV(&again))
			for line := range bytes.Lines(again.Bytes()) {
				require.Contains(t, string(kept), string(line), "the file in public/studies is out of date: run make studies")
			}
		})
	}
}

// quickRow returns a row that takes only seconds to compute. In studies with slow rows, it is the
// fastest row, which quickRow finds by its name. Otherwise, it is the middle row. If even the
// fastest row takes long, quickRow skips the test.
func quickRow(t *testing.T, s *experiment.Study) experiment.Row {
	t.Helper()
	if hasSetSearch(s) && len(s.Rows[0].Parts) > 1 {
		t.Skip("takes long; TestOnePart checks a part of the row")
	}
	for _, light := range []string{"uniform, 2,000 jobs", "uniform K=2 Q=64", "W3 10.73", "W3 10.73 seed 73"} {
		i := slices.IndexFunc(s.Rows, func(r experiment.Row) bool { return r.Name == light })
		if i < 0 {
			continue
		}
		if n := len(s.Rows[i].Parts); n > 20 {
			t.Skipf("the lightest row has %d parts; set BACKFILL_SOAK to make it", n)
		}
		if light != "uniform, 2,000 jobs" && runtime.GOOS == "js" {
			t.Skip("takes long as WebAssembly")
		}
		return s.Rows[i]
	}
	return s.Rows[len(s.Rows)/2]
}

// hasSetSearch reports whether the inner policy of any case searches for sets of jobs. Such
// searches take long.
func hasSetSearch(s *experiment.Study) bool {
	return slices.ContainsFunc(s.Cases(), func(c *experiment.Case) bool {
		return c.Knobs["inner"] == "fair-slack" || c.Knobs["inner"] == "glomarc-ts"
	})
}

// TestOnePart runs one part of one row of each study whose runs are slow, and compares the results
// with testdata. If jobs share nodes, the workload has only 300 jobs. To update testdata after an
// intended change, run go test ./core/experiment -run OnePart -rewrite.
func TestOnePart(t *testing.T) {
	if runtime.GOOS == "js" || testing.Short() {
		t.Skip("takes long")
	}
	m := newRunCache()
	seen := map[string]bool{}
	datadriven.RunTest(t, "testdata/one-part", func(t *testing.T, d *datadriven.TestData) string {
		named, _, err := experiment.Find(d.Cmd)
		require.NoError(t, err)
		s := named[0]
		seen[s.Name] = true
		i := slices.IndexFunc(s.Rows, func(r experiment.Row) bool { return r.Name == d.Input })
		require.GreaterOrEqual(t, i, 0, "%s: no row %q", s.Name, d.Input)
		some := *s
		some.Rows = []experiment.Row{experiment.ShortRow(s.Rows[i])}
		var out strings.Builder
		require.NoError(t, m.table(t, &some).CSV(&out))
		return out.String()
	})
	for _, s := range experiment.All() {
		require.True(t, seen[s.Name] || s.Rows == nil || !hasSetSearch(s) || len(s.Rows[0].Parts) == 1, "%s: expected in testdata/one-part", s.Name)
	}
}

// TestStoredTablesHaveTheirRows checks that every table in public/studies on generated workloads
// has the columns and rows of its study.
func TestStoredTablesHaveTheirRows(t *testing.T) {
	for _, s := range experiment.All() {
		if s.Rows == nil {
			continue
		}
		data, err := os.ReadFile("../../public/studies/" + s.Name + ".csv")
		require.NoError(t, err)
		kept, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		require.NoError(t, err, s.Name)
		want := []string{s.RowNoun()}
		for _, c := range s.Columns {
			want = append(want, c.Title)
		}
		titles := slices.DeleteFunc(slices.Clone(kept[0]), func(title string) bool { return strings.HasSuffix(title, " ±") })
		require.Equal(t, want, titles, s.Name)
		require.Len(t, kept, len(s.Rows)+1, s.Name)
		for i, r := range s.Rows {
			require.Equal(t, r.Name, kept[i+1][0], s.Name)
		}
	}
}

// TestCasesAreUnique checks that cases with the same name are equal in all studies.
func TestCasesAreUnique(t *testing.T) {
	cases := map[string]experiment.Case{}
	for _, s := range experiment.All() {
		for _, c := range s.Runs {
			x := *c
			x.KeepsKnobs = false // it does not affect the run
			if first, ok := cases[x.String()]; ok {
				require.Equal(t, first, x, s.Name)
			}
			cases[x.String()] = x
		}
	}
}

// runCache holds workloads and results by key, so that several studies can use them.
type runCache struct {
	loads        map[string]*experiment.Workload
	facts, cells map[string]experiment.Results
}

func newRunCache() *runCache {
	return &runCache{loads: map[string]*experiment.Workload{}, facts: map[string]experiment.Results{}, cells: map[string]experiment.Results{}}
}

// table returns the table of a study on generated workloads.
func (m *runCache) table(t *testing.T, s *experiment.Study) *experiment.Table {
	t.Helper()
	for source, c := range s.Runs {
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
	return s.GeneratedTable(
		func(x experiment.Source) experiment.Results { return m.facts[x.Key()] },
		func(x experiment.Source, c *experiment.Case) experiment.Results {
			return m.cells[x.Key()+" "+c.String()]
		})
}
