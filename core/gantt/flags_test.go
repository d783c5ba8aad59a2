package gantt_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// TestBackfilledLikeTheReason checks that a chart marks a job as backfilled if the reason for its start says so.
func TestBackfilledLikeTheReason(t *testing.T) {
	for code, info := range log.Codes {
		if !strings.Contains(info.Sentence, "{job} was backfilled") {
			continue
		}
		l := log.New(cluster.Flat(1), []job.Job{{ID: "a", Request: job.Request{Procs: 1, Estimate: 1}, Runtime: 1}}, log.Full)
		l.Add(log.Record{Kind: log.Start, Job: 0, Code: log.Code(code), Other: job.None})
		l.Add(log.Record{At: 1, Kind: log.Finish, Job: 0, Other: job.None})
		assert.True(t, gantt.New(l).Backfilled(0), info.Name)
	}
}
