package schedule_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// TestReferenceRunsBreakNoRule runs real traces at level Full, and checks that the logs break no
// rule. It also writes each log and its schedule as text, and checks that both can be read back
// without loss.
func TestReferenceRunsBreakNoRule(t *testing.T) {
	if testing.Short() && runtime.GOOS == "js" {
		t.Skip("too slow as WebAssembly")
	}
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: skipping the runs of real traces")
	}
	for _, trace := range []string{"KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln", "over256"} {
		data, err := os.ReadFile(filepath.Join(folder, "golden", trace+".norm.swf.gz"))
		require.NoError(t, err)
		w, err := workload.Read(bytes.NewReader(data), swf.Options{}, 0, workload.Rules{})
		require.NoError(t, err)
		for _, name := range []string{"fcfs", "easy", "conservative"} {
			t.Run(trace+"/"+name, func(t *testing.T) {
				p, err := registry.New(name, nil)
				require.NoError(t, err)
				e, err := sim.New(sim.Config{Machine: cluster.Flat(w.Procs), Jobs: w.Jobs, Policy: p, Level: log.Full})
				require.NoError(t, err)
				require.NoError(t, e.Run())
				requireNoFindings(t, e.Log())
			})
		}
	}
}

// requireNoFindings checks that a log breaks no rule, and that its text forms can be read back
// without loss.
func requireNoFindings(t *testing.T, l *log.Log) {
	lap := time.Now()
	took := func(what string) { t.Logf("%s: %v", what, time.Since(lap)); lap = time.Now() }
	require.Empty(t, schedule.CheckLog(l, true))
	took("check")
	s := schedule.FromLog(l)
	took("from")
	metrics.Compute(s, l.Machine, metrics.Default)
	took("metrics")
	var table, again, text bytes.Buffer
	require.NoError(t, s.WriteCSV(&table))
	took("write csv")
	require.NoError(t, log.Write(&text, l, nil))
	took("write log")
	back, _, err := log.Read(&text)
	require.NoError(t, err)
	took("read log")
	require.NoError(t, schedule.FromLog(back).WriteCSV(&again))
	require.True(t, bytes.Equal(table.Bytes(), again.Bytes()))
	require.Equal(t, l.Len(), back.Len())
	for i := range l.Len() {
		if *l.Record(i) != *back.Record(i) {
			require.Equal(t, *l.Record(i), *back.Record(i))
		}
	}
	lap = time.Now()
	read, err := schedule.ReadCSV(&again)
	require.NoError(t, err)
	took("read csv")
	require.Empty(t, schedule.Check(read, l.Machine, schedule.Options{Promises: true}))
}
