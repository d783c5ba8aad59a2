package csv

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPieces checks that a text read in pieces has the same rows as the whole text, wherever a
// piece ends: within a cell, a quoted cell, a doubled quote or a line end.
func TestPieces(t *testing.T) {
	for shift := range 24 {
		var b strings.Builder
		b.WriteString("id,text\r\n" + strings.Repeat("x", shift) + "\r\n")
		for i := 0; b.Len() < 2*MaxRow+MaxRow/2; i++ {
			fmt.Fprintf(&b, "%d,\"a \"\"b\"\",\n%s\"\r\n\n", i, strings.Repeat("c", 40_000))
		}
		text := b.String()
		whole := newSplitter(text, ',')
		pieces, err := newStreamSplitter(strings.NewReader(text))
		require.NoError(t, err)
		for {
			want, err := whole.row(nil)
			require.NoError(t, err)
			got, err := pieces.row(nil)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, whole.line, pieces.line)
			if want == nil {
				break
			}
		}
		require.Less(t, len(pieces.text), 3*MaxRow, "parsed text is released")
	}
}

// TestLongestRow checks that a row of the maximum length is accepted anywhere, and that a longer
// row is rejected.
func TestLongestRow(t *testing.T) {
	for _, before := range []int{0, 1, MaxRow / 2, MaxRow - 1} {
		for _, more := range []int{0, 1} {
			text := strings.Repeat("\n", before) + strings.Repeat("x", MaxRow-1+more) + "\ny\n"
			s, err := newStreamSplitter(strings.NewReader(text))
			require.NoError(t, err)
			cells, err := s.row(nil)
			if more == 0 {
				require.NoError(t, err)
				require.Len(t, cells[0], MaxRow-1)
				continue
			}
			require.EqualError(t, err, fmt.Sprintf("line %d: expected a row of at most %d bytes, got a longer one", before+1, MaxRow))
		}
	}
}
