package gantt

import (
	"cmp"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/timeline"
)

// MaxPlanned is the maximum number of reservations for which PlanPieces returns pieces. If there
// are more reservations, PlanPieces uses those with the earliest starts.
const MaxPlanned = 500

// ReservationPieces returns pieces for the reservations that are known at the given time. The
// pieces have the flag Planned.
func (c *Chart) ReservationPieces(p *timeline.Plans, at job.Time) []Piece {
	all := c.PlanPieces(at, p.Running(at), p.Reservations(at))
	for len(all) > 0 && all[0].Flags == Continues {
		all = all[1:]
	}
	return all
}

// PlanPieces returns pieces for the running jobs and the reservations that are known at the given
// time. The running jobs come first and have the flag Continues. The reservations follow, earliest
// start first, and have the flag Planned. A reservation gets the lowest lanes that no running job
// or earlier reservation uses. PlanPieces sorts the given plan by start.
func (c *Chart) PlanPieces(at job.Time, running []timeline.RunningJob, plan []timeline.Reservation) []Piece {
	var out []Piece
	for _, h := range running {
		if h.Until <= at {
			continue // the estimated end of the job has passed
		}
		for _, r := range c.log.Alloc(h.Job) {
			out = append(out, Piece{From: at, To: h.Until, Lane0: r.Lo, Lane1: r.Hi, Job: h.Job, Flags: Continues})
		}
	}
	slices.SortStableFunc(plan, timeline.CompareStarts)
	for _, x := range plan[:min(len(plan), MaxPlanned)] {
		for _, r := range lowestFree(out, x.Start, x.Start+x.Length, c.Lanes, x.Procs) {
			out = append(out, Piece{From: x.Start, To: x.Start + x.Length, Lane0: r.Lo, Lane1: r.Hi, Job: x.Job, Flags: Planned})
		}
	}
	return out
}

// lowestFree returns the n lowest lanes that no piece uses during [from,to). It returns fewer lanes
// if fewer are free, which happens if the policy's plan used information that is not in the log.
func lowestFree(taken []Piece, from, to job.Time, lanes, n int) cluster.Set {
	var busy []cluster.Range
	for i := range taken {
		if t := &taken[i]; t.From < to && from < t.To {
			busy = append(busy, cluster.Range{Lo: t.Lane0, Hi: t.Lane1})
		}
	}
	slices.SortStableFunc(busy, func(a, b cluster.Range) int { return cmp.Compare(a.Lo, b.Lo) })
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
