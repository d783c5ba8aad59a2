package policytest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
)

// TestScenarios runs the scenario files in testdata.
func TestScenarios(t *testing.T) { policytest.Scenarios(t, "testdata") }

// referenceRun holds a run of the external reference model, another implementation of the policies.
// The fields have the layout of the model's JSON file.
type referenceRun struct {
	ID, System, Policy, Order, BfOrder string
	M                                  int
	Restart                            *bool
	Jobs                               []struct {
		ID                      string
		Submit, Procs, Est, Run int64
	}
	Starts, Promised map[string]job.Time
	Moves            []struct {
		T   job.Time
		Job string
		Frm job.Time
		To  job.Time
	}
}

// TestReferenceRuns simulates the jobs of each run of the external reference model for rigid jobs,
// and compares the starts, promises and moves with the results of the model.
func TestReferenceRuns(t *testing.T) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: skipping the runs of the reference model")
	}
	data, err := os.ReadFile(filepath.Join(folder, "oracles.json"))
	require.NoError(t, err)
	var runs []referenceRun
	require.NoError(t, json.Unmarshal(data, &runs))
	names := map[string]string{"FCFS": "fcfs", "EASY": "easy", "CONS": "conservative", "PC": "pc", "DC": "dc"}
	ran := 0
	for _, r := range runs {
		if name, ok := names[r.Policy]; ok && r.System == "rigid" {
			ran++
			t.Run(strings.Join([]string{r.ID, r.Policy, r.Order, r.BfOrder}, "-"), func(t *testing.T) { r.compare(t, name) })
		}
	}
	require.Greater(t, ran, 20, "number of runs in the file")
}

// compare simulates the jobs of r under the named policy. It compares the starts, promises and
// moves with those in r.
func (r *referenceRun) compare(t *testing.T, policy string) {
	knobs := map[string]string{}
	if policy != "conservative" {
		knobs["order"] = strings.ToLower(r.Order)
	}
	if policy == "pc" && r.Restart != nil {
		knobs["restart"] = strconv.FormatBool(*r.Restart)
	}
	if r.BfOrder != "" && policy == "easy" {
		knobs["backfill-order"] = strings.ToLower(r.BfOrder)
	}
	l := policytest.Simulate(t, r.M, r.jobs(), policy, knobs)
	starts, promised := map[string]job.Time{}, map[string]job.Time{}
	for j, o := range l.Outcomes() {
		starts[l.Jobs[j].ID] = o.Start
		if o.Promised != job.Never {
			promised[l.Jobs[j].ID] = o.Promised
		}
	}
	require.Equal(t, r.Starts, starts)
	if r.Promised != nil {
		require.Equal(t, r.Promised, promised)
	}
	if r.Moves != nil {
		r.compareMoves(t, l)
	}
}

func (r *referenceRun) compareMoves(t *testing.T, l *log.Log) {
	i := 0
	for m := range l.All() {
		if m.Kind != log.Move {
			continue
		}
		require.Less(t, i, len(r.Moves), "one move too many: %s", policytest.FormatMoves(l))
		w := r.Moves[i]
		require.Equal(t, []any{w.T, w.Job, w.Frm, w.To}, []any{m.At, l.Jobs[m.Job].ID, m.X, m.Y})
		i++
	}
	require.Len(t, r.Moves, i)
}

func (r *referenceRun) jobs() []job.Job {
	var jobs []job.Job
	for _, j := range r.Jobs {
		jobs = append(jobs, job.Job{ID: j.ID, Runtime: j.Run,
			Request: job.Request{Submit: j.Submit, Procs: int(j.Procs), Estimate: j.Est}})
	}
	job.Sort(jobs)
	return jobs
}
