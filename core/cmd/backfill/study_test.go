package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
)

// traceText returns a small trace in which jobs end before their estimates.
func traceText() string {
	var b strings.Builder
	b.WriteString("; MaxProcs: 8\n")
	for i := range 40 {
		line := []string{format.Number(float64(i + 1)), format.Number(float64(2 * i)), "-1", format.Number(float64(1 + i*7%13)), format.Number(float64(1 + i*5%8)),
			"-1", "-1", format.Number(float64(1 + i*5%8)), format.Number(float64(14 + i%3))}
		b.WriteString(strings.Join(line, " ") + strings.Repeat(" -1", 9) + "\n")
	}
	return b.String()
}

// TestStudy checks the table and the figure that a study writes, and that a repeated study writes
// the same bytes. A study must resume after an interruption, and must share runs with other
// studies.
func TestStudy(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.swf"), []byte("; Note: another\n"+traceText()), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.swf"), []byte(traceText()), 0o666))
	study := func(args ...string) string {
		_, text, code := execute(nil, append([]string{"study"}, args...)...)
		require.Zero(t, code, text)
		return text
	}
	require.Contains(t, study("lindsay-fig5", dir, "-out", out), "8 runs executed and 0 runs reused")
	first := outputFiles(t, out, "lindsay-fig5")
	require.Contains(t, first[".md"], "\n| a | ")
	require.Less(t, strings.Index(first[".md"], "| a |"), strings.Index(first[".md"], "| b |"))
	require.Contains(t, first[".svg"], "PC-SJF over CONS")
	require.Contains(t, study("lindsay-fig9", dir, "-out", out), "4 runs executed and 4 runs reused")

	cells := filepath.Join(out, "cells.jsonl")
	data, err := os.ReadFile(cells)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cells, data[:len(data)-40], 0o666), "the last line is incomplete")
	require.Contains(t, study("lindsay-fig9", dir, "-out", out), "1 run executed and 7 runs reused")
	require.Contains(t, study("lindsay-fig5", dir, "-out", out, "-fresh", "-workers", "1"), "8 runs executed")
	require.Equal(t, first, outputFiles(t, out, "lindsay-fig5"))
	require.NotEqual(t, first[".csv"], outputFiles(t, out, "lindsay-fig9")[".csv"])
}

// TestWorkedStudy checks that the command study makes a figure about a few listed jobs (a worked figure) without
// traces.
func TestWorkedStudy(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	_, text, code := execute(nil, "study", "leinberger-fig1", "-out", out)
	require.Zero(t, code, text)
	require.Contains(t, outputFiles(t, out, "leinberger-fig1")[".md"], "| 1 | J2 07/16 |")
	listed, _, code := execute(nil, "study", "-list")
	require.Zero(t, code)
	require.Contains(t, listed, "leinberger-fig1")
}

// TestStudyErrors checks that invalid arguments and files cause an error, and that the command then
// writes nothing.
func TestStudyErrors(t *testing.T) {
	dir := t.TempDir()
	bare := filepath.Join(dir, "bare.swf")
	require.NoError(t, os.WriteFile(bare, []byte(strings.TrimPrefix(traceText(), "; MaxProcs: 8\n")), 0o666))
	broken := filepath.Join(dir, "cells.jsonl")
	require.NoError(t, os.WriteFile(broken, []byte("{\"key\":\"a\"}\nrubbish\n"), 0o666))
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "expected the name of a study", nil},
		{2, "expected trace files or folders for lindsay-fig5", []string{"lindsay-fig5"}},
		{2, "expected one of lindsay-cost", []string{"fig5", bare}},
		{1, "expected a trace or a folder with traces", []string{"lindsay-fig5", filepath.Join(dir, "no")}},
		{1, "bare.swf: expected a header with MaxProcs", []string{"lindsay-fig5", bare, "-out", filepath.Join(dir, "out")}},
		{1, "cells.jsonl, line 2: expected a stored run", []string{"lindsay-fig5", bare, "-out", dir}},
	} {
		_, text, code := execute(nil, append([]string{"study"}, c.args...)...)
		require.Equal(t, c.code, code, text)
		require.Contains(t, text, c.want)
	}
	require.Empty(t, outputFiles(t, filepath.Join(dir, "out"), "lindsay-fig5"))
}

// outputFiles returns the output files of a study, by extension.
func outputFiles(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, name+".*"))
	require.NoError(t, err)
	out := map[string]string{}
	for _, f := range found {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		out[filepath.Ext(f)] = string(data)
	}
	return out
}
