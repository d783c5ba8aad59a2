package gantt

import (
	"cmp"
	"slices"
	"sort"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// MaxPlanned is the largest number of reservations that Lay places, earliest starts
// first. A chart cannot show more.
const MaxPlanned = 500

// namesStart holds the reasons to wait whose X is a planned start. A Blocked job has the
// only reservation of its queue, until another job becomes the first in the queue.
var namesStart = [256]bool{log.Blocked: true, log.Reserved: true}

// NamesStart reports whether the X of a reason to wait is a planned start.
func NamesStart(c log.Code) bool { return namesStart[c] }

// Plans finds the reservations of the waiting jobs at any time. The log records them as
// promises, moves, and reasons to wait that name a start.
type Plans struct {
	chart   *Chart
	starts  jobValues    // planned starts
	sizes   jobValues    // planned processors of waiting moldable jobs
	blocked [256][]int32 // by virtual machine: indexes of records with reason Blocked, in order of time
}

// NewPlans reads the reservations of the chart's log.
func NewPlans(c *Chart) *Plans {
	p := &Plans{chart: c}
	p.starts = collectValues(c.log, func(r *log.Record) (job.Time, bool) {
		if r.Kind == log.Move {
			return r.Y, true
		}
		return r.X, r.Kind == log.Promise || r.Kind == log.Hold && namesStart[r.Code]
	})
	p.sizes = collectValues(c.log, func(r *log.Record) (int64, bool) { return r.Y, r.Kind == log.Resize })
	i := int32(0)
	for r := range c.log.All() {
		if r.Kind == log.Hold && r.Code == log.Blocked {
			p.blocked[r.View] = append(p.blocked[r.View], i)
		}
		i++
	}
	return p
}

// PlannedSize returns the processors and seconds that a waiting job plans to use, as of a time:
// those of the size chosen for a moldable job, else those of its request.
func (p *Plans) PlannedSize(j job.Index, at job.Time) (procs int, length job.Time) {
	q := &p.chart.log.Jobs[j]
	if n := p.sizes.last(j, at); n != nil {
		return int(n.value), q.Speedup().Seconds(int(n.value))
	}
	return q.Procs, q.Estimate
}

// Reservation is the planned start of a waiting job.
type Reservation struct {
	Job    job.Index
	Start  job.Time
	Length job.Time // estimated seconds
	Procs  int
	View   uint8 // virtual machine that plans the job, 0 for the machine itself
}

// Reservations returns the reservations of the jobs that wait at a time, the earliest start
// first.
func (p *Plans) Reservations(at job.Time) []Reservation {
	var out []Reservation
	for i := range p.chart.waits.At(at) {
		j := job.Index(i)
		if n := p.starts.last(j, at); n != nil && p.isCurrent(j, n.view, at) {
			procs, length := p.PlannedSize(j, at)
			out = append(out, Reservation{j, max(n.value, at), length, procs, n.view})
		}
	}
	slices.SortStableFunc(out, earlier)
	return out
}

// isCurrent reports whether the reservation of job j is still valid at a time. If a queue
// has a single reservation, only the last blocked job has it.
func (p *Plans) isCurrent(j job.Index, view uint8, at job.Time) bool {
	l, blocked := p.chart.log, p.blocked[view]
	n := sort.Search(len(blocked), func(k int) bool { return l.Record(int(blocked[k])).At > at })
	return n == 0 || l.Record(int(blocked[n-1])).Job == j
}

// Pieces places the reservations, as of a time, on lanes. It returns pieces with the flag
// Planned.
func (p *Plans) Pieces(at job.Time) []Piece {
	c := p.chart
	var running []RunningJob
	for i := range c.spans.At(at) {
		running = append(running, RunningJob{c.jobs[i], c.from[i] + c.remaining(i)})
	}
	all := c.Place(at, running, p.Reservations(at))
	for len(all) > 0 && all[0].Flags == Continues {
		all = all[1:]
	}
	return all
}

// remaining returns the estimated seconds that the job of span i still has to run when the
// span begins.
func (c *Chart) remaining(i int) job.Time {
	left := c.log.Estimate(c.jobs[i])
	for k := c.firstSpan[c.jobs[i]]; int(k) != i; k = c.nextSpan[k] {
		left -= c.to[k] - c.from[k]
	}
	return left
}

// RunningJob is a running job and its estimated end.
type RunningJob struct {
	Job   job.Index
	Until job.Time
}

// Place places running jobs and reservations on lanes, as of a time. It returns pieces of
// the running jobs with the flag Continues, then pieces of the reservations with the
// flag Planned, earliest start first. A reservation gets the lowest lanes that no
// running job or earlier reservation holds.
func (c *Chart) Place(at job.Time, running []RunningJob, plan []Reservation) []Piece {
	var out []Piece
	for _, h := range running {
		if h.Until <= at {
			continue // the job should have ended by its estimate
		}
		for _, r := range c.log.Alloc(h.Job) {
			out = append(out, Piece{From: at, To: h.Until, Lane0: r.Lo, Lane1: r.Hi, Job: h.Job, Flags: Continues})
		}
	}
	slices.SortStableFunc(plan, earlier)
	for _, x := range plan[:min(len(plan), MaxPlanned)] {
		for _, r := range lowestFree(out, x.Start, x.Start+x.Length, c.Lanes, x.Procs) {
			out = append(out, Piece{From: x.Start, To: x.Start + x.Length, Lane0: r.Lo, Lane1: r.Hi, Job: x.Job, Flags: Planned})
		}
	}
	return out
}

func earlier(a, b Reservation) int { return cmp.Compare(a.Start, b.Start) }

// lowestFree returns the n lowest lanes that no piece takes during [from,to). It returns
// fewer if the plan depends on facts that the log does not hold.
func lowestFree(taken []Piece, from, to job.Time, lanes, n int) cluster.Set {
	var busy []cluster.Range
	for i := range taken {
		if t := &taken[i]; t.From < to && from < t.To {
			busy = append(busy, cluster.Range{Lo: t.Lane0, Hi: t.Lane1})
		}
	}
	slices.SortFunc(busy, func(a, b cluster.Range) int { return cmp.Compare(a.Lo, b.Lo) })
	var out cluster.Set
	at := int32(0)
	for _, h := range append(busy, cluster.Range{Lo: int32(lanes), Hi: int32(lanes)}) {
		if size := min(h.Lo-at, int32(n)); size > 0 {
			out = out.Append(at, at+size)
			n -= int(size)
		}
		at = max(at, h.Hi)
	}
	return out
}
