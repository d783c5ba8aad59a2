package scojo

import (
	"fmt"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// MaxIntervals is how many intervals a job may take. Each costs a few records: that
// the job is preempted, and goes on.
const MaxIntervals = 100_000

// endless returns the first job that would take more than MaxIntervals intervals,
// nil if there is none.
func endless(v policy.Values, jobs []job.Job) *job.Invalid {
	r := rulesOf(v)
	ahead := r.ahead()
	for i := range jobs {
		j := &jobs[i]
		c := r.Class(&j.Request)
		if most := ahead[c].usable * MaxIntervals; j.Runtime > most {
			return &job.Invalid{Row: i, ID: j.ID, Field: "runtime", Expected: fmt.Sprintf(
				"at most %d s under scojo-pect: %d intervals of %d s, of which such a job has %d s each (a longer interval admits longer jobs)", most, MaxIntervals, r.interval, ahead[c].usable),
				Got: strconv.FormatInt(j.Runtime, 10)}
		}
	}
	return nil
}
