package gantt

import (
	"iter"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Hit returns the job that runs on a lane at a moment.
func (c *Chart) Hit(t job.Time, lane int) (job.Index, bool) {
	for i := range c.spans.At(t) {
		for _, r := range c.slots(i) {
			if int(r.Lo) <= lane && lane < int(r.Hi) {
				return c.jobs[i], true
			}
		}
	}
	return job.None, false
}

// Waiting yields the jobs that are submitted and not started at t, in index
// order. A job that starts at t does not wait then.
func (c *Chart) Waiting(t job.Time) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		for i := range c.waits.At(t) {
			if !yield(job.Index(i)) {
				return
			}
		}
	}
}

// Started yields the jobs whose first stretch begins in [t0,t1), in order.
func (c *Chart) Started(t0, t1 job.Time) iter.Seq2[job.Index, job.Time] {
	return func(yield func(job.Index, job.Time) bool) {
		for i := c.spans.Begun(t0); i < len(c.jobs) && c.from[i] < t1; i++ {
			if int(c.first[c.jobs[i]]) == i && !yield(c.jobs[i], c.from[i]) {
				return
			}
		}
	}
}

// Running yields the jobs on the machine at t, in the order of their begins.
func (c *Chart) Running(t job.Time) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		for i := range c.spans.At(t) {
			if !yield(c.jobs[i]) {
				return
			}
		}
	}
}

// Preempted yields the jobs that have run before t and will run again, but are
// off the machine at t.
func (c *Chart) Preempted(t job.Time) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		for k := range c.parts.gaps.At(t) {
			if !yield(c.jobs[c.parts.left[k]]) {
				return
			}
		}
	}
}

// JobSpans returns the stretches of job j in order of time.
func (c *Chart) JobSpans(j job.Index) []log.Span {
	var out []log.Span
	for i := c.first[j]; i >= 0; i = c.after(i) {
		out = append(out, log.Span{Job: j, From: c.from[i], To: c.to[i]})
	}
	return out
}

// Ran returns how long job j is on the machine.
func (c *Chart) Ran(j job.Index) (sum job.Time) {
	for i := c.first[j]; i >= 0; i = c.after(i) {
		sum += c.to[i] - c.from[i]
	}
	return sum
}

func (c *Chart) after(i int32) int32 {
	if c.next == nil {
		return -1
	}
	return c.next[i]
}

// Totals is what a rectangle of the chart holds.
type Totals struct {
	Jobs int      // with a moment on one of its lanes
	Busy job.Time // lane-seconds
	Area job.Time // lane-seconds in all
}

// Totals counts the times [t0,t1) on the lanes [lane0,lane1).
func (c *Chart) Totals(t0, t1 job.Time, lane0, lane1 int) Totals {
	q := c.clamp(Query{T0: t0, T1: t1, Lanes0: lane0, Lanes1: lane1})
	if q.T0 >= q.T1 || q.Lanes0 >= q.Lanes1 {
		return Totals{}
	}
	sum := Totals{Area: (q.T1 - q.T0) * job.Time(q.Lanes1-q.Lanes0)}
	last := map[job.Index]bool{} // jobs with several stretches
	for i := range c.spans.Over(q.T0, q.T1) {
		lanes := 0
		for _, r := range c.slots(i) {
			lanes += max(0, min(int(r.Hi), q.Lanes1)-max(int(r.Lo), q.Lanes0))
		}
		if lanes == 0 {
			continue
		}
		sum.Busy += (min(c.to[i], q.T1) - max(c.from[i], q.T0)) * job.Time(lanes)
		if j := c.jobs[i]; c.after(c.first[j]) < 0 || !last[j] {
			last[j] = c.after(c.first[j]) >= 0
			sum.Jobs++
		}
	}
	return sum
}

// NextStart returns the job of the first stretch that begins at or after t, the
// lowest lane first.
func (c *Chart) NextStart(t job.Time) (job.Index, bool) {
	return c.job(c.spans.Begun(t))
}

// Next returns the job that starts after job j does; equal starts go from the
// lowest lane up.
func (c *Chart) Next(j job.Index) (job.Index, bool) { return c.walk(j, 1) }

// Previous returns the job that starts before job j does.
func (c *Chart) Previous(j job.Index) (job.Index, bool) { return c.walk(j, -1) }

// walk goes from the first stretch of j to the next one that is the first of
// its job.
func (c *Chart) walk(j job.Index, step int) (job.Index, bool) {
	if c.first[j] < 0 {
		return job.None, false
	}
	for i := int(c.first[j]) + step; i >= 0 && i < len(c.jobs); i += step {
		if k := c.jobs[i]; int(c.first[k]) == i {
			return k, true
		}
	}
	return job.None, false
}

func (c *Chart) job(i int) (job.Index, bool) {
	if i < 0 || i >= len(c.jobs) {
		return job.None, false
	}
	return c.jobs[i], true
}
