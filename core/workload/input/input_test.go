package input_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload/input"
)

func TestOpen(t *testing.T) {
	for _, c := range []struct{ name, data, text, err string }{
		{"text", "ab\n", "ab\n", ""},
		{"byte order mark", "\ufeffab", "ab", ""},
		{"accents", "é;1\n", "é;1\n", ""},
		{"empty", "", "", "the file is empty"},
		{"half a gzip magic", "\x1f", "", "this is not a text file: it looks like binary data"},
		{"gzip cut in its header", "\x1f\x8b\x08", "", "the gzip data is damaged: it is truncated"},
		{"gzip of an unknown method", "\x1f\x8b\x09\x00\x00\x00\x00\x00\x00\x00", "", "the gzip data is damaged: gzip: invalid header"},
		{"gzip, then nonsense", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00\xff\xff", "", "the gzip data is damaged: flate: corrupt input before offset 1"},
		{"xz", "\xfd7zXZ\x00", "", "this is not a text file: it looks like xz data (only gzip is supported)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := input.Open(iotest.OneByteReader(strings.NewReader(c.data)), input.Options{})
			if c.err != "" {
				assert.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			text, err := io.ReadAll(r)
			require.NoError(t, err)
			assert.Equal(t, c.text, string(text))
		})
	}
}

func TestMaxBytes(t *testing.T) {
	read := func(limit int64) error {
		r, err := input.Open(strings.NewReader("12345"), input.Options{MaxBytes: limit})
		if err == nil {
			_, err = io.ReadAll(r)
		}
		return err
	}
	assert.NoError(t, read(5))
	assert.EqualError(t, read(4), "the text is too large: more than 4 bytes")
}
