package gantt

import (
	"slices"

	"backfill-lab/core/gantt/interval"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// parts knows of each stretch which of its job's it is; all nil where no job is
// preempted.
type parts struct {
	part []int32 // by stretch, from 1
	all  []int32 // by job
	gaps interval.Set
	left []int32 // by gap: the stretch before it
}

// readParts reads the stretches of a chart, which are linked. Its log has the
// suspensions in order of time, and so the gaps.
func readParts(c *Chart) (p parts) {
	if c.next == nil {
		return p
	}
	p.part, p.all = make([]int32, len(c.jobs)), make([]int32, len(c.log.Jobs))
	gaps := 0
	for i, j := range c.jobs {
		p.all[j]++
		p.part[i] = p.all[j]
		if next := c.next[i]; next >= 0 && c.from[next] > c.to[i] {
			gaps++
		}
	}
	from, to, n := make([]job.Time, gaps), make([]job.Time, gaps), 0
	p.left = make([]int32, gaps)
	at := slices.Clone(c.first)
	for k := range c.log.Len() {
		r := c.log.Record(k)
		if r.Kind != log.Suspend || at[r.Job] < 0 || c.from[at[r.Job]] >= r.At {
			continue
		}
		i := at[r.Job]
		next := c.next[i]
		at[r.Job] = next
		if next >= 0 && c.from[next] > r.At {
			p.left[n], from[n], to[n] = i, r.At, c.from[next]
			n++
		}
	}
	p.gaps = interval.New(from[:n], to[:n])
	return p
}

// of returns which of how many stretches of job j the stretch i is, 0 if it is the
// only one.
func (p *parts) of(i int, j job.Index) (part, parts int32) {
	if p.part == nil || p.all[j] < 2 {
		return 0, 0
	}
	return min(p.part[i], PartStride-1), min(p.all[j], PartStride-1)
}

// Pieces returns of how many stretches job j is.
func (c *Chart) Pieces(j job.Index) int {
	if c.parts.all != nil {
		return int(c.parts.all[j])
	}
	return min(int(c.first[j])+1, 1)
}

// joins returns the gaps between the stretches of a window that are at least as long
// as that. Where they would be too many, only longer stretches count.
func (c *Chart) joins(q Query, least job.Time) (out []Piece) {
	for k := range c.parts.gaps.Over(q.T0, q.T1) {
		i := c.parts.left[k]
		if next := c.next[i]; min(c.to[i]-c.from[i], c.to[next]-c.from[next]) < least {
			continue
		}
		for _, r := range c.slots(int(i)) {
			if int(r.Lo) < q.Lanes1 && int(r.Hi) > q.Lanes0 {
				out = append(out, Piece{From: c.to[i], To: c.from[c.next[i]], Lane0: r.Lo, Lane1: r.Hi, Job: c.jobs[i]})
			}
		}
		if len(out) > q.Most/4 {
			return c.joins(q, 2*least)
		}
	}
	return out
}
