package worker

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/opening"
	"backfill-lab/ui/protocol"
)

// badFile is an unusual or invalid file, as in the list of core/cmd/backfill/bad_test.go.
type badFile struct {
	Name, File, Text string
	Base64           []byte
	Gzip             any    // whether the content is compressed with gzip, or how often
	Cut              int    // number of bytes to remove at the end
	Body             string // what follows the text, in files that are too large for this test
	Error            string // expected error; "..." stands for any text
	Report           []string
}

// The page shows the same errors and reports as the command. badinput.test.mjs opens some of these
// files in a browser, among them all large ones.
func TestBadFiles(t *testing.T) {
	data, err := os.ReadFile("../../core/cmd/backfill/testdata/bad/cases.json")
	require.NoError(t, err)
	var list []badFile
	require.NoError(t, json.Unmarshal(data, &list))
	opened := 0
	for _, b := range list {
		if b.Body != "" {
			continue
		}
		opened++
		t.Run(b.Name, func(t *testing.T) {
			content := b.content(t)
			f := &file{source: source{bytes.NewReader(content), int64(len(content))}, open: protocol.Open{Name: b.File, CurrentProcs: 8}, hash: func() Hash { return noHash{} }}
			got, err := f.read()
			if b.Error == "" {
				require.NoError(t, err)
				// The waits on the real machine stand apart, in the units of the page.
				require.Equal(t, slices.DeleteFunc(b.Report, func(line string) bool { return strings.HasPrefix(line, "On the real machine") }), got.report)
				return
			}
			before, after, open := strings.Cut(b.Error, "...")
			require.Error(t, err)
			message := opening.WithFile(b.File, err).Error()
			require.True(t, strings.HasPrefix(message, before) && strings.HasSuffix(message, after) && (open || message == before), "expected %s, got %s", b.Error, message)
		})
	}
	require.Greater(t, opened, 70)
}

// content returns the bytes of the file.
func (b *badFile) content(t *testing.T) []byte {
	out := append([]byte(b.Text), b.Base64...)
	times, _ := b.Gzip.(float64)
	if b.Gzip == true {
		times = 1
	}
	for range int(times) {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := z.Write(out)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		out = packed.Bytes()
	}
	return out[:len(out)-b.Cut]
}
