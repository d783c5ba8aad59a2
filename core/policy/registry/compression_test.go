package registry_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// TestSoakCompressionOfTraces checks prioritized compression (PC) and delayed compression (DC) on
// real traces. Both must keep all promises and, with exact estimates, give the schedule of
// conservative backfilling. After each checked step (see simulateChecked), PC must leave no job
// that could move earlier, and DC no job that could start now. The test runs every trace and order
// if BACKFILL_SOAK is at least 100,000, and otherwise two orders on one small trace.
func TestSoakCompressionOfTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: skipping the reference traces")
	}
	pattern, orders := "KTH-SP2-1996-2.swf.gz", []string{"ljf", "sjf"}
	if soak.CaseCount(t) >= 100_000 {
		pattern, orders = "*.swf.gz", policy.Orders
	}
	files, err := filepath.Glob(filepath.Join(folder, "traces", pattern))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			w, err := workload.Read(bytes.NewReader(readFile(t, file)), swf.Options{}, 0, workload.Rules{Filter: workload.Lindsay, Size: workload.Allocated})
			require.NoError(t, err)
			exact := *w
			exact.Jobs = slices.Clone(w.Jobs)
			for i := range exact.Jobs {
				exact.Jobs[i].Estimate = exact.Jobs[i].Runtime
			}
			plan := simulate(t, &exact, "conservative", nil).Outcomes()
			for _, order := range orders {
				for name, check := range map[string]func(*sim.Engine) error{"pc": policytest.CheckNoneCanMove, "dc": policytest.CheckNoneCanStart} {
					knobs := map[string]string{"order": order}
					l := simulateChecked(t, w, name, knobs, check)
					require.Empty(t, schedule.CheckLog(l, true), "%s %s", name, order)
					require.NoError(t, policytest.CheckPromises(l), "%s %s", name, order)
					require.True(t, slices.Equal(plan, simulate(t, &exact, name, knobs).Outcomes()), "%s %s with exact estimates", name, order)
				}
			}
		})
	}
}

// simulateChecked runs a workload at log level Full. It selects up to about 300 pairs of consecutive
// steps and calls check after both steps of a pair, since some errors last for only one step. It skips
// checks while 400 or more jobs wait.
func simulateChecked(t *testing.T, w *workload.Workload, name string, knobs map[string]string, check func(*sim.Engine) error) *log.Log {
	t.Helper()
	p, err := registry.New(name, knobs)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: cluster.Flat(w.Procs), Jobs: w.Jobs, Policy: p, Level: log.Full})
	require.NoError(t, err)
	every := max(1, 2*len(w.Jobs)/300)
	for n := 0; ; n++ {
		more, err := e.Step()
		require.NoError(t, err)
		if !more {
			return e.Log()
		}
		if n%every < 2 && countWaiting(e) < 400 {
			require.NoError(t, check(e), "%s %v", name, knobs)
		}
	}
}

// countWaiting returns the number of waiting jobs. The time of a check grows with the square of
// this number.
func countWaiting(e *sim.Engine) int {
	n := 0
	for i, o := range e.Log().Outcomes() {
		if e.Log().Jobs[i].Submit <= e.Now() && o.Start == job.Never {
			n++
		}
	}
	return n
}
