package gantt

import (
	"iter"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Waiting yields the jobs that are submitted and not started at t, in index order. A job
// that starts at t does not wait at t.
func (c *Chart) Waiting(t job.Time) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		for i := range c.waits.At(t) {
			if !yield(job.Index(i)) {
				return
			}
		}
	}
}

// Started yields the jobs that start in [t0,t1) with their starts, in order.
func (c *Chart) Started(t0, t1 job.Time) iter.Seq2[job.Index, job.Time] {
	return func(yield func(job.Index, job.Time) bool) {
		for i := c.spans.CountBefore(t0); i < len(c.jobs) && c.from[i] < t1; i++ {
			if int(c.firstSpan[c.jobs[i]]) == i && !yield(c.jobs[i], c.from[i]) {
				return
			}
		}
	}
}

// Running yields the jobs that run at t, in the order of the begins of their spans.
func (c *Chart) Running(t job.Time) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		for i := range c.spans.At(t) {
			if !yield(c.jobs[i]) {
				return
			}
		}
	}
}

// Preempted yields the jobs that are suspended at t and run again later.
func (c *Chart) Preempted(t job.Time) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		for k := range c.parts.gaps.At(t) {
			if !yield(c.jobs[c.parts.before[k]]) {
				return
			}
		}
	}
}

// JobSpans returns the spans of job j in order of time.
func (c *Chart) JobSpans(j job.Index) []log.Span {
	var out []log.Span
	for i := c.firstSpan[j]; i >= 0; i = c.nextOf(i) {
		out = append(out, log.Span{Job: j, From: c.from[i], To: c.to[i]})
	}
	return out
}

// TotalRuntime returns the total time that job j runs, in seconds.
func (c *Chart) TotalRuntime(j job.Index) (sum job.Time) {
	for i := c.firstSpan[j]; i >= 0; i = c.nextOf(i) {
		sum += c.to[i] - c.from[i]
	}
	return sum
}

// nextOf returns the next span of the job of span i, -1 if there is none.
func (c *Chart) nextOf(i int32) int32 {
	if c.nextSpan == nil {
		return -1
	}
	return c.nextSpan[i]
}
