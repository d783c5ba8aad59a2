package policytest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
)

// referenceSlicedRun holds a run of the external reference model with time slices, in the layout of
// the model's JSON file.
type referenceSlicedRun struct {
	ID, System string
	Nodes      int
	NonType    bool
	Ov         job.Time
	Jobs       []struct {
		ID                 string
		Submit, Nodes, Est int64
	}
	Result map[string]struct {
		Nodes    []int
		Segments [][2]job.Time
		Finish   job.Time
	}
	Slices [][3]any // type, start, end
}

// TestReferenceSlices simulates the jobs of each run of the external reference model with time
// slices. It compares the execution intervals, nodes, ends and slices with the results of the model.
func TestReferenceSlices(t *testing.T) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: skipping the runs of the reference model")
	}
	data, err := os.ReadFile(filepath.Join(folder, "oracles.json"))
	require.NoError(t, err)
	var raw []json.RawMessage
	require.NoError(t, json.Unmarshal(data, &raw))
	ran := 0
	for _, text := range raw {
		var header struct{ System string }
		require.NoError(t, json.Unmarshal(text, &header))
		if header.System != "scojo" {
			continue
		}
		var r referenceSlicedRun
		require.NoError(t, json.Unmarshal(text, &r))
		t.Run(r.ID, func(t *testing.T) { r.compare(t) })
		ran++
	}
	require.GreaterOrEqual(t, ran, 7, "number of runs in the file")
}

func (r *referenceSlicedRun) compare(t *testing.T) {
	var jobs []job.Job
	for _, j := range r.Jobs {
		jobs = append(jobs, job.Job{ID: j.ID, Runtime: j.Est, Request: job.Request{Submit: j.Submit, Procs: int(j.Nodes), Estimate: j.Est}})
	}
	job.Sort(jobs)
	knobs := map[string]string{"non-type": strconv.FormatBool(r.NonType), "overhead": strconv.FormatInt(r.Ov, 10)}
	l := policytest.Simulate(t, r.Nodes, jobs, "scojo-pect", knobs)
	got, last := slicedJobs(l), job.Time(0)
	for j, o := range l.Outcomes() {
		want := r.Result[l.Jobs[j].ID]
		require.Equal(t, want.Segments, got[j].Segments, l.Jobs[j].ID)
		require.Equal(t, want.Nodes, got[j].Nodes, l.Jobs[j].ID)
		require.Equal(t, want.Finish, o.Finish, l.Jobs[j].ID)
		require.Equal(t, job.Never, o.Promised, "a planned start in virtual time is not recorded as a promise")
		last = max(last, o.Finish)
	}
	r.compareSlices(t, l, last)
}

// compareSlices compares the slices in a log with those of the reference model. In the log, a slice
// starts after its overhead, and the last slice ends when no job is left, at the time lastEnd.
func (r *referenceSlicedRun) compareSlices(t *testing.T, l *log.Log, lastEnd job.Time) {
	all := slicePeriods(l)
	require.Len(t, all, len(r.Slices))
	for i, s := range r.Slices {
		name, from, to := s[0].(string), job.Time(s[1].(float64)), job.Time(s[2].(float64))
		require.Equal(t, slicePeriod{map[string]uint8{"S": 1, "M": 2, "L": 3}[name], from + r.Ov, min(to, lastEnd)}, all[i])
	}
}
