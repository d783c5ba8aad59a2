package gantt

import (
	"math/bits"

	"backfill-lab/core/job"
)

// detail holds the level of detail of a view.
type detail struct {
	minTime   job.Time // spans shorter than this go into bins
	minLanes  int      // runs of fewer lanes than this go into bins
	binTime   job.Time // seconds of a bin: a power of two, so that bins do not move with the window
	binLanes  int      // lanes of a bin: a divisor of the lanes of a node, or a multiple
	doublings [2]int   // number of calls of fewerBins, and of fewerPieces
}

// firstDetail returns the level of detail that fits the columns and rows of a query. Its bins are
// large enough that even without merging there are not too many.
func firstDetail(q Query) detail {
	narrow := (q.T1 - q.T0 + job.Time(q.Columns) - 1) / job.Time(q.Columns)
	lanes := q.Lanes1 - q.Lanes0
	d := detail{minTime: narrow, minLanes: 1, binLanes: groupSize((lanes+q.Rows-1)/q.Rows, q.perNode)}
	d.binTime = job.Time(1) << bits.Len64(uint64(narrow-1))
	for d.columns(q)*d.rows(q) > q.MaxPieces {
		d = d.fewerBins(q)
	}
	return d
}

// fewerBins doubles, in turn, the time and the lanes of the bins.
func (d detail) fewerBins(q Query) detail {
	if d.doublings[0]++; d.doublings[0]%2 == 1 {
		d.binTime *= 2
		return d
	}
	size := d.binLanes
	for d.binLanes *= 2; d.binLanes < q.perNode && q.perNode%d.binLanes != 0; d.binLanes += size {
	}
	return d
}

// groupSize returns the smallest number of lanes, at least minimum, that divides the lanes of a
// node or is a multiple of them.
func groupSize(minimum, perNode int) int {
	if minimum >= perNode {
		return (minimum + perNode - 1) / perNode * perNode
	}
	for perNode%minimum != 0 {
		minimum++
	}
	return minimum
}

// fewerPieces raises the limits below which spans go into bins. It first raises the lanes to those
// of a bin, then doubles time and lanes in turn.
func (d detail) fewerPieces() detail {
	switch d.doublings[1]++; {
	case d.doublings[1] == 1 && d.binLanes > 1:
		d.minLanes = d.binLanes
	case d.doublings[1]%2 == 0:
		d.minTime *= 2
	default:
		d.minLanes *= 2
	}
	return d
}

// columns returns the number of columns of bins in a window.
func (d detail) columns(q Query) int { return int((q.T1-1)/d.binTime-q.T0/d.binTime) + 1 }

// rows returns the number of rows of bins in a window.
func (d detail) rows(q Query) int { return (q.Lanes1-1)/d.binLanes - q.Lanes0/d.binLanes + 1 }
