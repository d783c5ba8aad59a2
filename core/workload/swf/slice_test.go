package swf

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const sliced = `; Acknowledge: Ann Author
; MaxProcs: 8
1 0 -1 5 1 -1 -1 1 5 -1 1 1 1 -1 1 -1 -1 -1
2 10 -1 5 1 -1 -1 1 5 -1 1 1 1 -1 1 -1 -1 -1
3 20 -1 5 1 -1 -1 1 5 -1 5 1 1 -1 1 -1 -1 -1
4 30 -1 5 1 -1 -1 1 5 -1 1 1 1 -1 1 -1 -1 -1
`

// TestSlice checks that a slice has the records of its window up to the limit, all comments of the
// file, and a note about the slice.
func TestSlice(t *testing.T) {
	f, err := Read(strings.NewReader(sliced), Options{})
	require.NoError(t, err)
	for _, c := range []struct {
		from, to int64
		limit    int
		want     []int64
	}{{0, 0, 0, []int64{1, 2, 3, 4}}, {10, 0, 2, []int64{2, 3}}, {10, 30, 0, []int64{2, 3}}} {
		h, records, err := Slice(f, "a.swf", c.from, c.to, c.limit)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, Write(&b, h, records))
		back, err := Read(&b, Options{})
		require.NoError(t, err)
		var got []int64
		for i := range back.Body {
			got = append(got, back.Body[i][JobNumber])
			require.Equal(t, f.Body[back.Body[i][JobNumber]-1], back.Body[i])
		}
		require.Equal(t, c.want, got)
		require.Equal(t, int64(8), back.Header.Procs())
		text := strings.Join(back.Header.Lines, "\n")
		require.Contains(t, text, "Acknowledge: Ann Author")
		require.Contains(t, text, "SLICE of a.swf")
	}
	_, _, err = Slice(f, "a.swf", 99, 0, 0)
	require.ErrorIs(t, err, ErrEmptySlice)
}
