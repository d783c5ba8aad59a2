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

// bad is a file with something wrong, and what is said of it. The browser test
// badinput.test.mjs reads the same list: the page says the same words.
type bad struct {
	Name, File string
	Text       string // the file is this text
	Base64     []byte // or these bytes
	Body       string // and behind it this text
	Times      int    // so many times,
	Copies     int    // and all that so many times, each a member of the gzip file
	Gzip       int    // how often it is packed
	Cut        int    // bytes missing at the end
	Big        bool   // takes long
	Args       []string
	Error      string
	Report     []string
}

func badInput(t *testing.T) (list []bad) {
	data, err := os.ReadFile(filepath.Join("testdata", "bad", "cases.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}

// UnmarshalJSON lets "gzip" be true for once.
func (b *bad) UnmarshalJSON(data []byte) error {
	type plain bad
	data = bytes.Replace(data, []byte(`"gzip": true`), []byte(`"gzip": 1`), 1)
	return json.Unmarshal(data, (*plain)(b))
}

// data returns the content of the file.
func (b *bad) data(t *testing.T) []byte {
	out := append([]byte(b.Text), b.Base64...)
	body := []byte(strings.Repeat(b.Body, b.Times))
	for range b.Gzip {
		out, body = packed(t, out), packed(t, body)
	}
	if b.Gzip > 1 || len(b.Body) == 0 {
		body = nil
	}
	out = append(out, bytes.Repeat(body, max(b.Copies, 1))...)
	return out[:len(out)-b.Cut]
}

func packed(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// args returns what the command needs to know beside the file.
func (b *bad) args() []string {
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

func TestBadInput(t *testing.T) {
	list := badInput(t)
	t.Chdir(t.TempDir())
	for _, b := range list {
		t.Run(b.Name, func(t *testing.T) {
			if b.Big && runtime.GOOS == "js" {
				t.Skip("too much for one process; the browser tests do it in the page")
			}
			require.NoError(t, os.WriteFile(b.File, b.data(t), 0o600))
			_, errs, code := call(nil, append([]string{"run", "-in", b.File}, b.args()...)...)
			if b.Error != "" {
				before, after, _ := strings.Cut(b.Error, "...") // a list that grows
				require.True(t, strings.HasPrefix(errs, "backfill: "+before) && strings.HasSuffix(errs, after+"\n") &&
					(len(b.Error) > len(before) || errs == "backfill: "+b.Error+"\n"), "expected %s, got %s", b.Error, errs)
				require.Equal(t, 1, code)
				return
			}
			require.Zero(t, code, errs)
			require.Equal(t, b.Report, reported(b.File, errs))
		})
	}
}

// reported returns the sentences that the command says of a file; where nothing was
// dropped or mended it says none, and the page only how many there are.
func reported(file, errs string) (out []string) {
	for line := range strings.Lines(errs) {
		out = append(out, strings.TrimPrefix(strings.TrimSpace(line), file+": "))
	}
	if out == nil {
		out = []string{"1 records read, 1 jobs kept."}
	}
	return out
}
