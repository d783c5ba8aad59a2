package sweep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/resample"
)

// resampled returns a definition whose workload is a trace of four weeks. The arguments are JSON:
// further fields of the workload, and the field of the definition that sets the seeds. In each
// week, 3 users together submit 20 jobs. All jobs of a week have the same size.
func resampled(fields, seeds string) string {
	var jobs []string
	for i := range 80 {
		jobs = append(jobs, fmt.Sprintf(`{"id": "%d", "submit": %d, "procs": %d, "runtime": 90000, "user": "u%d"}`, i, i*30240, 1+i/20, i%3))
	}
	return `{"version": 1, "workloads": [{"name": "trace", ` + fields + `
		"scenario": {"version": 1, "machine": {"nodes": 8}, "workload": {"jobs": [` + strings.Join(jobs, ",") + `]}}}],
		"loads": [1, 2], ` + seeds + ` "policies": [{"name": "easy"}, {"name": "fcfs"}], "metrics": ["mean-wait"]}`
}

// TestResample checks that different seeds draw different jobs. The load factor must be applied
// after the blocks of jobs, which are weeks or users, are drawn.
func TestResample(t *testing.T) {
	for _, by := range resample.BlockNames {
		d := parsed(t, resampled(fmt.Sprintf(`"resample": %q,`, by), `"seeds": [1, 2, 3],`))
		require.Equal(t, 2*3*2, d.Runs())
		assert.Equal(t, "trace, load factor 2, seed 1", d.Describe(d.Group(3)))
		keys, waits := map[string]bool{}, map[float64]bool{}
		values := resultsOf(t, d)
		for g := range d.Groups() {
			keys[d.JobsKey(d.Group(g))] = true
			waits[values(g, 1)["mean-wait"]] = true
		}
		assert.Len(t, keys, 6)
		assert.Greater(t, len(waits), 3, "the seeds give different results")
		for seed := range 3 {
			single, err := d.Prepare(d.Group(seed), (*scenario.Scenario).Setup)
			require.NoError(t, err)
			double, err := d.Prepare(d.Group(seed+3), (*scenario.Scenario).Setup)
			require.NoError(t, err)
			require.Equal(t, single.Count(), double.Count())
			a, b := single.Setup().Work.Jobs, double.Setup().Work.Jobs
			for i := range a {
				assert.Equal(t, a[0].Submit+(a[i].Submit-a[0].Submit+1)/2, b[i].Submit)
				assert.Equal(t, a[i].Procs, b[i].Procs)
			}
			assert.Equal(t, by == "week", len(a) == 80 && weeksOfOneSize(a))
		}
	}
}

// weeksOfOneSize reports whether all jobs of the same week have the same size.
func weeksOfOneSize(jobs []job.Job) bool {
	sizes := map[job.Time]int{}
	for i := range jobs {
		week := (jobs[i].Submit - jobs[0].Submit/resample.Week*resample.Week) / resample.Week
		if size, known := sizes[week]; known && size != jobs[i].Procs {
			return false
		}
		sizes[week] = jobs[i].Procs
	}
	return true
}

// TestResampleErrors checks the errors for workloads that cannot be resampled.
func TestResampleErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{resampled(`"resample": "month",`, ""), `line 1, workloads, row 1, resample: expected week or user, got "month"`},
		{resampled(`"resample": "week",`, ""), "line 1, workloads, row 1, resample: expected seeds, in the workload or in the definition, got none"},
		{`{"version": 1, "workloads": [{"name": "a", "resample": "week",
			"scenario": {"version": 1, "machine": {"nodes": 4}, "workload": {"generator": "lublin", "seed": 1}}}], "policies": [{"name": "easy"}]}`,
			"line 1, workloads, row 1, resample: expected a workload that is not generated, got "},
	} {
		_, err := Parse([]byte(c.text))
		require.ErrorContains(t, err, c.want)
	}
	text := resampled(`"resample": "week",`, `"seeds": [1],`)
	d := parsed(t, strings.Replace(text, `"workload": {"jobs"`, `"rules": {"window": "0:200000"}, "workload": {"jobs"`, 1))
	_, err := d.Prepare(d.Group(0), (*scenario.Scenario).Setup)
	require.ErrorContains(t, err, "trace, load factor 1, seed 1: resample: expected jobs of at least 2 weeks, got submissions within 0.3 weeks")
}
