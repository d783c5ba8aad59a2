package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// badFile is an unusual or invalid file, and the expected message. The browser test badinput.test.mjs
// reads the same list and expects the same messages on the page. The content of the file is Text or
// Base64, followed by Body.
type badFile struct {
	Name, File string
	Text       string
	Base64     []byte
	Body       string
	Times      int  // number of repetitions of Body; each gzip member contains all of them
	Copies     int  // number of copies of that gzip member in the file
	Gzip       int  // number of times that the content is compressed with gzip
	Cut        int  // number of bytes to remove at the end
	Big        bool // whether the file is too large to test as WebAssembly
	Args       []string
	Error      string   // expected error; "..." stands for any text
	Report     []string // expected report, if there is no error
}

// badFiles reads the list of files from testdata.
func badFiles(t *testing.T) (list []badFile) {
	data, err := os.ReadFile(filepath.Join("testdata", "bad", "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}

// UnmarshalJSON accepts "gzip": true instead of "gzip": 1.
func (b *badFile) UnmarshalJSON(data []byte) error {
	type plain badFile
	data = bytes.Replace(data, []byte(`"gzip": true`), []byte(`"gzip": 1`), 1)
	return json.Unmarshal(data, (*plain)(b))
}

// data returns the content of the file.
func (b *badFile) data(t *testing.T) []byte {
	out := append([]byte(b.Text), b.Base64...)
	body := []byte(strings.Repeat(b.Body, b.Times))
	for range b.Gzip {
		out, body = gzipped(t, out), gzipped(t, body)
	}
	if b.Gzip > 1 || len(b.Body) == 0 {
		body = nil
	}
	out = append(out, bytes.Repeat(body, max(b.Copies, 1))...)
	return out[:len(out)-b.Cut]
}

// gzipped returns data compressed with gzip.
func gzipped(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// args returns the arguments of the command after the name of the file.
func (b *badFile) args() []string {
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

// TestBadInput runs the command on each file of badFiles.
func TestBadInput(t *testing.T) {
	list := badFiles(t)
	t.Chdir(t.TempDir())
	for _, b := range list {
		t.Run(b.Name, func(t *testing.T) {
			if b.Big && runtime.GOOS == "js" {
				t.Skip("too large for one process; the browser tests open this file on the page")
			}
			require.NoError(t, os.WriteFile(b.File, b.data(t), 0o600))
			_, errs, code := execute(nil, append([]string{"run", "-in", b.File}, b.args()...)...)
			if b.Error != "" {
				before, after, _ := strings.Cut(b.Error, "...") // "..." stands for a list that may grow
				require.True(t, strings.HasPrefix(errs, "backfill: "+before) && strings.HasSuffix(errs, after+"\n") &&
					(len(b.Error) > len(before) || errs == "backfill: "+b.Error+"\n"), "expected %s, got %s", b.Error, errs)
				require.Equal(t, 1, code)
				return
			}
			require.Zero(t, code, errs)
			require.Equal(t, b.Report, reportLines(b.File, errs))
		})
	}
}

// reportLines returns the lines that the command prints about a file. The command prints nothing if no
// job was dropped or changed. reportLines then returns the line that the page shows.
func reportLines(file, errs string) (out []string) {
	for line := range strings.Lines(errs) {
		out = append(out, strings.TrimPrefix(strings.TrimSpace(line), file+": "))
	}
	if out == nil {
		out = []string{"1 record read, 1 job kept."}
	}
	return out
}

// TestTypedInput passes values as flags. A browser test types the same values into fields of the
// page, and the errors must be the same.
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
