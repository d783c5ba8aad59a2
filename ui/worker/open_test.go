package worker

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
)

// noHash is a hash for files whose hash does not matter.
type noHash struct{}

func (noHash) Write(p []byte) (int, error) { return len(p), nil }
func (noHash) Hex() (string, error)        { return "", nil }

// manyLines is a file that consists of a head and n equal lines. It does not hold the lines in
// memory.
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

// Opening more jobs than a page can hold is an error.
func TestTooManyJobs(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of lines, read without another goroutine")
	}
	const swf, csv = "1 0 -1 5 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n", "0,1,5\n"
	for _, c := range []struct {
		name, head, line string
		n                int
		want             string
	}{
		{"a.swf", "; MaxProcs: 4\n", swf, 4_500_000, "expected at most 2000000 jobs in a page, got 4500000, which would need 7.2 GB of memory for a run with two policies (use the command backfill for such workloads)"},
		{"a.swf", "; MaxProcs: 4\n", swf, 5_000_001, "line 5000002: the file has too many jobs: more than 5000000"},
		{"a.csv", "submit,procs,runtime\n", csv, 2_000_001, "expected at most 2000000 jobs in a page, got 2000001, which would need 3.2 GB of memory for a run with two policies (use the command backfill for such workloads)"},
	} {
		text := &manyLines{c.head, c.line, c.n}
		f := &file{source: source{text, text.size()}, open: protocol.Open{Name: c.name, CurrentProcs: 4}, hash: func() Hash { return noHash{} }}
		_, err := f.read()
		require.EqualError(t, err, c.want)
	}
}

// The docs state how many jobs the page can hold.
func TestJobLimitInDocs(t *testing.T) {
	require.Equal(t, 2_000_000, maxOpenedJobs)
	text, err := os.ReadFile("../../docs/formats.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "The page takes at most 2,000,000 jobs.")
}

// The worker sends the unknown scenario fields of jobs to the page. If there are too many, the
// report says so.
func TestUnknownFieldsOfJobs(t *testing.T) {
	open := func(jobs string) *fileContent {
		text := `{"version":1,"machine":{"nodes":8},"workload":{"jobs":[` + jobs + `]},"policies":[{"name":"easy"}]}`
		got, err := (&file{source: source{strings.NewReader(text), int64(len(text))}, open: protocol.Open{Name: "a.json"}}).read()
		require.NoError(t, err)
		return got
	}
	got := open(`{"submit":0,"procs":1,"runtime":5},{"submit":1,"procs":1,"runtime":5,"note":"x"}`)
	require.Equal(t, []protocol.UnknownFields{{Row: 1, Fields: scenario.Fields{{Name: "note", JSON: `"x"`}}}}, got.unknown)

	var many strings.Builder
	for i := range 20_003 {
		fmt.Fprintf(&many, `{"submit":%d,"procs":1,"runtime":5,"note":1},`, i)
	}
	got = open(strings.TrimSuffix(many.String(), ","))
	require.Len(t, got.unknown, 20_000)
	require.Contains(t, got.report, "The unknown fields of 3 jobs were dropped. The page keeps unknown fields only for the first 20000 jobs that have any.")
}
