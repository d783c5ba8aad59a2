package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/opening/badfiles"
)

// argsFor returns the arguments that follow the file name on the command line.
func argsFor(b *badfiles.File) []string {
	switch filepath.Ext(strings.TrimSuffix(b.File, ".gz")) {
	case ".json":
		return nil
	case ".swf":
		return []string{"-policy", "easy"}
	}
	if b.Args != nil {
		return b.Args
	}
	return []string{"-policy", "easy", "-nodes", "8"}
}

// TestBadInput runs the command on each file of package badfiles, and compares its error or its
// report with the expected text.
func TestBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, b := range badfiles.List(t) {
		t.Run(b.Name, func(t *testing.T) {
			if b.Big && runtime.GOOS == "js" {
				t.Skip("too large for one process; the browser tests open this file on the page")
			}
			require.NoError(t, os.WriteFile(b.File, b.Data(t), 0o600))
			_, errs, code := execute(nil, append([]string{"run", "-in", b.File}, argsFor(&b)...)...)
			if b.Error != "" {
				message, isError := strings.CutPrefix(strings.TrimSuffix(errs, "\n"), "backfill: ")
				require.True(t, isError, errs)
				b.RequireError(t, message)
				require.Equal(t, 1, code)
				return
			}
			require.Zero(t, code, errs)
			require.Equal(t, b.Report, reportLines(b.File, errs))
		})
	}
}

// reportLines returns the lines of errs, the text that the command printed to standard error,
// without the name of the file. If no job was dropped or changed, errs is empty. reportLines then
// returns the line that the page shows in this case.
func reportLines(file, errs string) (out []string) {
	for line := range strings.Lines(errs) {
		out = append(out, strings.TrimPrefix(strings.TrimSpace(line), file+": "))
	}
	if out == nil {
		out = []string{"1 record read, 1 job kept."}
	}
	return out
}

// TestTypedInput passes invalid values as flags and checks the errors. A browser test types the
// same values into fields of the page, and expects the same errors.
func TestTypedInput(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "bad", "typed.json"))
	require.NoError(t, err)
	var list []struct{ Field, Policy, Text, Error string }
	require.NoError(t, json.Unmarshal(data, &list))
	exampleFolder(t)
	for _, c := range list {
		args, want := []string{"-" + c.Field, c.Text}, "-"+c.Field+": "+c.Error
		if c.Policy != "" {
			args = []string{"-policy", c.Policy, "-set", c.Field + "=" + c.Text}
			want = "-set: policy " + c.Policy + ", knob " + c.Field + ": " + c.Error
		}
		_, errs, code := execute(nil, append([]string{"run", "-in", "first.json"}, args...)...)
		require.Equal(t, "backfill: "+want+"\nbackfill run -help shows the usage.\n", errs)
		require.Equal(t, 2, code)
	}
}
