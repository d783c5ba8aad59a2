package experiment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sweep"
	"backfill-lab/core/workload/feitelson96"
)

// TestQueueOfDefinition checks that a workload has the mean queue length that its definition sets,
// under the default policy easy. Loading the workload twice must give the same jobs. A queue length that
// no arrival rate can reach must be an error.
func TestQueueOfDefinition(t *testing.T) {
	queue := func(seed int64, queue, from string) *generatedSource {
		return drawnFrom(t, 64, `"generator": "feitelson96", "parameters": {"jobs": 500, "time-unit": 5000, "resources": 2}`, seed,
			`"mean-queue-length": {"length": `+queue+`, "from": `+from+`, "to": 1000000}`)
	}
	w := queue(3, "12", "1")
	require.NotEqual(t, w.Key(), queue(4, "12", "1").Key())
	require.NotEqual(t, w.Key(), queue(3, "12", "2").Key())
	l, facts, err := w.Load()
	require.NoError(t, err)
	require.InEpsilon(t, 12, facts["queue"], 0.1)
	require.Len(t, l.Machine.Resources, 1)
	c, err := Run(l, &Case{Policy: "easy"})
	require.NoError(t, err)
	require.Equal(t, facts["queue"], c["mean-queue-length"])
	again, _, err := w.Load()
	require.NoError(t, err)
	require.Equal(t, l, again)

	_, _, err = queue(3, "501", "1").Load()
	require.ErrorContains(t, err, "mean queue 501 under easy: mean queue length: expected")
}

// drawnFrom returns a source for the only workload of a new definition. The workload has the
// given seed and the JSON fields in extraFields.
func drawnFrom(t *testing.T, procs int, jobs string, seed int64, extraFields string) *generatedSource {
	t.Helper()
	resources := ""
	if strings.Contains(jobs, "resources") {
		resources = fmt.Sprintf(`, "resources": [{"name": "r2", "capacity": %d}]`, feitelson96.ExtraCapacity)
	}
	if extraFields != "" {
		extraFields = ", " + extraFields
	}
	d, err := sweep.Parse([]byte(fmt.Sprintf(`{"version": 1, "policies": [{"name": "easy"}], "workloads": [{"name": "w", "scenario":
		{"version": 1, "machine": {"nodes": %d%s}, "workload": {%s, "seed": %d}}%s}]}`, procs, resources, jobs, seed, extraFields)))
	require.NoError(t, err)
	return newGeneratedSource(d, sweep.Group{Load: 1, Seed: seed})
}

// TestMix checks the composition of a workload with two short jobs, one medium job and one long
// job. Two of these jobs are serial, and the size of one parallel job is a power of two.
func TestMix(t *testing.T) {
	newJob := func(submit, runtime int64, procs int) job.Job {
		return job.Job{Runtime: runtime, Request: job.Request{Submit: submit, Estimate: runtime, Procs: procs}}
	}
	facts := Results{}
	addComposition([]job.Job{newJob(0, 600, 1), newJob(10, 600, 1), newJob(20, 10800, 2), newJob(21600, 10801, 3)}, 4, processorSeconds, facts)
	work := 600 + 600 + 2*10800.0 + 3*10801
	for name, want := range map[string]float64{
		"short": 50, "medium": 25, "long": 25, "serial": 50, "powers": 50,
		"work-short": 100 * 1200 / work, "work-medium": 100 * 21600 / work, "work-long": 100 * 32403 / work,
		"load": 100 * work / (4 * 21600),
	} {
		require.InDelta(t, want, facts[name], 1e-9, name)
	}
}

// TestSecondTau checks the relative response times for the second value of tau, 600 s. A relative response
// time is the response time divided by the runtime, or by tau if the runtime is shorter.
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

// TestGroupAttempts checks the results about four attempts to form a group of jobs that share nodes.
// The attempts have 4, 0, 1 and 0 suitable candidates. An attempt to run a job alone must not count.
func TestGroupAttempts(t *testing.T) {
	l := log.New(cluster.Flat(2), make([]job.Job, 6), log.Full)
	addAttempt := func(code log.Code, candidates int) {
		l.Add(log.Record{Kind: log.PrimaryTried, Code: code, Other: job.None})
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
