package workload_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// reference returns a file from the folder that the variable BACKFILL_REFERENCE names. It skips the
// test if the variable is unset, and fails the test if the file is missing.
func reference(t testing.TB, name string) []byte {
	t.Helper()
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: tests on real traces are skipped")
	}
	data, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	return data
}

func readReference(t testing.TB, name string, procs int, rules workload.Rules) *workload.Workload {
	t.Helper()
	w, err := workload.Read(bytes.NewReader(reference(t, name)), swf.Options{}, procs, rules)
	require.NoError(t, err)
	return w
}

// TestLindsayCounts checks that the filter of Lindsay et al. keeps the number of jobs given in
// figure 4 of the paper. This is possible only for traces that the archive still has in the version
// that the paper used. The counts for other traces come from an independent program.
func TestLindsayCounts(t *testing.T) {
	if testing.Short() && runtime.GOOS == "js" {
		t.Skip("slow in WebAssembly")
	}
	for _, c := range []struct {
		trace      string
		read, jobs int
	}{
		{"CTC-SP2-1996-3.1-cln", 77222, 77222},
		{"DAS2-fs1-2003-1", 40315, 39348},
		{"HPC2N-2002-2.1-cln", 202876, 202876},
		{"KTH-SP2-1996-2", 28489, 28489},
		{"KTH-SP2-1996-2.1-cln", 28476, 28475},
		{"LANL-CM5-1994-4.1-cln", 122060, 122057},
		{"LLNL-Thunder-2007-1.1-cln", 121039, 118754},
		{"LPC-EGEE-2004-1.2-cln", 234889, 220679},
		{"SDSC-BLUE-2000-4.2-cln", 243306, 223641},
		{"SDSC-SP2-1998-4.2-cln", 59715, 54034},
		{"CEA-Curie-2011-2.1-cln", 312826, 296970},
	} {
		t.Run(c.trace, func(t *testing.T) {
			w := readReference(t, "traces/"+c.trace+".swf.gz", 0, workload.Rules{Filter: workload.Lindsay})
			t.Log(w.Report.String())
			assert.Equal(t, c.read, w.Report.Read)
			assert.Equal(t, c.jobs, w.Report.Kept)
			requireValid(t, w)
		})
	}
}

// requireValid checks the properties that every Workload must have.
func requireValid(t *testing.T, w *workload.Workload) {
	t.Helper()
	require.Equal(t, w.Report.Read, w.Report.Kept+w.Report.Dropped())
	require.Len(t, w.Jobs, w.Report.Kept)
	require.Len(t, w.Rows, w.Report.Kept)
	seen := make(map[string]bool, len(w.Jobs))
	for i := range w.Jobs {
		require.NoError(t, w.Jobs[i].Validate(i, w.Procs))
		require.False(t, seen[w.Jobs[i].ID], "id %q twice", w.Jobs[i].ID)
		seen[w.Jobs[i].ID] = true
		if i > 0 {
			require.LessOrEqual(t, w.Jobs[i-1].Submit, w.Jobs[i].Submit)
		}
	}
}

var goldenFiles = []struct {
	name  string
	procs int
	jobs  int
}{
	{"KTH-SP2-1996-2.1-cln", 100, 28467},
	{"SDSC-SP2-1998-4.2-cln", 128, 54034},
	{"CTC-SP2-1996-3.1-cln", 338, 77205},
	{"lublin256", 256, 10000},
	{"over256", 256, 10000},
}

// TestGoldenNeedsNoRule reads the normalised traces, which are in the folder golden of
// BACKFILL_REFERENCE. All their records are already complete and consistent, so the rules must
// change nothing.
func TestGoldenNeedsNoRule(t *testing.T) {
	for _, g := range goldenFiles {
		t.Run(g.name, func(t *testing.T) {
			w := readReference(t, "golden/"+g.name+".norm.swf.gz", 0, workload.Rules{Filter: workload.Lindsay})
			assert.EqualValues(t, g.jobs, w.Header.Int("MaxJobs"))
			assert.Len(t, w.Jobs, g.jobs)
			assert.Equal(t, g.procs, w.Procs)
			assert.Empty(t, w.Report.Entries())
		})
	}
}

// TestGoldenFromRaw checks that the data rules turn each published trace into the normalised trace
// of the same name (see TestGoldenNeedsNoRule), job for job.
func TestGoldenFromRaw(t *testing.T) {
	rules := workload.Rules{
		Filter: workload.Lindsay, Size: workload.Allocated,
		Zero: workload.DropZero, Overrun: workload.Truncate,
	}
	for _, g := range goldenFiles[:3] {
		t.Run(g.name, func(t *testing.T) {
			raw := readReference(t, "traces/"+g.name+".swf.gz", 0, rules)
			golden := readReference(t, "golden/"+g.name+".norm.swf.gz", 0, workload.Rules{})
			t.Log(raw.Report.String())
			for i := range raw.Jobs { // the normalised files do not say which estimates were missing
				if raw.Jobs[i].More == job.OnlyNoLimit {
					raw.Jobs[i].More = nil
				}
			}
			require.True(t, equalJobs(golden.Jobs, raw.Jobs))
		})
	}
	t.Run("HPC2N", func(t *testing.T) {
		w := readReference(t, "traces/HPC2N-2002-2.1-cln.swf.gz", 0, rules)
		assert.Zero(t, w.Report.Dropped())
		assert.Equal(t, 14817, w.Report.N(workload.RuntimeCut))
		requireValid(t, w)
	})
}

func equalJobs(a, b []job.Job) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// BenchmarkHPC2N reads 203,000 lines, which is 19 MB of text.
func BenchmarkHPC2N(b *testing.B) {
	packed := reference(b, "traces/HPC2N-2002-2.1-cln.swf.gz")
	z, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(b, err)
	plain, err := io.ReadAll(z)
	require.NoError(b, err)
	b.Run("lines-plain", func(b *testing.B) { parseLines(b, plain) })
	b.Run("lines-gzip", func(b *testing.B) { parseLines(b, packed) })
	b.Run("jobs-plain", func(b *testing.B) { parseJobs(b, plain) })
	b.Run("jobs-gzip", func(b *testing.B) { parseJobs(b, packed) })
}

func parseLines(b *testing.B, data []byte) {
	b.ReportAllocs()
	for b.Loop() {
		sum, err := swf.Each(bytes.NewReader(data), swf.Options{}, func(int, *swf.Record) error { return nil })
		if err != nil || sum.Records != 202876 {
			b.Fatal(sum.Records, err)
		}
	}
}

func parseJobs(b *testing.B, data []byte) {
	b.ReportAllocs()
	for b.Loop() {
		w, err := workload.Read(bytes.NewReader(data), swf.Options{}, 0, workload.Rules{Filter: workload.Lindsay})
		if err != nil || len(w.Jobs) != 202876 {
			b.Fatal(err)
		}
	}
}
