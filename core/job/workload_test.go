package job_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
)

// TestSlowdownsAreBounded checks that Validate rejects slowdowns above MaxSlowdown, with which a
// runtime could overflow 64 bits.
func TestSlowdownsAreBounded(t *testing.T) {
	for _, c := range []struct {
		nos, crs float64
		want     string
	}{
		{0, 0, ""},
		{job.MaxSlowdown, 1.25, ""},
		{101, 1, `job 1 (id "a"), slnos: expected 0 to 100, got 101`},
		{1, -0.5, `job 1 (id "a"), slcrs: expected 0 to 100, got -0.5`},
		{math.NaN(), 1, `job 1 (id "a"), slnos: expected 0 to 100, got NaN`},
	} {
		j := job.Job{ID: "a", Runtime: 1, Request: job.Request{Procs: 1, Estimate: 1, More: &job.More{SLnos: c.nos, SLcrs: c.crs}}}
		if err := j.Validate(0, 1); c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
}
