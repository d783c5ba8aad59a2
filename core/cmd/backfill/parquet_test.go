package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/version"
)

// readParquet returns the cells of a Parquet file as strings, and its metadata. The first row is
// the header. A null becomes an empty string.
func readParquet(t *testing.T, name string) (rows [][]string, meta map[string]string) {
	t.Helper()
	data := readText(t, name)
	f, err := parquet.OpenFile(strings.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for _, g := range f.Metadata().RowGroups {
		for _, c := range g.Columns {
			require.Equal(t, format.Uncompressed, c.MetaData.Codec, "compressed bytes depend on the processor architecture")
		}
	}
	meta = map[string]string{}
	for _, m := range f.Metadata().KeyValueMetadata {
		meta[m.Key] = m.Value
	}
	var header []string
	for _, c := range f.Root().Columns() {
		header = append(header, c.Name())
	}
	r := parquet.NewGenericReader[any](f)
	defer r.Close()
	rows = append(rows, header)
	for range f.NumRows() {
		row := make([]parquet.Row, 1)
		n, _ := r.ReadRows(row)
		require.Equal(t, 1, n)
		var cells []string
		for _, v := range row[0] {
			if v.IsNull() {
				cells = append(cells, "")
			} else {
				cells = append(cells, v.String())
			}
		}
		rows = append(rows, cells)
	}
	return rows, meta
}

// TestSweepAsParquet checks that the table of a sweep has the same content as CSV and as Parquet.
// The bytes of the file must not depend on the number of workers, or on whether the sweep was split
// into parts.
func TestSweepAsParquet(t *testing.T) {
	dir, file := sweepFolder(t, sweepText(40, 3))
	name := func(s string) string { return filepath.Join(dir, s) }
	ran := func(args ...string) {
		_, text, code := execute(nil, append(args, "-quiet")...)
		require.Zero(t, code, text)
	}
	ran("sweep", file, "-out", name("a.parquet"), "-summary", name("s.parquet"))
	ran("sweep", file, "-out", name("b.parquet"), "-fresh", "-workers", "1")
	assert.Equal(t, readText(t, name("a.parquet")), readText(t, name("b.parquet")))
	ran("sweep", file)
	var parts []string
	for i := range 2 {
		ran("sweep", file, "-shard", fmt.Sprintf("%d/2", i+1))
		parts = append(parts, name(fmt.Sprintf("load.%d-of-2.csv", i+1)))
	}
	ran("collect", file, parts[0], parts[1], "-out", name("c.parquet"), "-summary", name("t.parquet"))
	assert.Equal(t, readText(t, name("a.parquet")), readText(t, name("c.parquet")))
	assert.Equal(t, readText(t, name("s.parquet")), readText(t, name("t.parquet")))

	rows, meta := readParquet(t, name("a.parquet"))
	lines := strings.Split(readText(t, name("load.csv")), "\n")
	assert.Equal(t, strings.Split(lines[3], ","), rows[0])
	assert.Len(t, rows, 1+32)
	assert.Equal(t, []string{"0", "drawn", "1", "1", "easy", "order=fifo", "EASY"}, rows[1][:7])
	assert.Empty(t, rows[32][3], "a trace has no seed")
	assert.Equal(t, "backfill-lab "+version.Program, meta["program"])
	assert.Equal(t, lines[1], "# sweep: "+meta["sweep"])
	assert.Equal(t, "1/1", meta["shard"])
}

// TestCollectRefusesParquet checks that -shard can write a part of a table as Parquet, with the
// number of the part in the metadata. The command collect must accept parts only as CSV.
func TestCollectRefusesParquet(t *testing.T) {
	dir, file := sweepFolder(t, sweepText(40, 1))
	part := filepath.Join(dir, "part.parquet")
	_, text, code := execute(nil, "sweep", file, "-shard", "2/3", "-out", part)
	require.Zero(t, code, text)
	_, meta := readParquet(t, part)
	assert.Equal(t, "2/3", meta["shard"])
	_, text, code = execute(nil, "collect", file, part)
	assert.Equal(t, 1, code)
	assert.Contains(t, text, "part.parquet: expected a table in the format CSV, got Parquet")
}

// TestRunAsParquet checks that the tables of the command run have the same content as CSV and as
// Parquet. Job ids must keep their special characters.
func TestRunAsParquet(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s) }
	require.NoError(t, os.WriteFile(name("s.json"), []byte(`{"version": 1, "machine": {"nodes": 4}, "workload": {"jobs": [
		{"id": "# a, \"b\"", "submit": 0, "procs": 3, "runtime": 10}, {"id": "ü", "submit": 1, "procs": 4, "runtime": 5}]},
		"policies": [{"name": "conservative"}]}`), 0o600))
	for _, end := range []string{"csv", "parquet"} {
		_, text, code := execute(nil, "run", "-in", name("s.json"), "-jobs", name("jobs."+end), "-promises", name("promises."+end), "-metrics", name("metrics."+end))
		require.Zero(t, code, text)
	}
	rows, meta := readParquet(t, name("jobs.parquet"))
	assert.Equal(t, []string{"# a, \"b\"", "0", "0", "10", "3", "10", "10", "0", "0-10", "0-2"}, rows[1])
	assert.Equal(t, map[string]string{"program": "backfill-lab " + version.Program}, meta)
	promises, _ := readParquet(t, name("promises.parquet"))
	assert.Equal(t, []string{"ü", "1", "10", "0", "10", "0"}, promises[2])
	values, _ := readParquet(t, name("metrics.parquet"))
	assert.Equal(t, []string{"metric", "title", "unit", "value"}, values[0])
	assert.True(t, slices.ContainsFunc(values, func(r []string) bool { return r[0] == "mean-wait" && r[2] == "s" && r[3] == "4.5" }), values)
	assert.Contains(t, readText(t, name("metrics.csv")), "\nmean-wait,Mean wait,s,4.5\n")
}

func TestParquetErrors(t *testing.T) {
	exampleFolder(t)
	_, text, code := execute(nil, "run", "-in", "first.json", "-log", "x.parquet")
	assert.Equal(t, 2, code)
	assert.Contains(t, text, "x.parquet: expected a different file name, because only tables can be Parquet")
	for table, want := range map[string]string{
		"a,b\n1,x\n":  `column b: expected a whole number, got "x"`,
		"a,b\n1\n":    "expected a row with 2 columns, got 1",
		"a,a\n1,2\n":  "expected columns with different names for Parquet, got a twice",
		"# sweep: 12": "EOF",
	} {
		var out strings.Builder
		assert.EqualError(t, writeParquet(&out, strings.NewReader(table), columnTypes{"": wholeColumn}), want)
	}
}
