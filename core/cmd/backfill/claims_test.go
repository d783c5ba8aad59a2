package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClaims checks that the command writes the book, that it prints what changed since the last time,
// and that it names a missing table.
func TestClaims(t *testing.T) {
	dir := t.TempDir()
	tables := filepath.Join(dir, "tables")
	require.NoError(t, os.CopyFS(tables, os.DirFS("../../../public/studies")))
	out, text, code := execute(nil, "claims", "-tables", tables, "-out", dir)
	require.Zero(t, code, text)
	require.Empty(t, out, "nothing changed")
	require.Contains(t, text, "0 verdicts and values changed")
	for _, name := range []string{"claims", "claims-jin"} {
		require.Equal(t, readText(t, filepath.Join("../../../docs", name+".md")), readText(t, filepath.Join(dir, name+".md")))
	}

	file := filepath.Join(tables, "jin-fig9.csv")
	changed := strings.Replace(readText(t, file), "as it is,14.53,3.96", "as it is,10.53,3.96", 1)
	require.NoError(t, os.WriteFile(file, []byte(changed), 0o666))
	out, _, code = execute(nil, "claims", "-tables", tables, "-out", dir)
	require.Zero(t, code)
	require.Equal(t, "J9: was in part, is holds\nJ9, long: was 14.53 ± 3.96 %, paper 10.49 (no), is 10.53 ± 3.96 %, paper 10.49 (holds)\n", out)

	require.NoError(t, os.Remove(file))
	_, text, code = execute(nil, "claims", "-tables", tables, "-out", dir)
	require.Equal(t, 1, code)
	require.Contains(t, text, "jin-fig9.csv")
}
