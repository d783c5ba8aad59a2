package worker

import (
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/protocol"
)

// manyLines is a text of n lines behind a head, without being in memory.
type manyLines struct {
	head, line string
	n          int
}

func (l *manyLines) size() int64 { return int64(len(l.head) + l.n*len(l.line)) }

func (l *manyLines) ReadAt(p []byte, off int64) (n int, err error) {
	for ; n < len(p) && off < l.size(); off++ {
		if at := int(off) - len(l.head); at < 0 {
			p[n] = l.head[off]
		} else {
			p[n] = l.line[at%len(l.line)]
		}
		n++
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// TestRoom opens more jobs than a page can hold, and more than there may be.
func TestRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of lines, read without another goroutine")
	}
	const swf, csv = "1 0 -1 5 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n", "0,1,5\n"
	for _, c := range []struct {
		name, head, line string
		n                int
		want             string
	}{
		{"a.swf", "; MaxProcs: 4\n", swf, 4_500_000, "expected at most 2000000 jobs in a page, got 4500000, which would need 7.2 GB of memory under two policies (the command backfill runs them)"},
		{"a.swf", "; MaxProcs: 4\n", swf, 5_000_001, "line 5000002: the file has too many jobs: more than 5000000"},
		{"a.csv", "submit,procs,runtime\n", csv, 2_000_001, "expected at most 2000000 jobs in a page, got 2000001, which would need 3.2 GB of memory under two policies (the command backfill runs them)"},
	} {
		text := &manyLines{c.head, c.line, c.n}
		f := &file{source: source{text, text.size()}, open: protocol.Open{Name: c.name, AtHand: 4}}
		_, err := f.read()
		require.EqualError(t, err, c.want)
	}
}

// The limit of the page stands in the docs; the table there is made of the constants.
func TestRoomInDocs(t *testing.T) {
	require.Equal(t, 2_000_000, mostOpened)
	text, err := os.ReadFile("../../docs/formats.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "The page takes at most 2,000,000 jobs.")
}
