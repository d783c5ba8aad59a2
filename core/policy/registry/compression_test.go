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

// Invariants 3, 4 and 5 of prioritized and delayed compression on real traces:
// no promise is broken, nothing can move after PC, nobody can start after DC,
// and with exact estimates both are conservative. The long form takes every
// trace and order, the short one the smallest trace.
func TestSoakCompressionOfTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: the reference traces are left out")
	}
	pattern, orders := "KTH-SP2-1996-2.swf.gz", []string{"ljf", "sjf"}
	if soak.Cases(t) >= 100_000 {
		pattern, orders = "*.swf.gz", policy.Orders
	}
	files, err := filepath.Glob(filepath.Join(folder, "traces", pattern))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			w, err := workload.Read(bytes.NewReader(read(t, file)), swf.Options{}, 0, workload.Rules{Filter: workload.Lindsay, Size: workload.Allocated})
			require.NoError(t, err)
			sure := *w
			sure.Jobs = slices.Clone(w.Jobs)
			for i := range sure.Jobs {
				sure.Jobs[i].Estimate = sure.Jobs[i].Runtime
			}
			plan := simulate(t, &sure, "conservative", nil).Outcomes()
			for _, order := range orders {
				for name, check := range map[string]func(*sim.Engine) error{"pc": policytest.NoneCanMove, "dc": policytest.NoneCanStart} {
					knobs := map[string]string{"order": order}
					l := watched(t, w, name, knobs, check)
					require.Empty(t, schedule.CheckLog(l, true), "%s %s", name, order)
					require.NoError(t, policytest.PromiseKept(l), "%s %s", name, order)
					require.True(t, slices.Equal(plan, simulate(t, &sure, name, knobs).Outcomes()), "%s %s with exact estimates", name, order)
				}
			}
		})
	}
}

// watched runs at level full and checks the plan some hundred times: in whole
// stretches of steps, since what is wrong for a moment only shows in between.
func watched(t *testing.T, w *workload.Workload, name string, knobs map[string]string, check func(*sim.Engine) error) *log.Log {
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
		if n%every < 2 && waiting(e) < 400 {
			require.NoError(t, check(e), "%s %v", name, knobs)
		}
	}
}

// waiting returns the number of jobs in the queue; the plain check of a plan takes
// their square.
func waiting(e *sim.Engine) int {
	n := 0
	for i, o := range e.Log().Outcomes() {
		if e.Log().Jobs[i].Submit <= e.Now() && o.Start == job.Never {
			n++
		}
	}
	return n
}
