package interp_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// TestTemplates checks, on random workloads, that each template gives the same schedules as the
// corresponding built-in policy.
func TestTemplates(t *testing.T) {
	for _, tpl := range script.Templates {
		t.Run(tpl.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				w.Machine.Resources = nil
				for j := range w.Jobs {
					w.Jobs[j].More = nil
				}
				requireEqualStarts(t, tpl, w.Machine, w.Jobs)
			})
		})
	}
}

// TestTemplatesOnTraces checks, on reference traces, that each template gives the same schedules as
// the corresponding built-in policy.
func TestTemplatesOnTraces(t *testing.T) {
	for _, trace := range []string{"KTH-SP2-1996-2.1-cln", "lublin256", "over256"} {
		compareTemplates(t, trace)
	}
}

// TestSoakTemplatesOnLongTraces does the same check as TestTemplatesOnTraces, on the reference
// traces with the most jobs.
func TestSoakTemplatesOnLongTraces(t *testing.T) {
	if !soak.Requested() {
		t.Skip("BACKFILL_SOAK is not set: skipping the longest reference traces")
	}
	for _, trace := range []string{"CTC-SP2-1996-3.1-cln", "SDSC-SP2-1998-4.2-cln"} {
		compareTemplates(t, trace)
	}
}

// compareTemplates checks, on a reference trace, that each template gives the same schedule as the
// corresponding built-in policy.
func compareTemplates(t *testing.T, trace string) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" || testing.Short() {
		t.Skip("BACKFILL_REFERENCE is not set, or short tests: skipping the reference traces")
	}
	z, err := os.Open(filepath.Join(folder, "golden", trace+".norm.swf.gz"))
	require.NoError(t, err)
	r, err := gzip.NewReader(z)
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	w, err := workload.Read(bytes.NewReader(data), swf.Options{}, 0, workload.Rules{})
	require.NoError(t, err)
	for _, tpl := range script.Templates {
		t.Run(trace+"/"+tpl.Name, func(t *testing.T) { requireEqualStarts(t, tpl, cluster.Flat(w.Procs), w.Jobs) })
	}
}

// requireEqualStarts fails unless a template and its built-in policy start every job at the same time.
func requireEqualStarts(t require.TestingT, tpl script.Template, m cluster.Machine, jobs []job.Job) {
	p, err := interp.New(tpl.Source, "")
	require.NoError(t, err)
	builtIn, err := registry.New(tpl.Policy, tpl.Knobs)
	require.NoError(t, err)
	got, want := run(t, m, jobs, p).Outcomes(), run(t, m, jobs, builtIn).Outcomes()
	for j := range jobs {
		require.Equal(t, want[j].Start, got[j].Start, "job %s", jobs[j].ID)
	}
}

// run simulates jobs on a machine.
func run(t require.TestingT, m cluster.Machine, jobs []job.Job, p sim.Policy) *log.Log {
	e, err := sim.New(sim.Config{Machine: m, Jobs: jobs, Policy: p, Level: log.Decisions})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}

// TestContract checks that each template satisfies the contract, the rules that every policy must
// follow.
func TestContract(t *testing.T) {
	script.SetInterpreter(interp.New)
	for _, tpl := range script.Templates {
		t.Run(tpl.Name, func(t *testing.T) {
			policytest.Run(t, &script.Spec, map[string]string{script.SourceKnob: tpl.Source})
		})
	}
}
