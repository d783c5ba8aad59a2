package gantt

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Limit is the largest number of pieces of a view unless its query says less
// or more: what a canvas draws in a frame.
const Limit = 20_000

// Query is the window of a view: the times [T0,T1) and lanes [Lanes0,Lanes1),
// and how many columns and rows of the screen it will cover.
type Query struct {
	T0, T1         job.Time
	Columns        int
	Lanes0, Lanes1 int
	Rows           int
	Most           int // bound on the pieces, 0 = Limit
}

// Piece is a rectangle: the times [From,To), the lanes [Lane0,Lane1). A bin
// has no job but the number of jobs whose first lane and moment in the window
// fall into it, and how much of it is busy.
type Piece struct {
	From, To     job.Time
	Lane0, Lane1 int32
	Job          job.Index // job.None for a bin
	Count        int32     // of a bin
	Flags        Flags
	Busy         uint8 // of a bin: the busy fraction in 255ths, rounded down but at least 1
}

// View is what a window shows, without a loss: each stretch that meets the
// window is there as a piece, or is counted in exactly one bin.
type View struct {
	Query  Query
	Pieces []Piece  // jobs in the order of their begins, then bins
	Column job.Time // stretches shorter than this were gathered into bins
	Lane   int      // and so were runs of fewer lanes than this
}

// View gathers the window of q. Stretches at least a column wide become
// pieces, narrower ones are gathered into bins. Where the pieces would be too
// many, the threshold doubles, and where the bins would be, their size does.
func (c *Chart) View(q Query) View {
	q = c.clamp(q)
	if q.T0 >= q.T1 || q.Lanes0 >= q.Lanes1 {
		return View{Query: q}
	}
	d := firstDetail(q)
	for {
		v, ok := c.gather(q, d)
		switch {
		case !ok:
			d = d.fewerPieces()
		case len(v.Pieces) > q.Most:
			d = d.fewerBins()
		default:
			return v
		}
	}
}

// clamp brings a query into what there is: the page asks for margins around
// its window that may lie off the chart.
func (c *Chart) clamp(q Query) Query {
	q.T0, q.T1 = max(q.T0, 0), min(q.T1, c.End)
	q.Lanes0, q.Lanes1 = max(q.Lanes0, 0), min(q.Lanes1, c.Lanes)
	q.Columns, q.Rows = max(q.Columns, 1), max(q.Rows, 1)
	if q.Most <= 0 {
		q.Most = Limit
	}
	q.Most = max(q.Most, 64)
	return q
}

// gather collects the pieces and bins of detail d; it gives up when the pieces
// take more than half of what is allowed.
func (c *Chart) gather(q Query, d detail) (View, bool) {
	v := View{Query: q, Column: d.narrow, Lane: d.thin}
	var bins *grid
	for i := range c.spans.Over(q.T0, q.T1) {
		thin := d.thin
		if c.to[i]-c.from[i] < d.narrow {
			thin = c.Lanes + 1
		}
		drawn, home := false, -1
		for _, r := range c.slots(i) {
			lo, hi := max(r.Lo, int32(q.Lanes0)), min(r.Hi, int32(q.Lanes1))
			if lo >= hi {
				continue
			}
			if int(r.Hi-r.Lo) >= thin {
				v.Pieces = append(v.Pieces, c.piece(i, r))
				drawn = true
				continue
			}
			if bins == nil {
				bins = newGrid(q, d)
			}
			if at := bins.add(c.from[i], c.to[i], lo, hi); home < 0 {
				home = at
			}
		}
		if home >= 0 && !drawn {
			bins.counts[home]++
		}
		if len(v.Pieces) > q.Most/2 {
			return v, false
		}
	}
	if bins != nil {
		v.Pieces = append(bins.pieces(nil), v.Pieces...)
	}
	return v, true
}

// piece is the stretch i on the lanes r.
func (c *Chart) piece(i int, r cluster.Range) Piece {
	return Piece{From: c.from[i], To: c.to[i], Lane0: r.Lo, Lane1: r.Hi, Job: c.jobs[i], Flags: c.flags[i]}
}
