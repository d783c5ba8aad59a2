package worker

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/protocol"
)

// What a run may have for starts to be predicted with each event that is shown.
const (
	foreseenJobs    = 500
	foreseenRecords = 10_000
)

// foreseen is the starts to be expected at a moment under a policy.
type foreseen struct {
	at     job.Time
	starts map[job.Index]job.Time // nil: not known
}

// expect tells when the waiting jobs of an event are to be expected to start, where
// the log knows no planned start.
func (rs *results) expect(head *protocol.Played) {
	r := rs.list[head.Result]
	if head.Result >= len(rs.Scenario.Policies) { // a schedule from elsewhere
		return
	}
	if len(r.log.Jobs) > foreseenJobs || r.log.Len() > foreseenRecords {
		return
	}
	for i := range head.Waiting {
		if q := &head.Waiting[i]; q.At == nil {
			if start, ok := rs.foresee(head.Result, head.At)[job.Index(q.Job)]; ok {
				q.Expected = known(start)
			}
		}
	}
}

// foresee returns the starts to be expected at a moment under policy i; none where they
// cannot be predicted.
func (rs *results) foresee(i int, at job.Time) map[job.Index]job.Time {
	f := &rs.list[i].foreseen
	if f.starts != nil && f.at == at {
		return f.starts
	}
	*f = foreseen{at, map[job.Index]job.Time{}}
	c, err := rs.Config(i, log.Spans)
	if err != nil {
		return f.starts
	}
	if p, err := whatif.Predict(c, at); err == nil {
		for k, start := range p.Starts() {
			f.starts[p.Jobs[k]] = start
		}
	}
	return f.starts
}
