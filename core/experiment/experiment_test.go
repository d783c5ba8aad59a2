package experiment_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/experiment"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// TestStudiesAreValid checks that the names of studies and the titles of their columns are unique,
// that policies accept their knobs, that metrics exist, and that a column has a base if and only if
// it compares two cases.
func TestStudiesAreValid(t *testing.T) {
	known := map[string]bool{}
	for _, name := range experiment.FullLogResults {
		known[name] = true
	}
	seen := map[string]bool{}
	for _, s := range experiment.All() {
		require.False(t, seen[s.Name], s.Name)
		seen[s.Name] = true
		require.NotEmpty(t, s.Text, s.Name)
		titles := map[string]bool{}
		for _, c := range s.Columns {
			require.False(t, titles[c.Title], "%s: %s twice", s.Name, c.Title)
			titles[c.Title] = true
			require.True(t, c.Comparison == experiment.WorkloadFact || known[c.Metric] || metrics.Named(strings.TrimSuffix(c.Metric, " tau=600")) != nil, "%s: metric %s", s.Name, c.Metric)
			require.Equal(t, c.Comparison == experiment.Improvement || c.Comparison == experiment.Ratio, c.Base != nil, "%s: %s", s.Name, c.Title)
		}
		for _, c := range s.Cases() {
			_, err := registry.New(c.Policy, c.Knobs)
			require.NoError(t, err, s.Name)
		}
	}
}

// TestFind checks what a name selects: one study or worked figure, everything from one paper (the
// part of a name before the first dash, such as "leinberger"), or everything ("all"). Any other
// part of a name, such as "lind", is an error.
func TestFind(t *testing.T) {
	for name, want := range map[string][2]int{
		"lindsay-fig5": {1, 0}, "wu-readings": {1, 0}, "wu-fig3": {0, 1}, "leinberger": {6, 1},
		"all": {len(experiment.All()), len(experiment.AllWorkedFigures)},
	} {
		studies, figures, err := experiment.Find(name)
		require.NoError(t, err, name)
		require.Equal(t, want, [2]int{len(studies), len(figures)}, name)
	}
	for _, name := range []string{"lindsay-fig99", "lind", ""} {
		_, _, err := experiment.Find(name)
		require.ErrorContains(t, err, "lindsay-fig5", name)
	}
}

// workedFigure returns the worked figure with the given name.
func workedFigure(t *testing.T, name string) *experiment.WorkedFigure {
	t.Helper()
	_, figures, err := experiment.Find(name)
	require.NoError(t, err)
	require.Len(t, figures, 1)
	return figures[0]
}

// smallTrace returns a trace of the jobs in figure 3 of Lindsay et al. The last job, which is submitted after
// the others, is the job of lower priority in the figure.
func smallTrace(t *testing.T) *workload.Workload {
	t.Helper()
	text := "; MaxProcs: 4\n"
	for _, line := range []string{
		"1 0 0 1 1 -1 -1 1 8", "2 0 0 7 2 -1 -1 2 7", "3 0 0 4 1 -1 -1 1 4", "4 0 0 5 1 -1 -1 1 5",
		"5 0 0 3 4 -1 -1 4 3", "6 0 0 2 1 -1 -1 1 -1", "7 2 0 1 1 -1 -1 1 1",
	} {
		text += line + strings.Repeat(" -1", 9) + "\n"
	}
	w, err := workload.Read(strings.NewReader(text), swf.Options{}, 0, workload.Rules{})
	require.NoError(t, err)
	return w
}

// tableOf returns the table of a study on one trace.
func tableOf(t *testing.T, s *experiment.Study, name string, w *workload.Workload) *experiment.Table {
	t.Helper()
	return tableWithCache(t, s, name, w, map[string]experiment.Results{})
}

// tableWithCache returns the table of a study on one trace. The cache maps names of cases to
// results. The function computes missing results and adds them to the cache.
func tableWithCache(t *testing.T, s *experiment.Study, name string, w *workload.Workload, cache map[string]experiment.Results) *experiment.Table {
	t.Helper()
	return s.NewTable([]string{name},
		func(int) []experiment.Results { return []experiment.Results{experiment.TraceFacts(w)} },
		func(_ int, c *experiment.Case) []experiment.Results {
			if cache[c.String()] == nil {
				cell, err := experiment.Run(experiment.FromTrace(w), c)
				require.NoError(t, err)
				cache[c.String()] = cell
			}
			return []experiment.Results{cache[c.String()]}
		})
}

// TestTable checks the table of a small study with every kind of column.
func TestTable(t *testing.T) {
	w := smallTrace(t)
	study := &experiment.Study{Name: "x", Title: "X", Paper: "P", Text: "T"}
	dc := &experiment.Case{Policy: "dc", Knobs: map[string]string{"order": "ljf", "arrival": "none"}}
	cons := &experiment.Case{Policy: "conservative"}
	exact := &experiment.Case{Policy: "conservative", ExactPercent: 100}
	study.Columns = []experiment.Column{
		{Title: "jobs", Metric: "jobs", Comparison: experiment.WorkloadFact},
		{Title: "estimates", Metric: "estimates", Comparison: experiment.WorkloadFact, Digits: 1},
		{Title: "wait", Metric: "mean-wait", Case: cons, Digits: 3},
		{Title: "gain, %", Metric: "mean-wait", Case: dc, Base: cons, Comparison: experiment.Improvement, Digits: 2},
		{Title: "ratio", Metric: "mean-wait", Case: dc, Base: cons, Comparison: experiment.Ratio, Digits: 3},
		{Title: "kept", Metric: "promises-kept", Case: dc},
		{Title: "events", Metric: "profile-events", Case: exact},
		{Title: "none", Metric: "profile-events", Case: dc, Base: exact, Comparison: experiment.Ratio},
	}
	require.Len(t, study.Cases(), 3)
	table := tableOf(t, study, "tiny-1-cln", w)
	// The waits are 0 0 0 1 7 4 4 under conservative, and 0 0 0 1 7 5 2 under dc arrival=none.
	var csv, text bytes.Buffer
	require.NoError(t, table.CSV(&csv))
	require.Equal(t, "trace,jobs,estimates,wait,\"gain, %\",ratio,kept,events,none\ntiny-1-cln,7,85.7,2.286,6.25,0.938,7,,\n", csv.String())
	require.NoError(t, table.Markdown(&text, "backfill study x TRACES"))
	require.Contains(t, text.String(), "| tiny-1-cln | 7 | 85.7 | 2.286 | 6.25 | 0.938 | 7 |  |  |\n")
	require.Contains(t, text.String(), "- gain: better on 1 and worse on 0 of 1 trace; improvements from 6.25 % to 6.25 %\n")
	require.True(t, math.IsNaN(table.Values[0][7]))
	require.Equal(t, "tiny", experiment.TraceWithoutVersion(table.Rows[0]))
}

// TestExact checks that the conservative policy never compresses its plan if all estimates are
// exact. Run must not change the trace.
func TestExact(t *testing.T) {
	w := smallTrace(t)
	for percent, events := range map[int]bool{0: true, 100: false} {
		cell, err := experiment.Run(experiment.FromTrace(w), &experiment.Case{Policy: "conservative", ExactPercent: percent})
		require.NoError(t, err)
		_, compressed := cell["profile-events"]
		require.Equal(t, events, compressed, "%d %% of the estimates exact", percent)
	}
	require.Equal(t, int64(8), w.Jobs[0].Estimate, "Run does not change the trace")
}

// TestStoredTablesOfTraces checks that one row of each table on traces in public/studies equals the
// row that the program computes.
func TestStoredTablesOfTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("running the studies takes long")
	}
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("needs the reference traces: set BACKFILL_REFERENCE")
	}
	const name = "KTH-SP2-1996-2"
	data, err := os.ReadFile(filepath.Join(folder, "traces", name+".swf.gz"))
	require.NoError(t, err)
	w, err := workload.Read(bytes.NewReader(data), swf.Options{}, 0, workload.Rules{Filter: workload.Lindsay, Size: workload.Allocated})
	require.NoError(t, err)
	cache := map[string]experiment.Results{}
	for _, s := range experiment.All() {
		if s.Rows != nil {
			continue
		}
		kept, err := os.ReadFile("../../public/studies/" + s.Name + ".csv")
		require.NoError(t, err)
		table := tableWithCache(t, s, name, w, cache)
		var made bytes.Buffer
		require.NoError(t, table.CSV(&made))
		for line := range strings.Lines(made.String()) {
			require.Contains(t, string(kept), line, "%s: the file in public/studies is out of date: run make studies", s.Name)
		}
	}
}
