package gantt

import (
	"math"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Pace is how fast a piece makes progress, and beside whom.
type Pace struct {
	Rate   float64   // as a part of the speed that the job has alone, with a process on each node
	Beside job.Index // the first of the jobs that have run on its nodes; none if Others is 0
	Others int32     // how many these are
	Mean   bool      // the rate is the mean of several, too short to be told apart; who was beside is left out
}

// own is the pace of a job that has its nodes for itself.
var own = Pace{Rate: 1}

// phase is a pace and the moment from which it holds.
type phase struct {
	at   job.Time
	next int32 // phase of the stretch, -1 after the last
	Pace
}

// paces is the phases of the stretches of a machine with several cores a node.
type paces struct {
	first []int32 // by stretch; nil where nodes are not shared
	list  []phase
	jobs  int // that run beside others
}

// rate returns that of a record as a part of the job's own speed.
func rate(l *log.Log, r *log.Record) float64 {
	v := math.Float64frombits(uint64(r.X))
	if s := l.Jobs[r.Job].Speedup(); s != nil {
		return v / s.At(int(l.Layout(r.Job).Procs))
	}
	return v
}

// of returns the phases of stretch i, which ends at a moment. Neighbours of which less
// than that much lies in the window of a query are one.
func (p *paces) of(i int, end job.Time, q Query, least job.Time) (out []phase) {
	narrow := func(from, to job.Time) bool { return min(to, q.T1)-max(from, q.T0) < least }
	for k := p.first[i]; k >= 0; k = p.list[k].next {
		x, to := p.list[k], end
		if x.next >= 0 {
			to = p.list[x.next].at
		}
		n := len(out) - 1
		if n < 0 || !narrow(x.at, to) || !narrow(out[n].at, x.at) {
			out = append(out, x)
			continue
		}
		sum := float64(out[n].Rate*float64(x.at-out[n].at)) + float64(x.Rate*float64(to-x.at))
		out[n].Pace = Pace{Rate: sum / float64(to-out[n].at), Mean: true}
	}
	return out
}

// cut cuts the pieces of a view where the pace of their jobs changes; those of one
// stretch, which Count names, follow one another. Where they would be too many, only
// longer phases count.
func (c *Chart) cut(v *View, least job.Time) {
	if c.paces.first == nil {
		return
	}
	v.Paces = append(v.Paces[:0], own)
	var out []Piece
	for rest := v.Pieces; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Count == rest[0].Count {
			n++
		}
		phases := c.paces.of(int(rest[0].Count), rest[0].To, v.Query, least)
		for k := range phases {
			pace := int32(0)
			if phases[k].Pace != own {
				pace = int32(len(v.Paces))
				v.Paces = append(v.Paces, phases[k].Pace)
			}
			for i := range n {
				out = append(out, rest[i])
				x := &out[len(out)-1]
				if x.From, x.Count, x.Pace = phases[k].at, 0, pace; k > 0 {
					x.Flags &^= Resumed
				}
				if k+1 < len(phases) {
					x.To = phases[k+1].at
					x.Flags &^= Continues
				}
			}
		}
		if rest = rest[n:]; len(out) > v.Query.Most*3/4 {
			c.cut(v, max(2*least, 1))
			return
		}
	}
	v.Pieces = out
}

// Sharing returns how many jobs run beside others, and how fast, in a sentence; nothing
// if none does.
func (c *Chart) Sharing() string {
	if c.paces.jobs == 0 {
		return ""
	}
	least, most := math.MaxFloat64, 0.0
	for k := range c.paces.list {
		if p := &c.paces.list[k]; p.Others > 0 {
			least, most = min(least, p.Rate), max(most, p.Rate)
		}
	}
	text := ratio(least)
	if most > least {
		text += " to " + ratio(most)
	}
	return itoa(c.paces.jobs) + " jobs share nodes, there at " + text + " of their speed."
}

// ratio returns a rate as it is shown.
func ratio(rate float64) string { return strconv.FormatFloat(rate, 'f', 2, 64) }

// nodeName returns a node beside the lanes.
func (c *Chart) nodeName(k int) string {
	if c.paces.first == nil {
		return itoa(k)
	}
	return "node " + itoa(k)
}
