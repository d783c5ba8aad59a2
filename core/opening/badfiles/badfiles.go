// Package badfiles lists unusual and invalid files, with the expected message or report. Tests of
// the command and of the page read the same list.
package badfiles

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed cases.json
var cases []byte

// File holds a file, and the error or report that is expected for it. The content of the file is Text
// or Base64, followed by Body.
type File struct {
	Name, File string // Name: name of the test case; File: name of the file
	Text       string
	Base64     []byte
	Body       string
	Times      int      // number of copies of Body in a block; with Gzip, a block is one gzip member
	Copies     int      // number of such blocks; 0 counts as 1
	Gzip       int      // number of times that the content is compressed with gzip
	Cut        int      // number of bytes to remove at the end
	Big        bool     // whether the file is too large to test as WebAssembly
	Args       []string // arguments after the file name on the command line; nil means default arguments
	Error      string   // expected error; "..." stands for a list that may grow
	Report     []string // expected report, if there is no error
}

// List returns all files in cases.json.
func List(t *testing.T) (list []File) {
	require.NoError(t, json.Unmarshal(cases, &list))
	return list
}

// UnmarshalJSON reads a file from JSON, where "gzip": true may stand for "gzip": 1.
func (b *File) UnmarshalJSON(data []byte) error {
	type plain File
	data = bytes.Replace(data, []byte(`"gzip": true`), []byte(`"gzip": 1`), 1)
	return json.Unmarshal(data, (*plain)(b))
}

// Data returns the content of the file.
func (b *File) Data(t *testing.T) []byte {
	out := append([]byte(b.Text), b.Base64...)
	body := []byte(strings.Repeat(b.Body, b.Times))
	for range b.Gzip {
		out, body = Gzip(t, out), Gzip(t, body)
	}
	if b.Gzip > 1 || len(b.Body) == 0 {
		body = nil
	}
	out = append(out, bytes.Repeat(body, max(b.Copies, 1))...)
	return out[:len(out)-b.Cut]
}

// RequireError fails the test unless the message matches b.Error, the expected error.
func (b *File) RequireError(t *testing.T, message string) {
	before, after, open := strings.Cut(b.Error, "...")
	ok := strings.HasPrefix(message, before) && strings.HasSuffix(message, after) && (open || message == before)
	require.True(t, ok, "expected %s, got %s", b.Error, message)
}

// Gzip returns data compressed with gzip.
func Gzip[T string | []byte](t testing.TB, data T) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(data))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}
