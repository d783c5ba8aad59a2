package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHugeFile reads traces of more than 300 MB. The browser test gives the page
// files like these.
func TestHugeFile(t *testing.T) {
	if testing.Short() || runtime.GOOS == "js" {
		t.Skip("too large for a short test and for one process of WebAssembly; the browser tests do it in the page")
	}
	t.Chdir(t.TempDir())
	huge(t, 4_500_000, "1234567")
	out, errs, code := call(nil, "run", "-in", "huge.swf", "-policy", "fcfs", "-limit", "1000", "-jobs", "-")
	require.Zero(t, code, errs)
	require.Contains(t, errs, "huge.swf: 4500000 records read, 1000 jobs kept.\n"+
		"  Dropped: 4499000 beyond the limit of jobs (first: line 1002).\n", "it is read to its end")
	require.Contains(t, out, "\n1000,90000,90000,91234,16,")

	huge(t, 5_100_000, "1")
	_, errs, code = call(nil, "run", "-in", "huge.swf", "-policy", "fcfs")
	require.Equal(t, "backfill: huge.swf: line 5000002: the file has too many jobs: more than 5000000\n", errs)
	require.Equal(t, 1, code)
}

// huge writes a trace of so many jobs.
func huge(t *testing.T, jobs int, user string) {
	f, err := os.Create("huge.swf")
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "; MaxProcs: 1024")
	for i := 1; i <= jobs; i++ {
		fmt.Fprintln(w, i, i*90, "-1 1234 16 -1 -1 16 1834 -1 1", user, "-1 -1 -1 -1 -1 -1")
	}
	require.NoError(t, w.Flush())
	size, err := f.Seek(0, io.SeekCurrent)
	require.NoError(t, err)
	require.Greater(t, size, int64(300e6))
	require.NoError(t, f.Close())
}
