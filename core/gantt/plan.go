package gantt

import (
	"cmp"
	"slices"
	"sort"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// MostPlanned is how many reservations At lays out, those of the earliest
// starts; more cannot be told apart in a picture.
const MostPlanned = 500

// plans says which reasons to wait name a planned start, their X. A Blocked
// job has the one reservation of its queue, which ends when another job comes
// to the front.
var plans = [256]bool{log.Blocked: true, log.Reserved: true}

// NamesStart reports whether a reason to wait names a planned start, as its X.
func NamesStart(c log.Code) bool { return plans[c] }

// Plans is the reservations of the waiting jobs at any moment, as far as the
// log knows them: promises, moves, and the reasons to wait that name a start.
type Plans struct {
	chart   *Chart
	starts  notes
	sizes   notes        // of moldable jobs while they wait
	blocked [256][]int32 // by view: records of Blocked in order of time
}

// NewPlans reads the reservations of the chart's log.
func NewPlans(c *Chart) *Plans {
	p := &Plans{chart: c}
	p.starts = take(c.log, func(r *log.Record) (job.Time, bool) {
		if r.Kind == log.Move {
			return r.Y, true
		}
		return r.X, r.Kind == log.Promise || r.Kind == log.Hold && plans[r.Code]
	})
	p.sizes = take(c.log, func(r *log.Record) (int64, bool) { return r.Y, r.Kind == log.Resize })
	i := int32(0)
	for r := range c.log.All() {
		if r.Kind == log.Hold && r.Code == log.Blocked {
			p.blocked[r.View] = append(p.blocked[r.View], i)
		}
		i++
	}
	return p
}

// Asks returns what a waiting job is to start with at the moment at, as far as the
// log knows: the size chosen for a moldable job, else what it asks for.
func (p *Plans) Asks(j job.Index, at job.Time) (procs int, length job.Time) {
	q := &p.chart.log.Jobs[j]
	if n := p.sizes.last(j, at); n != nil {
		return int(n.value), q.Speedup().Seconds(int(n.value))
	}
	return q.Procs, q.Estimate
}

// Plan returns Plans.At for a single question.
func Plan(l *log.Log, at job.Time) []Piece { return NewPlans(New(l)).At(at) }

// Reservation is the planned start of a waiting job.
type Reservation struct {
	Job    job.Index
	Start  job.Time
	Length job.Time // by its estimate
	Procs  int
	View   uint8 // the virtual machine that plans it, 0 = the machine itself
}

// Reserved returns the planned starts of the jobs that wait at the moment at, the
// earliest first.
func (p *Plans) Reserved(at job.Time) []Reservation {
	var out []Reservation
	for i := range p.chart.waits.At(at) {
		j := job.Index(i)
		if n := p.starts.last(j, at); n != nil && p.stands(j, n.view, at) {
			procs, length := p.Asks(j, at)
			out = append(out, Reservation{j, max(n.value, at), length, procs, n.view})
		}
	}
	slices.SortStableFunc(out, earlier)
	return out
}

// stands reports whether j is not a former front of the queue: under one
// reservation, only the last one of its queue counts.
func (p *Plans) stands(j job.Index, view uint8, at job.Time) bool {
	l, blocked := p.chart.log, p.blocked[view]
	n := sort.Search(len(blocked), func(k int) bool { return l.Record(int(blocked[k])).At > at })
	return n == 0 || l.Record(int(blocked[n-1])).Job == j
}

// At lays the reservations at the moment at out on lanes, as pieces with the
// flag Planned.
func (p *Plans) At(at job.Time) []Piece {
	c := p.chart
	var held []Holding
	for i := range c.spans.At(at) {
		held = append(held, Holding{c.jobs[i], c.from[i] + c.left(i)})
	}
	all := c.Lay(at, held, p.Reserved(at))
	for len(all) > 0 && all[0].Flags == Continues {
		all = all[1:]
	}
	return all
}

// left returns how long the job of stretch i has to run by its estimate when the
// stretch begins.
func (c *Chart) left(i int) job.Time {
	left := c.log.Estimate(c.jobs[i])
	for k := c.first[c.jobs[i]]; int(k) != i; k = c.next[k] {
		left -= c.to[k] - c.from[k]
	}
	return left
}

// Holding is a running job and its end by its estimate.
type Holding struct {
	Job   job.Index
	Until job.Time
}

// Lay lays out on lanes what jobs hold from the moment at on, as pieces with
// the flag Continues, and then reservations, the earliest first: the plan says
// how many processors, the lanes are the lowest that neither a running job (to
// its end by the estimate) nor an earlier reservation holds.
func (c *Chart) Lay(at job.Time, held []Holding, plan []Reservation) []Piece {
	var out []Piece
	for _, h := range held {
		if h.Until <= at {
			continue // about to end
		}
		for _, r := range c.log.Alloc(h.Job) {
			out = append(out, Piece{From: at, To: h.Until, Lane0: r.Lo, Lane1: r.Hi, Job: h.Job, Flags: Continues})
		}
	}
	slices.SortStableFunc(plan, earlier)
	for _, x := range plan[:min(len(plan), MostPlanned)] {
		for _, r := range lowest(out, x.Start, x.Start+x.Length, c.Lanes, x.Procs) {
			out = append(out, Piece{From: x.Start, To: x.Start + x.Length, Lane0: r.Lo, Lane1: r.Hi, Job: x.Job, Flags: Planned})
		}
	}
	return out
}

func earlier(a, b Reservation) int { return cmp.Compare(a.Start, b.Start) }

// lowest returns the n lowest lanes that no piece holds in [from,to); fewer where
// the plan rests on more than the log tells.
func lowest(taken []Piece, from, to job.Time, lanes, n int) cluster.Set {
	var held []cluster.Range
	for i := range taken {
		if t := &taken[i]; t.From < to && from < t.To {
			held = append(held, cluster.Range{Lo: t.Lane0, Hi: t.Lane1})
		}
	}
	slices.SortFunc(held, func(a, b cluster.Range) int { return cmp.Compare(a.Lo, b.Lo) })
	var out cluster.Set
	at := int32(0)
	for _, h := range append(held, cluster.Range{Lo: int32(lanes), Hi: int32(lanes)}) {
		if size := min(h.Lo-at, int32(n)); size > 0 {
			out = out.Append(at, at+size)
			n -= int(size)
		}
		at = max(at, h.Hi)
	}
	return out
}
