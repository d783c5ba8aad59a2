package gantt

import (
	"iter"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline/interval"
)

// jobParts numbers the spans of each preempted job. All fields are nil if no job is preempted.
type jobParts struct {
	number []int32      // by span: its number among the spans of the same job, from 1
	count  []int32      // by job: the number of its spans
	gaps   interval.Set // intervals between two spans of a job
	before []int32      // by gap: the span before it
}

// readParts numbers the spans of the jobs in a chart. It finds the gaps between spans in the order
// in which the log records the suspensions, so the gaps are in order of time.
func readParts(c *Chart) (p jobParts) {
	if c.Next == nil {
		return p
	}
	p.number, p.count = make([]int32, len(c.Jobs)), make([]int32, len(c.log.Jobs))
	gaps := 0
	for i, j := range c.Jobs {
		p.count[j]++
		p.number[i] = p.count[j]
		if next := c.Next[i]; next >= 0 && c.From[next] > c.To[i] {
			gaps++
		}
	}
	from, to, n := make([]job.Time, gaps), make([]job.Time, gaps), 0
	p.before = make([]int32, gaps)
	current := slices.Clone(c.First)
	for k := range c.log.Len() {
		r := c.log.Record(k)
		if r.Kind != log.Suspend || current[r.Job] < 0 || c.From[current[r.Job]] >= r.At {
			continue
		}
		i := current[r.Job]
		next := c.Next[i]
		current[r.Job] = next
		if next >= 0 && c.From[next] > r.At {
			p.before[n], from[n], to[n] = i, r.At, c.From[next]
			n++
		}
	}
	p.gaps = interval.New(from[:n], to[:n])
	return p
}

// partOf returns the number of span i among the spans of job j, and the number of spans of job j.
// It returns 0, 0 if job j has only one span.
func (p *jobParts) partOf(i int, j job.Index) (part, parts int32) {
	if p.number == nil || p.count[j] < 2 {
		return 0, 0
	}
	return min(p.number[i], PartStride-1), min(p.count[j], PartStride-1)
}

// SpanCount returns the number of spans of job j.
func (c *Chart) SpanCount(j job.Index) int {
	if c.parts.count != nil {
		return int(c.parts.count[j])
	}
	return min(int(c.First[j])+1, 1)
}

// Preempted yields the jobs that are suspended at t and will run again.
func (c *Chart) Preempted(t job.Time) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		for k := range c.parts.gaps.At(t) {
			if !yield(c.Jobs[c.parts.before[k]]) {
				return
			}
		}
	}
}

// gapsIn returns, as pieces, the gaps between successive spans of the same job in a window. It
// omits gaps next to a span shorter than minTime, and doubles minTime until at most q.MaxPieces/4
// pieces remain.
func (c *Chart) gapsIn(q Query, minTime job.Time) (out []Piece) {
	for k := range c.parts.gaps.Overlapping(q.T0, q.T1) {
		i := c.parts.before[k]
		if next := c.Next[i]; min(c.To[i]-c.From[i], c.To[next]-c.From[next]) < minTime {
			continue
		}
		for _, r := range c.slotsOf(int(i)) {
			if int(r.Lo) < q.Lanes1 && int(r.Hi) > q.Lanes0 {
				out = append(out, Piece{From: c.To[i], To: c.From[c.Next[i]], Lane0: r.Lo, Lane1: r.Hi, Job: c.Jobs[i]})
			}
		}
		if len(out) > q.MaxPieces/4 {
			return c.gapsIn(q, 2*minTime)
		}
	}
	return out
}
