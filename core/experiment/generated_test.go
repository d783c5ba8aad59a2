package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/workload/generator/registry"
)

// TestTunedQueue checks that a tuned workload has the requested mean queue length under its policy, and
// that two loads give the same jobs. A queue length that no arrival rate gives is an error.
func TestTunedQueue(t *testing.T) {
	order := func(seed int64) generated {
		return generated{registry.Order{Model: "feitelson96", Procs: 64, Seed: seed, Knobs: map[string]string{"jobs": "500", "time-unit": "5000", "resources": "2"}}}
	}
	under := &Case{Policy: "easy"}
	w := &tunedQueue{order(3), under, 12, 1, 1e6}
	require.NotEqual(t, w.Key(), (&tunedQueue{order(4), under, 12, 1, 1e6}).Key())
	require.NotEqual(t, w.Key(), (&tunedQueue{order(3), under, 12, 2, 1e6}).Key())
	require.NotEqual(t, w.Key(), w.generated.Key())
	l, facts, err := w.Load()
	require.NoError(t, err)
	require.InEpsilon(t, 12, facts["queue"], 0.1)
	require.Len(t, l.Machine.Resources, 1)
	c, err := Run(l, under)
	require.NoError(t, err)
	require.Equal(t, facts["queue"], c["mean-queue-length"])
	again, _, err := w.Load()
	require.NoError(t, err)
	require.Equal(t, l, again)
	require.NotContains(t, w.Knobs, "mean-interarrival", "Load does not change the knobs")

	_, _, err = (&tunedQueue{order(3), under, 501, 1, 1e6}).Load()
	require.ErrorContains(t, err, "mean queue 501 under easy: mean queue length: expected")
}

// TestMix checks the composition of two short, one medium and one long job. Two jobs are serial,
// and the size of one parallel job is a power of two.
func TestMix(t *testing.T) {
	of := func(submit, runtime int64, procs int) job.Job {
		return job.Job{Runtime: runtime, Request: job.Request{Submit: submit, Estimate: runtime, Procs: procs}}
	}
	facts := Results{}
	addMix([]job.Job{of(0, 600, 1), of(10, 600, 1), of(20, 10800, 2), of(21600, 10801, 3)}, 4, processorSeconds, facts)
	work := 600 + 600 + 2*10800.0 + 3*10801
	for name, want := range map[string]float64{
		"short": 50, "medium": 25, "long": 25, "serial": 50, "powers": 50,
		"work-short": 100 * 1200 / work, "work-medium": 100 * 21600 / work, "work-long": 100 * 32403 / work,
		"load": 100 * work / (4 * 21600),
	} {
		require.InDelta(t, want, facts[name], 1e-9, name)
	}
}

// TestSecondTau checks that the relative response of a job shorter than the second tau is its response
// divided by 600 s.
func TestSecondTau(t *testing.T) {
	jobs := []job.Job{
		{ID: "a", Runtime: 60, Request: job.Request{Estimate: 60, Procs: 4}},
		{ID: "b", Runtime: 1200, Request: job.Request{Estimate: 1200, Procs: 4}},
	}
	c, err := Run(&Workload{Machine: cluster.Flat(4), Jobs: jobs}, &Case{Policy: "fcfs"})
	require.NoError(t, err)
	require.Equal(t, 1.0, c["relative-response-short"])
	require.InDelta(t, 0.1, c["relative-response-short"+tauSuffix], 1e-9)
	require.InDelta(t, 1.05, c["relative-response-medium"+tauSuffix], 1e-9)
	require.InDelta(t, (0.1+1.05)/2, c["relative-response"+tauSuffix], 1e-9)
}

// TestWholeShape checks that wholeShape divides alpha by the constant ARAR of Lublin and Feitelson 2003.
func TestWholeShape(t *testing.T) {
	require.Equal(t, "10.00489", wholeShape("10.23"))
	for _, a := range jinByAlpha() {
		require.Len(t, a.Parts, 11, a.Name)
	}
}

// TestGroupAttempts checks four attempts to form a group: one has four suitable candidates, one has
// one, and two have none. Trying a job alone does not count as an attempt.
func TestGroupAttempts(t *testing.T) {
	l := log.New(cluster.Flat(2), make([]job.Job, 6), log.Full)
	addAttempt := func(code log.Code, candidates int) {
		l.Add(log.Record{Kind: log.Form, Code: code, Other: job.None})
		for i := range candidates {
			l.Add(log.Record{Kind: log.Candidate, Code: log.Suited, Job: job.Index(i + 1)})
		}
		l.Add(log.Record{Kind: log.Candidate, Code: log.RunsLonger, Job: 5})
	}
	addAttempt(log.CaseWaiting, 4)
	addAttempt(log.CaseRunning, 0)
	addAttempt(log.CaseJoin, 1)
	addAttempt(log.CaseAlone, 0)
	addAttempt(log.CaseJoin, 0)
	c := Results{}
	c.addGroupAttempts(l)
	require.Equal(t, Results{"forms": 4, "few-suits": 0.75, "none-suit": 0.5}, c)
}
