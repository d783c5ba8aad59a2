package opening_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/opening"
	"backfill-lab/core/opening/badfiles"
	"backfill-lab/core/workload/input"
)

// TestCount checks that Count counts the jobs only if there may be more than the limit, and that it
// rejects texts that exceed their size limit.
func TestCount(t *testing.T) {
	table := "submit,procs,runtime\n" + strings.Repeat("0,1,5\n", 10)
	trace := "; MaxProcs: 4\n" + strings.Repeat("1 0 -1 5 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n", 10)
	grown := "the text is too large: expected gzip data that expands at most 200-fold, got more"
	for _, c := range []struct {
		name, format, data string
		limit, want        int
		err                string
	}{
		{"few", opening.CSV, table, 1000, 0, ""},
		{"many", opening.CSV, table, 5, 10, ""},
		{"many, compressed", opening.CSV, string(badfiles.Gzip(t, table)), 5, 10, ""},
		{"in two parts", opening.CSV, string(badfiles.Gzip(t, table)) + string(badfiles.Gzip(t, "0,1,5\n")), 1000, 11, ""},
		{"trace", opening.SWF, trace, 5, 10, ""},
		{"short trace", opening.SWF, trace, 100, 0, ""},
		{"scenario", opening.JSON, "{}", 0, 0, ""},
		{"nothing", opening.CSV, "", 0, 0, ""},
		{"a bomb", opening.SACCT, string(badfiles.Gzip(t, strings.Repeat("0", 20<<20))), 5, 0, grown},
		{"a bomb in two parts", opening.CSV, string(badfiles.Gzip(t, "a,b\n"+strings.Repeat("0,1\n", 5<<20))) + string(badfiles.Gzip(t, "0,1\n")), 5, 0, grown},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := opening.Count(c.format, strings.NewReader(c.data), int64(len(c.data)), c.limit, input.Options{})
			if c.err != "" {
				require.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, n)
		})
	}
	_, err := opening.Count(opening.CSV, strings.NewReader(table), int64(len(table)), 5, input.Options{MaxBytes: 20})
	require.EqualError(t, err, fmt.Sprintf("the text is too large: more than %d bytes", 20))
}

// TestBufferedReader checks that BufferedReader returns all bytes of a source that is larger than
// one block.
func TestBufferedReader(t *testing.T) {
	text := strings.Repeat("0123456789", 300_000)
	got, err := opening.ReadScenario(opening.BufferedReader(strings.NewReader(text), int64(len(text))), input.Options{})
	require.NoError(t, err)
	require.Equal(t, text, string(got))
}
