package gantt

import (
	"math"
	"strconv"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Pace holds the speed at which a job runs, and the other jobs on its nodes.
type Pace struct {
	Rate       float64   // speed, as a fraction of the speed at which the job runs alone with one process per node
	FirstOther job.Index // first other job on its nodes; unset if Others is 0
	Others     int32     // number of other jobs on its nodes
	Mean       bool      // whether Rate is the mean of several short phases; FirstOther and Others are then unset
}

// fullSpeed is the pace of a job that runs at rate 1 and shares no nodes.
var fullSpeed = Pace{Rate: 1}

// phase is a part of a span during which the pace does not change.
type phase struct {
	from      job.Time
	nextPhase int32 // next phase of the span, or -1 after the last one
	Pace
}

// pacePhases holds the phases of all spans. It is empty for single-core nodes.
type pacePhases struct {
	firstPhase  []int32 // by span: its first phase; nil on single-core nodes
	all         []phase // phases of all spans; nextPhase links the phases of one span
	sharingJobs int     // number of jobs that share nodes at some time
}

// relativeRate returns the rate in a record as a fraction of full speed. For a moldable job, it
// divides the rate by the speedup of the job on its processors, so that the result is 1 at full
// speed.
func relativeRate(l *log.Log, r *log.Record) float64 {
	v := math.Float64frombits(uint64(r.X))
	if s := l.Jobs[r.Job].Speedup(); s != nil {
		return v / s.At(int(l.Layout(r.Job).Procs))
	}
	return v
}

// phasesOf returns the phases of span i, which ends at the given time. It merges neighbouring
// phases if less than minTime seconds of each are visible in the window.
func (p *pacePhases) phasesOf(i int, end job.Time, q Query, minTime job.Time) (out []phase) {
	isShort := func(from, to job.Time) bool { return min(to, q.T1)-max(from, q.T0) < minTime }
	for k := p.firstPhase[i]; k >= 0; k = p.all[k].nextPhase {
		x, to := p.all[k], end
		if x.nextPhase >= 0 {
			to = p.all[x.nextPhase].from
		}
		n := len(out) - 1
		if n < 0 || !isShort(x.from, to) || !isShort(out[n].from, x.from) {
			out = append(out, x)
			continue
		}
		sum := float64(out[n].Rate*float64(x.from-out[n].from)) + float64(x.Rate*float64(to-x.from))
		out[n].Pace = Pace{Rate: sum / float64(to-out[n].from), Mean: true}
	}
	return out
}

// cutByPace cuts the pieces of a view at the times at which the paces of their jobs change. Before the
// call, the field Count of each piece must hold the index of its span, and the pieces of a span must
// be adjacent. Phases shorter than minPhase are merged. If this leaves too many pieces for the view,
// cutByPace starts again with a longer minPhase.
func (c *Chart) cutByPace(v *View, minPhase job.Time) {
	if c.paces.firstPhase == nil {
		return
	}
	v.Paces = append(v.Paces[:0], fullSpeed)
	var out []Piece
	for rest := v.Pieces; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Count == rest[0].Count {
			n++
		}
		phases := c.paces.phasesOf(int(rest[0].Count), rest[0].To, v.Query, minPhase)
		for k := range phases {
			pace := int32(0)
			if phases[k].Pace != fullSpeed {
				pace = int32(len(v.Paces))
				v.Paces = append(v.Paces, phases[k].Pace)
			}
			for i := range n {
				out = append(out, rest[i])
				piece := &out[len(out)-1]
				if piece.From, piece.Count, piece.Pace = phases[k].from, 0, pace; k > 0 {
					piece.Flags &^= Resumed
				}
				if k+1 < len(phases) {
					piece.To = phases[k+1].from
					piece.Flags &^= Continues
				}
			}
		}
		if rest = rest[n:]; len(out) > v.Query.MaxPieces*3/4 {
			c.cutByPace(v, max(2*minPhase, 1))
			return
		}
	}
	v.Pieces = out
}

// SharingText returns a sentence about the number of jobs that share nodes and the speed at which
// they run there. It returns "" if no jobs share nodes.
func (c *Chart) SharingText() string {
	if c.paces.sharingJobs == 0 {
		return ""
	}
	slowest, fastest := math.MaxFloat64, 0.0
	for k := range c.paces.all {
		if p := &c.paces.all[k]; p.Others > 0 {
			slowest, fastest = min(slowest, p.Rate), max(fastest, p.Rate)
		}
	}
	text := rateText(slowest)
	if fastest > slowest {
		text += " to " + rateText(fastest)
	}
	return format.Whole(c.paces.sharingJobs) + " jobs share nodes, where they run at " + text + " of their full speed."
}

// rateText returns a rate with two decimal places.
func rateText(rate float64) string { return strconv.FormatFloat(rate, 'f', 2, 64) }

// nodeLabel returns the label of a node: its number, with the prefix "node" if nodes have several
// cores.
func (c *Chart) nodeLabel(k int) string {
	if c.paces.firstPhase == nil {
		return itoa(k)
	}
	return "node " + itoa(k)
}
