package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// What a workload is made of: a job of each type, one serial, one of the others
// a power of two.
func TestMix(t *testing.T) {
	of := func(submit, runtime int64, procs int) job.Job {
		return job.Job{Runtime: runtime, Request: job.Request{Submit: submit, Estimate: runtime, Procs: procs}}
	}
	facts := Cell{}
	mix([]job.Job{of(0, 600, 1), of(10, 600, 1), of(20, 10800, 2), of(21600, 10801, 3)}, 4, onProcessors, facts)
	work := 600 + 600 + 2*10800.0 + 3*10801
	for name, want := range map[string]float64{
		"short": 50, "medium": 25, "long": 25, "serial": 50, "powers": 50,
		"work-short": 100 * 1200 / work, "work-medium": 100 * 21600 / work, "work-long": 100 * 32403 / work,
		"load": 100 * work / (4 * 21600),
	} {
		require.InDelta(t, want, facts[name], 1e-9, name)
	}
}

// With the second cut-off the relative response of a short job is by 600 s, and
// nothing else changes.
func TestCut(t *testing.T) {
	jobs := []job.Job{
		{ID: "a", Runtime: 60, Request: job.Request{Estimate: 60, Procs: 4}},
		{ID: "b", Runtime: 1200, Request: job.Request{Estimate: 1200, Procs: 4}},
	}
	c, err := Run(&Load{Machine: cluster.Flat(4), Jobs: jobs}, &Case{Policy: "fcfs"})
	require.NoError(t, err)
	require.Equal(t, 1.0, c["relative-response-short"])
	require.InDelta(t, 0.1, c["relative-response-short"+cut], 1e-9)
	require.InDelta(t, 1.05, c["relative-response-medium"+cut], 1e-9)
	require.InDelta(t, (0.1+1.05)/2, c["relative-response"+cut], 1e-9)
	require.Equal(t, "relative-response", Uncut("relative-response"+cut))
}

// The whole shape is alpha without ARAR (Lublin and Feitelson 2003).
func TestWholeShape(t *testing.T) {
	require.Equal(t, "10.00489", whole("10.23"))
	for _, a := range jinByAlpha() {
		require.Len(t, a.Parts, 11, a.Name)
	}
}
