package schedule_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
)

// TestAudit checks that an audit lists every promise, and counts moves only in logs that record
// them.
func TestAudit(t *testing.T) {
	jobs := []job.Job{
		{ID: "a", Runtime: 3, Request: job.Request{Procs: 1, Estimate: 8}},
		{ID: "b,c", Runtime: 3, Request: job.Request{Submit: 1, Procs: 2, Estimate: 3}},
		{ID: "d", Runtime: 3, Request: job.Request{Submit: 1, Procs: 2, Estimate: 3}},
		{ID: "e", Runtime: 3, Request: job.Request{Submit: 2, Procs: 2, Estimate: 3}},
	}
	for level, want := range map[log.Level]string{
		log.Full:      "a,0,0,0,0,0\n\"b,c\",1,18,2,3,15\nd,1,11,0,12,-1\n",
		log.Decisions: "a,0,0,,0,0\n\"b,c\",1,18,,3,15\nd,1,11,,12,-1\n",
	} {
		l := log.New(cluster.Flat(2), jobs, level)
		for _, r := range []log.Record{
			{Kind: log.Promise, Job: 0}, {Kind: log.Start, Job: 0},
			{At: 1, Kind: log.Promise, Job: 1, X: 18}, {At: 1, Kind: log.Promise, Job: 2, X: 11},
			{At: 2, Kind: log.Move, Job: 1, X: 18, Y: 5}, {At: 2, Kind: log.Move, Job: 3, X: 8, Y: 5},
			{At: 3, Kind: log.Move, Job: 1, X: 5, Y: 3}, {At: 3, Kind: log.Start, Job: 1},
			{At: 12, Kind: log.Start, Job: 2},
		} {
			l.Add(r)
		}
		var b bytes.Buffer
		require.NoError(t, schedule.WriteAudit(&b, l, schedule.Audit(l)))
		require.Equal(t, "job,submit,promised,moves,start,sooner\n"+want, b.String())
	}
}
