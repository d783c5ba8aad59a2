package gantt

import (
	"math/bits"

	"backfill-lab/core/job"
)

// detail is the level of detail of a view. It determines which spans are drawn one by one, and the
// size of the rectangular bins that sum up all other spans.
type detail struct {
	minTime   job.Time // spans shorter than this go into bins
	minLanes  int      // jobs on fewer adjacent lanes than this go into bins
	binTime   job.Time // width of a bin in seconds; a power of two, so that bins keep their place when the window moves
	binLanes  int      // height of a bin in lanes; a divisor or a multiple of the lanes of a node
	doublings [2]int   // how often fewerBins and fewerPieces were called
}

// initialDetail returns a level of detail that suits the columns and rows of a query. Its bins are
// large enough that the window contains at most q.MaxPieces of them.
func initialDetail(q Query) detail {
	secondsPerColumn := (q.T1 - q.T0 + job.Time(q.Columns) - 1) / job.Time(q.Columns)
	lanes := q.Lanes1 - q.Lanes0
	d := detail{minTime: secondsPerColumn, minLanes: 1, binLanes: groupSize((lanes+q.Rows-1)/q.Rows, q.perNode)}
	d.binTime = job.Time(1) << bits.Len64(uint64(secondsPerColumn-1))
	for d.binColumns(q)*d.binRows(q) > q.MaxPieces {
		d = d.fewerBins(q)
	}
	return d
}

// fewerBins returns a level of detail with larger bins. Successive calls alternately double the
// width of bins and increase their height, usually to twice the height.
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

// groupSize returns the smallest number of lanes that is at least the given minimum and is a
// divisor or a multiple of perNode, the number of lanes of a node.
func groupSize(minimum, perNode int) int {
	if minimum >= perNode {
		return (minimum + perNode - 1) / perNode * perNode
	}
	for perNode%minimum != 0 {
		minimum++
	}
	return minimum
}

// fewerPieces returns a level of detail that puts more spans into bins. If bins are higher than one
// lane, the first call raises minLanes to binLanes. The other calls alternately double minTime and
// minLanes.
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

// binColumns returns the number of columns of bins in the window of a query.
func (d detail) binColumns(q Query) int { return int((q.T1-1)/d.binTime-q.T0/d.binTime) + 1 }

// binRows returns the number of rows of bins in the window of a query.
func (d detail) binRows(q Query) int { return (q.Lanes1-1)/d.binLanes - q.Lanes0/d.binLanes + 1 }
