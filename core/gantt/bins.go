package gantt

import (
	"math/bits"

	"backfill-lab/core/job"
)

// detail is how fine a view is.
type detail struct {
	narrow job.Time // stretches shorter than this go into bins
	thin   int      // and so do runs of fewer lanes
	column job.Time // time of a bin, a power of two, so that bins stay where they are when the window moves
	group  int      // lanes of a bin: a part of a node's, or those of whole nodes
	turns  [2]int
}

// firstDetail returns the detail that the screen can show, with bins large enough
// to be as many as allowed if none were empty or alike.
func firstDetail(q Query) detail {
	narrow := (q.T1 - q.T0 + job.Time(q.Columns) - 1) / job.Time(q.Columns)
	lanes := q.Lanes1 - q.Lanes0
	d := detail{narrow: narrow, thin: 1, group: fold((lanes+q.Rows-1)/q.Rows, q.perNode)}
	d.column = job.Time(1) << bits.Len64(uint64(narrow-1))
	for d.columns(q)*d.rows(q) > q.Most {
		d = d.fewerBins(q)
	}
	return d
}

// fewerBins doubles the columns and the lane groups of the bins in turn.
func (d detail) fewerBins(q Query) detail {
	if d.turns[0]++; d.turns[0]%2 == 1 {
		d.column *= 2
		return d
	}
	size := d.group
	for d.group *= 2; d.group < q.perNode && q.perNode%d.group != 0; d.group += size {
	}
	return d
}

// fold returns the least number of lanes, at least so many, of which a node or more has
// a whole number of groups: cores fold to nodes, and nodes to bins.
func fold(least, perNode int) int {
	if least >= perNode {
		return (least + perNode - 1) / perNode * perNode
	}
	for perNode%least != 0 {
		least++
	}
	return least
}

// fewerPieces gathers more: first the runs of lanes thinner than a bin, then
// doubles both thresholds in turn.
func (d detail) fewerPieces() detail {
	switch d.turns[1]++; {
	case d.turns[1] == 1 && d.group > 1:
		d.thin = d.group
	case d.turns[1]%2 == 0:
		d.narrow *= 2
	default:
		d.thin *= 2
	}
	return d
}

func (d detail) columns(q Query) int { return int((q.T1-1)/d.column-q.T0/d.column) + 1 }
func (d detail) rows(q Query) int    { return (q.Lanes1-1)/d.group - q.Lanes0/d.group + 1 }
