package worker

import "backfill-lab/core/job"

// speed returns how fast a finished job was, in percent of its own speed.
func (r *result) speed(j job.Index) int64 {
	alone, took := r.log.Jobs[j].Runtime, r.gantt().Ran(j)
	if r.log.Jobs[j].Speedup() != nil {
		alone = r.log.Estimate(j)
	}
	if took == 0 || r.log.Machine.PerNode() == 1 {
		return 100
	}
	return int64(100*float64(alone)/float64(took) + 0.5)
}
