package policytest_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// compareSearches runs a case with search=pruned and search=plain. It requires the same
// records in the same order, except the effort records.
func compareSearches(t policytest.TB, c *policytest.Case) {
	t.Helper()
	pruned, plain := *c, *c
	pruned.Knobs, plain.Knobs = withKnob(c.Knobs, "search", "pruned"), withKnob(c.Knobs, "search", "plain")
	want, got := recordsWithoutEffort(plain.Run(t)), recordsWithoutEffort(pruned.Run(t))
	require.Len(t, got, len(want))
	for i := range want {
		if want[i] != got[i] { // calling require.Equal every time is slow
			require.Equal(t, want[i], got[i], "record %d", i)
		}
	}
}

// recordsWithoutEffort returns the records of a log except the effort records, which count
// the profile steps examined.
func recordsWithoutEffort(l *log.Log) []log.Record {
	var out []log.Record
	for r := range l.All() {
		if r.Kind != log.Effort {
			out = append(out, *r)
		}
	}
	return out
}

// withKnob returns a copy of the knobs with the named knob set to value.
func withKnob(knobs map[string]string, name, value string) map[string]string {
	out := map[string]string{name: value}
	for k, v := range knobs {
		if k != name {
			out[k] = v
		}
	}
	return out
}

// searchPolicies lists the policies with the knob search.
var searchPolicies = []string{"conservative", "pc", "dc"}

// TestSoakSearch compares search=pruned with search=plain on small workloads.
func TestSoakSearch(t *testing.T) {
	for _, name := range searchPolicies {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, 0.2, func(t *rapid.T) { compareSearches(t, drawCase(t, name, nil)) })
		})
	}
}

// TestSoakSearchInLongQueues compares search=pruned with search=plain on workloads with long
// queues.
func TestSoakSearchInLongQueues(t *testing.T) {
	for _, name := range searchPolicies {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, 0.01, func(t *rapid.T) {
				w := policytest.DrawLongQueue(t)
				c := w.Case(t, name, nil)
				c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
				compareSearches(t, c)
			})
		})
	}
}

// TestSearchInTraces compares search=pruned with search=plain on the first 5,000 jobs of real
// traces. It runs pc and dc with every named queue order.
func TestSearchInTraces(t *testing.T) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: skipping the reference traces")
	}
	for _, trace := range []string{"KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln", "SDSC-SP2-1998-4.2-cln"} {
		procs, jobs := firstJobs(t, filepath.Join(folder, "golden", trace+".norm.swf.gz"), 5000)
		for _, name := range []string{"pc", "dc"} {
			for _, order := range policy.Orders {
				t.Run(trace+"/"+name+"-"+order, func(t *testing.T) {
					compareSearches(t, policytest.NewCase(t, procs, jobs, name, map[string]string{"order": order}))
				})
			}
		}
	}
}

// firstJobs reads a compressed SWF file. It returns the number of processors of the machine and the
// first n jobs.
func firstJobs(t *testing.T, file string, n int) (procs int, jobs []job.Job) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	w, err := workload.Read(bytes.NewReader(text), swf.Options{}, 0, workload.Rules{})
	require.NoError(t, err)
	return w.Procs, w.Jobs[:min(n, len(w.Jobs))]
}
