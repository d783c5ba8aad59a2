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
	group  int      // lanes of a bin
	turns  [2]int
}

// firstDetail is the detail that the screen can show, with bins large enough
// to be as many as allowed if none were empty or alike.
func firstDetail(q Query) detail {
	narrow := (q.T1 - q.T0 + job.Time(q.Columns) - 1) / job.Time(q.Columns)
	lanes := q.Lanes1 - q.Lanes0
	d := detail{narrow: narrow, thin: 1, group: (lanes + q.Rows - 1) / q.Rows}
	d.column = job.Time(1) << bits.Len64(uint64(narrow-1))
	for d.columns(q)*d.rows(q) > q.Most {
		d = d.fewerBins()
	}
	return d
}

// fewerBins doubles the columns and the lane groups of the bins in turn.
func (d detail) fewerBins() detail {
	if d.turns[0]++; d.turns[0]%2 == 1 {
		d.column *= 2
	} else {
		d.group *= 2
	}
	return d
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

// grid gathers lane-seconds and counts of jobs in bins. Busy time is kept as
// differences along the lanes, and full columns also along time, so that a
// stretch costs the same however large it is.
type grid struct {
	q      Query
	d      detail
	cols   int
	rows   int
	col0   job.Time // number of the first column
	row0   int
	cell   []int64 // by column, then row: change of busy time to the row before
	full   []int64 // the same for full columns: change to the column before as well
	counts []int32
}

func newGrid(q Query, d detail) *grid {
	g := &grid{q: q, d: d, cols: d.columns(q), rows: d.rows(q), col0: q.T0 / d.column, row0: q.Lanes0 / d.group}
	size := (g.cols + 1) * (g.rows + 1)
	g.cell, g.full = make([]int64, size), make([]int64, size)
	g.counts = make([]int32, size)
	return g
}

// add gathers the stretch [from,to) on the lanes [lo,hi). It returns the place
// of the first bin that the stretch meets.
func (g *grid) add(from, to job.Time, lo, hi int32) int {
	from, to = max(from, g.q.T0), min(to, g.q.T1)
	a := int(from/g.d.column - g.col0)
	edge := (g.col0 + job.Time(a) + 1) * g.d.column
	if to <= edge {
		return g.spread(g.cell, a, to-from, lo, hi)
	}
	at, b := g.spread(g.cell, a, edge-from, lo, hi), int((to-1)/g.d.column-g.col0)
	g.spread(g.cell, b, to-(g.col0+job.Time(b))*g.d.column, lo, hi)
	if a+1 < b {
		g.spread(g.full, a+1, g.d.column, lo, hi)
		g.spread(g.full, b, -g.d.column, lo, hi)
	}
	return at
}

// spread adds seconds on each of the lanes [lo,hi) to column col of into.
func (g *grid) spread(into []int64, col int, seconds job.Time, lo, hi int32) int {
	size := uint32(g.d.group)
	a, b := uint32(lo)/size, uint32(hi-1)/size
	first, last := int64((a+1)*size)-int64(lo), int64(hi)-int64(b*size) // lanes in the groups a and b, if they differ
	place := col*(g.rows+1) + int(a) - g.row0
	at := into[place : place+int(b-a)+2]
	at[0] += seconds * first
	at[1] += seconds * (int64(size) - first)
	at[b-a] += seconds * (last - int64(size))
	at[b-a+1] -= seconds * last
	return place
}

// pieces appends the bins that hold anything; neighbours in time that are
// equally busy are one.
func (g *grid) pieces(dst []Piece) []Piece {
	open := make([]Piece, g.rows) // Busy 0: none
	full := make([]int64, g.rows+1)
	for col := 0; col < g.cols; col++ {
		t0 := max(g.q.T0, (g.col0+job.Time(col))*g.d.column)
		t1 := min(g.q.T1, (g.col0+job.Time(col)+1)*g.d.column)
		base, busy := col*(g.rows+1), int64(0)
		for row := 0; row < g.rows; row++ {
			full[row] += g.full[base+row]
			busy += g.cell[base+row] + full[row]
			p := g.bin(row, t0, t1, busy, g.counts[base+row])
			if o := &open[row]; o.Busy == p.Busy && o.To == t0 {
				o.To, o.Count = t1, o.Count+p.Count
			} else {
				if o.Busy > 0 {
					dst = append(dst, *o)
				}
				*o = p
			}
		}
	}
	for _, o := range open {
		if o.Busy > 0 {
			dst = append(dst, o)
		}
	}
	return dst
}

func (g *grid) bin(row int, t0, t1 job.Time, busy int64, count int32) Piece {
	lo, hi := (g.row0+row)*g.d.group, (g.row0+row+1)*g.d.group
	p := Piece{From: t0, To: t1, Job: job.None, Count: count, Flags: Bin}
	p.Lane0, p.Lane1 = int32(max(lo, g.q.Lanes0)), int32(min(hi, g.q.Lanes1))
	if area := (t1 - t0) * int64(p.Lane1-p.Lane0); busy > 0 {
		p.Busy = uint8(max(1, min(255, float64(busy)*255/float64(area))))
	}
	return p
}
