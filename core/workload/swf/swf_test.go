package swf_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/opening/badfiles"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/swf"
)

const row = "1 10 -1 120 4 -1 -1 8 100 -1 1 3 2 7 0 1 -1 -1"

var rowRecord = swf.Record{1, 10, -1, 120, 4, -1, -1, 8, 100, -1, 1, 3, 2, 7, 0, 1, -1, -1}

func read(text string) (*swf.File, error) {
	return swf.Read(strings.NewReader(text), swf.Options{})
}

func TestAcceptedTexts(t *testing.T) {
	for name, text := range map[string]string{
		"plain":            row + "\n",
		"no last line end": row,
		"CRLF":             row + "\r\n",
		"byte order mark":  "\ufeff" + row,
		"leading blanks":   "   " + row,
		"trailing blanks":  row + " \t \r\n",
		"tabs":             strings.ReplaceAll(row, " ", "\t"),
		"blank lines":      "\n  \n\r\n" + row + "\n\n\n",
		"comments around":  "; a\n" + row + "\n;b\n",
		"decimals":         strings.Replace(row, "120 4 -1", "120.99 4.0 -1.00", 1),
		"exponent":         strings.Replace(row, " 120 ", " 1.2e2 ", 1),
		"plus":             "+" + row,
	} {
		t.Run(name, func(t *testing.T) {
			f, err := read(text)
			require.NoError(t, err)
			assert.Equal(t, []swf.Record{rowRecord}, f.Body)
			assert.Zero(t, f.LongLines)
		})
	}
}

func TestSurplusFieldsAreCounted(t *testing.T) {
	f, err := read(row + " 5 6\n" + row + "\n")
	require.NoError(t, err)
	assert.Equal(t, 1, f.LongLines.N)
	assert.Equal(t, 2, f.Records)
	assert.Equal(t, []int{1, 2}, f.Lines)
}

func TestInvalidTexts(t *testing.T) {
	with := func(old, new string) string { return "; header\n" + strings.Replace(row, old, new, 1) + "\n" }
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the file is empty"},
		{"only a byte order mark", "\ufeff", "the file is empty"},
		{"only comments", "; MaxProcs: 5\n\n", "the file has no job lines"},
		{"too few fields", with(" 1 -1 -1", ""), "line 2: expected 18 fields, got 15"},
		{"word", with(" 120 ", " abc "), `line 2, field 4 (run time): expected a number, got "abc"`},
		{"glued", with(" 120 ", " 12x "), `line 2, field 4 (run time): expected a number, got "12x"`},
		{"minus alone", with(" 8 ", " - "), `line 2, field 8 (requested processors): expected a number, got "-"`},
		{"not a number", with(" 8 ", " NaN "), `line 2, field 8 (requested processors): expected a number, got "NaN"`},
		{"infinite", with(" 8 ", " inf "), `line 2, field 8 (requested processors): expected a number, got "inf"`},
		{"huge", with(" 8 ", " 9999999999999999999 "), `line 2, field 8 (requested processors): expected a number below 10^18, got "9999999999999999999"`},
		{"huge exponent", with(" 8 ", " 1e999 "), `line 2, field 8 (requested processors): expected a number below 10^18, got "1e999"`},
		{"negative size", with(" 4 ", " -5 "), "line 2, field 5 (allocated processors): expected a count, or -1 for unknown, got -5"},
		{"long word", with(" 8 ", " "+strings.Repeat("z", 99)+" "), `line 2, field 8 (requested processors): expected a number, got "zzzzzzzzzzzzzzzzzzzzzzzz"...`},
		{"JPEG", "\xff\xd8\xff\xe0\x00\x10JFIF", "this is not a text file: it looks like a JPEG image"},
		{"binary", "1 2\x003", "this is not a text file: it looks like binary data"},
		{"zip", "PK\x03\x04....", "this is not a text file: it looks like a zip archive or an office document"},
		{"UTF-16", "\xff\xfe1\x00", "this is not a text file: it looks like UTF-16 text (save it as UTF-8)"},
		{"CSV", "id,submit\n1,2\n", `line 1, field 1 (job number): expected a number, got "id,submit"`},
		{"endless line", strings.Repeat("; long", 30_000), "line 1: expected a line of at most 65536 bytes, got a longer one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(c.text)
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestGzip(t *testing.T) {
	text := strings.Repeat(row+"\n", 5000)
	packed := badfiles.Gzip(t, text)
	f, err := swf.Read(iotest.OneByteReader(bytes.NewReader(packed)), swf.Options{})
	require.NoError(t, err)
	assert.Len(t, f.Body, 5000)

	_, err = swf.Read(bytes.NewReader(packed[:len(packed)-10]), swf.Options{})
	require.ErrorIs(t, err, input.ErrDamaged)
	assert.Regexp(t, `^line \d+: the gzip data is damaged: it is truncated$`, err.Error())

	_, err = swf.Read(bytes.NewReader(packed[:5]), swf.Options{})
	assert.EqualError(t, err, "the gzip data is damaged: it is truncated")

	packed[len(packed)-6] ^= 1
	_, err = swf.Read(bytes.NewReader(packed), swf.Options{})
	assert.EqualError(t, err, "line 5001: the gzip data is damaged: gzip: invalid checksum")

	_, err = swf.Read(bytes.NewReader(badfiles.Gzip(t, string(badfiles.Gzip(t, row)))), swf.Options{})
	assert.ErrorIs(t, err, input.ErrNotText)
	_, err = swf.Read(bytes.NewReader(badfiles.Gzip(t, "")), swf.Options{})
	assert.ErrorIs(t, err, input.ErrEmpty)
}

func TestLimits(t *testing.T) {
	bomb := badfiles.Gzip(t, strings.Repeat(row+"\n", 100_000))
	_, err := swf.Read(bytes.NewReader(bomb), swf.Options{MaxRecords: 1000})
	assert.EqualError(t, err, "line 1001: the file has too many jobs: more than 1000")
	assert.ErrorIs(t, err, swf.ErrTooMany)

	_, err = swf.Read(bytes.NewReader(bomb), swf.Options{Options: input.Options{MaxBytes: 1 << 20}})
	require.ErrorIs(t, err, input.ErrTooLarge)
	assert.Contains(t, err.Error(), "the text is too large: more than 1048576 bytes")

	_, err = read(strings.Repeat("; "+strings.Repeat("x", 1000)+"\n", 5000))
	assert.ErrorContains(t, err, "expected at most 4194304 bytes of comments, got more")
}

func TestProgressAndCancel(t *testing.T) {
	text := strings.Repeat(row+"\n", 10_000)
	for name, data := range map[string][]byte{"plain": []byte(text), "gzip": badfiles.Gzip(t, text)} {
		t.Run(name, func(t *testing.T) {
			var last int64
			o := swf.Options{Options: input.Options{Progress: func(n int64) error { last = n; return nil }}}
			_, err := swf.Read(bytes.NewReader(data), o)
			require.NoError(t, err)
			assert.EqualValues(t, len(data), last)

			stop := errors.New("stop")
			o.Progress = func(n int64) error {
				if n > int64(len(data)/2) {
					return stop
				}
				return nil
			}
			_, err = swf.Read(iotest.HalfReader(bytes.NewReader(data)), o)
			assert.Equal(t, stop, err)
		})
	}
	stop := errors.New("stop")
	_, err := swf.Each(strings.NewReader(text), swf.Options{}, func(int, *swf.Record) error { return stop })
	assert.Equal(t, stop, err)
	_, err = swf.Read(io.MultiReader(strings.NewReader(row+"\n"), iotest.ErrReader(stop)), swf.Options{})
	assert.ErrorIs(t, err, stop)
}

// TestAnyChunks checks that the records do not depend on how the source splits its bytes.
func TestAnyChunks(t *testing.T) {
	text := "; a\r\n" + strings.Repeat(row+"\r\n", 3000) + "; b"
	want, err := read(text)
	require.NoError(t, err)
	for name, r := range map[string]io.Reader{
		"one byte": iotest.OneByteReader(strings.NewReader(text)),
		"half":     iotest.HalfReader(strings.NewReader(text)),
		"with end": iotest.DataErrReader(strings.NewReader(text)),
	} {
		got, err := swf.Read(r, swf.Options{})
		require.NoError(t, err, name)
		assert.Equal(t, want, got, name)
	}
}

func TestHeader(t *testing.T) {
	f, err := read(";       MaxJobs: 40315\n; MaxNodes: 32 (dual CPU)\n;MaxProcs:64\n; UnixStartTime: 1041377305\n" +
		"; Note: one\n;\n; note: two: parts\n" + row)
	require.NoError(t, err)
	h := f.Header
	assert.Len(t, h.Lines, 7)
	assert.Equal(t, ";       MaxJobs: 40315", h.Lines[0])
	assert.EqualValues(t, 64, h.MaxProcs())
	assert.EqualValues(t, 32, h.MaxNodes())
	assert.EqualValues(t, 64, h.Procs())
	assert.EqualValues(t, 1041377305, h.UnixStartTime())
	assert.EqualValues(t, 40315, h.Int("maxjobs"))
	assert.Equal(t, []string{"one", "two: parts"}, h.Notes())
	assert.EqualValues(t, -1, swf.Header{}.MaxProcs())
	assert.Zero(t, swf.Header{}.Procs())
	assert.EqualValues(t, 7, swf.NewHeader(0, 7, 1).Procs())
	assert.Equal(t, []string{"a", "b"}, swf.NewHeader(7, 7, 1, "a\nb").Notes())
}

func TestWriteJobs(t *testing.T) {
	jobs := []job.Job{
		{ID: "7", Runtime: 50, Request: job.Request{Submit: 1, Estimate: 60, Procs: 4}},
		{ID: "3", Runtime: 60, Killed: true, Request: job.Request{Submit: 2, Estimate: 60, Procs: 1}},
	}
	records, renumbered := swf.FromJobs(jobs)
	assert.False(t, renumbered)
	var b bytes.Buffer
	require.NoError(t, swf.Write(&b, swf.NewHeader(8, 4, 2, "made by hand"), records))
	assert.Equal(t, `; Version: 2.2
; MaxJobs: 2
; MaxRecords: 2
; MaxNodes: 4
; MaxProcs: 8
; Note: made by hand
7 1 -1 50 4 -1 -1 4 60 -1 1 -1 -1 -1 -1 -1 -1 -1
3 2 -1 60 1 -1 -1 1 60 -1 0 -1 -1 -1 -1 -1 -1 -1
`, b.String())

	for _, id := range []string{"7", "x", "007", "", "-1", "7#2", "1000000000000000000"} {
		jobs[1].ID = id
		records, renumbered = swf.FromJobs(jobs)
		assert.True(t, renumbered, id)
		assert.EqualValues(t, 2, records[1][swf.JobNumber])
	}
}

func FuzzSWF(f *testing.F) {
	f.Add([]byte(row))
	f.Add([]byte("; MaxProcs: 8\n" + row + " 9\r\n\n" + strings.ReplaceAll(row, " ", "\t") + "\n;x"))
	f.Add([]byte(strings.Replace(row, "120", "1.5e3", 1)))
	f.Add(badfiles.Gzip(f, row))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := swf.Options{MaxRecords: 1000, Options: input.Options{MaxBytes: 1 << 20}}
		first, err := swf.Read(bytes.NewReader(data), o)
		if err != nil {
			return
		}
		n, err := swf.Count(bytes.NewReader(data), o)
		require.NoError(t, err)
		require.Equal(t, len(first.Body), n)
		for _, line := range first.Header.Lines {
			if strings.ContainsFunc(line, func(c rune) bool { return c < ' ' }) {
				return // such a comment would make the start of the file binary
			}
		}
		var b bytes.Buffer
		require.NoError(t, swf.Write(&b, first.Header, first.Body))
		again, err := swf.Read(&b, swf.Options{})
		require.NoError(t, err)
		assert.Equal(t, first.Body, again.Body)
		assert.Equal(t, first.Header, again.Header)
	})
}
