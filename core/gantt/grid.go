package gantt

import "backfill-lab/core/job"

// grid gathers lane-seconds and counts of jobs in bins. Until it is settled,
// busy time is kept as differences along the lanes, and full columns also
// along time, so that a stretch costs the same however large it is.
type grid struct {
	q      Query
	d      detail
	cols   int
	rows   int      // and one more in each column of the slices
	col0   job.Time // number of the first column
	row0   int
	all    layer
	by     []layer // by class, if there are classes
	counts []int32
}

// layer is the busy time of some jobs.
type layer struct {
	busy []int64 // by column, then row; lane-seconds, or the change to the row before
	full []int64 // the same for full columns: change to the column before as well
}

func newGrid(q Query, d detail) *grid {
	g := &grid{q: q, d: d, cols: d.columns(q), rows: d.rows(q), col0: q.T0 / d.column, row0: q.Lanes0 / d.group}
	size := (g.cols + 1) * (g.rows + 1)
	g.all.busy, g.counts = make([]int64, size), make([]int32, size)
	g.by = make([]layer, q.Shade.Classes)
	for k := range g.by {
		g.by[k].busy = make([]int64, size)
	}
	return g
}

// add gathers the stretch [from,to) of a class on the lanes [lo,hi). It returns
// the place of the first bin that the stretch meets.
func (g *grid) add(from, to job.Time, lo, hi int32, class uint8) int {
	from, to = max(from, g.q.T0), min(to, g.q.T1)
	if len(g.by) > 0 {
		g.put(&g.by[class], from, to, lo, hi)
	}
	return g.put(&g.all, from, to, lo, hi)
}

func (g *grid) put(l *layer, from, to job.Time, lo, hi int32) int {
	a := int(from/g.d.column - g.col0)
	edge := (g.col0 + job.Time(a) + 1) * g.d.column
	if to <= edge {
		return g.spread(l.busy, a, to-from, lo, hi)
	}
	at, b := g.spread(l.busy, a, edge-from, lo, hi), int((to-1)/g.d.column-g.col0)
	g.spread(l.busy, b, to-(g.col0+job.Time(b))*g.d.column, lo, hi)
	if a+1 < b {
		if l.full == nil {
			l.full = make([]int64, len(l.busy))
		}
		g.spread(l.full, a+1, g.d.column, lo, hi)
		g.spread(l.full, b, -g.d.column, lo, hi)
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

// layers returns the busy time of all jobs, then that of each class.
func (g *grid) layers() []*layer {
	out := []*layer{&g.all}
	for k := range g.by {
		out = append(out, &g.by[k])
	}
	return out
}

// settle sums the differences of a layer up.
func (g *grid) settle(l *layer) {
	row := make([]int64, g.rows+1)
	for col := 0; col < g.cols; col++ {
		base, sum := col*(g.rows+1), int64(0)
		for k := range row {
			if l.full != nil {
				row[k] += l.full[base+k]
			}
			sum += l.busy[base+k] + row[k]
			l.busy[base+k] = sum
		}
	}
}

// coarser returns a settled grid with larger bins.
func (g *grid) coarser() *grid {
	c := newGrid(g.q, g.d.fewerBins(g.q))
	from, into := g.layers(), c.layers()
	for col := 0; col < g.cols; col++ {
		to := (int((g.col0+job.Time(col))*g.d.column/c.d.column - c.col0)) * (c.rows + 1)
		for row := 0; row < g.rows; row++ {
			at := to + (g.row0+row)*g.d.group/c.d.group - c.row0
			for k := range from {
				into[k].busy[at] += from[k].busy[col*(g.rows+1)+row]
			}
			c.counts[at] += g.counts[col*(g.rows+1)+row]
		}
	}
	return c
}

// pieces settles the grid and returns the bins that hold anything, at most
// most of them.
func (g *grid) pieces(most int) []Piece {
	for _, l := range g.layers() {
		g.settle(l)
	}
	out := g.merged()
	for len(out) > most {
		g = g.coarser()
		out = g.merged()
	}
	return out
}

// merged returns the bins that hold anything; neighbours in time that are equally
// busy and of one class are one.
func (g *grid) merged() []Piece {
	var out []Piece
	open := make([]Piece, g.rows) // Busy 0: none
	for col := 0; col < g.cols; col++ {
		t0 := max(g.q.T0, (g.col0+job.Time(col))*g.d.column)
		t1 := min(g.q.T1, (g.col0+job.Time(col)+1)*g.d.column)
		for row := range open {
			p := g.bin(row, t0, t1, col*(g.rows+1)+row)
			if o := &open[row]; o.Busy == p.Busy && o.Class == p.Class && o.To == t0 {
				o.To, o.Count = t1, o.Count+p.Count
			} else {
				if o.Busy > 0 {
					out = append(out, *o)
				}
				*o = p
			}
		}
	}
	for _, o := range open {
		if o.Busy > 0 {
			out = append(out, o)
		}
	}
	return out
}

func (g *grid) bin(row int, t0, t1 job.Time, at int) Piece {
	lo, hi := (g.row0+row)*g.d.group, (g.row0+row+1)*g.d.group
	p := Piece{From: t0, To: t1, Job: job.None, Count: g.counts[at], Flags: Bin}
	p.Lane0, p.Lane1 = int32(max(lo, g.q.Lanes0)), int32(min(hi, g.q.Lanes1))
	if area := (t1 - t0) * int64(p.Lane1-p.Lane0); g.all.busy[at] > 0 {
		p.Busy = uint8(max(1, min(255, float64(g.all.busy[at])*255/float64(area))))
		p.Class = g.class(at)
	}
	return p
}

// class returns the class of a bin that is busy: the mean of its lane-seconds, or that of
// most of them.
func (g *grid) class(at int) uint8 {
	sum, best := int64(0), 0
	for k := range g.by {
		sum += int64(k) * g.by[k].busy[at]
		if g.by[k].busy[at] > g.by[best].busy[at] {
			best = k
		}
	}
	if g.q.Shade.Mean {
		return uint8((2*sum + g.all.busy[at]) / (2 * g.all.busy[at]))
	}
	return uint8(best)
}

// class returns the class of a job; what is none has the first.
func (s *Shade) class(j job.Index) uint8 {
	if s.Of == nil || j < 0 {
		return 0
	}
	return s.Of[j]
}
