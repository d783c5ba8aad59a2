package worker

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload/input"
	"backfill-lab/ui/protocol"
)

// manyLines is a text of n lines without being in memory.
type manyLines struct {
	head, line string
	n          int
	rest       string
}

func (l *manyLines) Read(p []byte) (int, error) {
	if l.head != "" {
		l.rest, l.head = l.head, ""
	}
	if l.rest == "" {
		if l.n == 0 {
			return 0, io.EOF
		}
		k := min(l.n, 1000)
		l.n -= k
		l.rest = strings.Repeat(l.line, k)
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
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
		f := &file{text: &manyLines{head: c.head, line: c.line, n: c.n}, open: protocol.Open{Name: c.name, AtHand: 4}, options: input.Options{}}
		_, err := f.read()
		require.EqualError(t, err, c.want)
	}
}
