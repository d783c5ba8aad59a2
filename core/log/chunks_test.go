package log_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// TestChunks checks that a log and the copies that Fork makes of it keep all their own records
// while chunks are added and enlarged.
func TestChunks(t *testing.T) {
	l := log.New(cluster.Flat(1), make([]job.Job, 1), log.Full)
	add := func(l *log.Log, at int) { l.Add(log.Record{At: int64(at), Kind: log.Hold}) }
	check := func(l *log.Log, n, sign int) {
		require.Equal(t, n, l.Len())
		i := 0
		for r := range l.All() {
			require.Equal(t, *r, *l.Record(i))
			i++
		}
		require.Equal(t, n, i)
		require.Equal(t, int64(sign*(n-1)), l.Record(n-1).At)
	}
	forked := map[int]*log.Log{}
	for n := range 8200 {
		switch n {
		case 0, 1, 127, 128, 129, 4095, 4096, 4097, 8191, 8192, 8193:
			forked[n] = l.Fork(1)
		}
		add(l, n)
	}
	check(l, 8200, 1)
	for n, f := range forked {
		for i := range 5000 {
			add(f, -(n + i))
		}
		check(f, n+5000, -1)
		for i := range n {
			require.Equal(t, int64(i), f.Record(i).At)
		}
	}
	for i := range 8200 {
		require.Equal(t, int64(i), l.Record(i).At)
	}
}
