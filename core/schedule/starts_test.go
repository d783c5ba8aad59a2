package schedule_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
)

// TestLogWithoutSlots checks that the checker finds errors in a log without slots. Without slots,
// the checker counts the processors in use, including the processors that outages take.
func TestLogWithoutSlots(t *testing.T) {
	jobs := []job.Job{
		{Request: job.Request{Submit: 0, Estimate: 5, Procs: 2}, ID: "p", Runtime: 3},
		{Request: job.Request{Submit: 1, Estimate: 9, Procs: 1}, ID: "q", Runtime: 4},
	}
	outage := []cluster.Outage{{From: 4, To: 6, Procs: 2}}
	for _, c := range []struct {
		starts, ends [2]job.Time
		outages      []cluster.Outage
		want         []schedule.Code
	}{
		{[2]job.Time{0, 3}, [2]job.Time{3, 7}, nil, nil},
		{[2]job.Time{0, 2}, [2]job.Time{3, 6}, nil, []schedule.Code{schedule.Capacity}},
		{[2]job.Time{4, 0}, [2]job.Time{7, 4}, nil, []schedule.Code{schedule.EarlyStart}},
		{[2]job.Time{0, 3}, [2]job.Time{3, 8}, nil, []schedule.Code{schedule.Work}},
		{[2]job.Time{0, 3}, [2]job.Time{3, 7}, outage, []schedule.Code{schedule.Capacity}},
		{[2]job.Time{0, 6}, [2]job.Time{3, 10}, outage, nil},
	} {
		m := cluster.Flat(2)
		m.Outages = c.outages
		l := log.New(m, jobs, log.Starts)
		for at := job.Time(0); at <= 10; at++ {
			for j := range job.Index(2) {
				if c.ends[j] == at {
					l.AddOutcome(log.Finish, at, j)
				}
			}
			for j := range job.Index(2) {
				if c.starts[j] == at {
					l.AddOutcome(log.Start, at, j)
				}
			}
		}
		var got []schedule.Code
		for _, f := range schedule.CheckLog(l, false) {
			got = append(got, f.Code)
		}
		assert.Equal(t, c.want, got, "%v", c)
	}
}
