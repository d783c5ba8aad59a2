package registry_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// TestInvariantsOfTraces checks, on the reference traces, the invariants that can be checked
// quickly on long runs. Package policytest checks the other invariants on random workloads.
func TestInvariantsOfTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: skipping the reference traces")
	}
	for _, trace := range goldenTraces {
		data := readFile(t, filepath.Join(folder, "golden", trace+".norm.swf.gz"))
		w, err := workload.Read(bytes.NewReader(data), swf.Options{}, 0, workload.Rules{})
		require.NoError(t, err)
		exact := true
		for i := range w.Jobs {
			exact = exact && w.Jobs[i].Runtime == w.Jobs[i].Estimate
		}
		for _, run := range goldenRuns {
			t.Run(trace+"/"+run.file, func(t *testing.T) {
				l := simulateFully(t, w, run.policy, run.knobs, run.file == "cons-start")
				require.Empty(t, schedule.CheckLog(l, run.policy == "conservative"))
				switch run.policy {
				case "conservative":
					require.NoError(t, policytest.CheckPromises(l))
				case "fcfs":
					require.NoError(t, policytest.CheckOrder(l))
				}
				if exact && run.policy == "conservative" {
					require.NoError(t, policytest.CheckNoMoves(l))
				}
				if exact && run.policy == "easy" {
					require.NoError(t, policytest.CheckShadow(l))
				}
				requireScaled(t, w, l, run.policy, run.knobs)
			})
		}
	}
}

// simulateFully runs a workload at log level Full. If checkPlan is set, it checks from time to time
// that no waiting job can move earlier.
func simulateFully(t *testing.T, w *workload.Workload, name string, knobs map[string]string, checkPlan bool) *log.Log {
	t.Helper()
	p, err := registry.New(name, knobs)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: cluster.Flat(w.Procs), Jobs: w.Jobs, Policy: p, Level: log.Full})
	require.NoError(t, err)
	for n := 0; ; n++ {
		more, err := e.Step()
		require.NoError(t, err)
		if !more {
			return e.Log()
		}
		if checkPlan && n%1999 == 0 {
			require.NoError(t, policytest.CheckNoneCanMove(e))
		}
	}
}

// requireScaled checks that scaling all times of the workload by 3 scales all starts by 3.
func requireScaled(t *testing.T, w *workload.Workload, l *log.Log, name string, knobs map[string]string) {
	t.Helper()
	const factor = 3
	scaled := *w
	scaled.Jobs = append([]job.Job(nil), w.Jobs...)
	for i := range scaled.Jobs {
		j := &scaled.Jobs[i]
		j.Submit, j.Estimate, j.Runtime = factor*j.Submit, factor*j.Estimate, factor*j.Runtime
	}
	want := l.Outcomes()
	for i, o := range simulate(t, &scaled, name, knobs).Outcomes() {
		if o.Start != factor*want[i].Start {
			require.Failf(t, "scaled", "job %s: start %d, expected %d", w.Jobs[i].ID, o.Start, factor*want[i].Start)
		}
	}
}
