package gantt

import "backfill-lab/core/job"

// grid divides a window into bins. For each bin, it adds up the lane-seconds that spans occupy, and
// counts the spans. While spans are added, it stores only the differences between neighbouring rows
// and columns. Adding a span therefore takes the same time whatever its size. Afterwards, method
// sumUp computes the sums.
type grid struct {
	query    Query    // window
	detail   detail   // determines the size of a bin
	cols     int      // number of columns of bins; each layer has cols + 1 columns
	rows     int      // number of rows of bins; each column of a layer has rows + 1 elements
	firstCol job.Time // number of the first column; column 0 starts at time 0
	firstRow int      // number of the first row; row 0 starts at lane 0
	all      layer    // busy time of the jobs of all classes
	byClass  []layer  // by class; empty if there are no classes
	counts   []int32  // by bin: its number of spans
}

// layer holds the busy time of each bin, for all jobs or for one class. Its elements are sorted by
// column, then by row.
type layer struct {
	busy []int64 // lane-seconds; before sumUp, each element is the difference from the previous row
	full []int64 // lane-seconds in columns that a span fills completely, as differences from the previous row and column; sumUp adds them to busy
}

func newGrid(q Query, d detail) *grid {
	g := &grid{query: q, detail: d, cols: d.binColumns(q), rows: d.binRows(q), firstCol: q.T0 / d.binTime, firstRow: q.Lanes0 / d.binLanes}
	size := (g.cols + 1) * (g.rows + 1)
	g.all.busy, g.counts = make([]int64, size), make([]int32, size)
	g.byClass = make([]layer, q.JobClasses.Classes)
	for k := range g.byClass {
		g.byClass[k].busy = make([]int64, size)
	}
	return g
}

// add adds a span of a job of the given class, during [from,to) on the lanes [lo,hi). It returns
// the index of the first bin that the span overlaps.
func (g *grid) add(from, to job.Time, lo, hi int32, class uint8) int {
	from, to = max(from, g.query.T0), min(to, g.query.T1)
	if len(g.byClass) > 0 {
		g.addToLayer(&g.byClass[class], from, to, lo, hi)
	}
	return g.addToLayer(&g.all, from, to, lo, hi)
}

// addToLayer adds a span to one layer. It returns the index of the first bin that the span
// overlaps.
func (g *grid) addToLayer(l *layer, from, to job.Time, lo, hi int32) int {
	a := int(from/g.detail.binTime - g.firstCol)
	edge := (g.firstCol + job.Time(a) + 1) * g.detail.binTime
	if to <= edge {
		return g.addSeconds(l.busy, a, to-from, lo, hi)
	}
	at, b := g.addSeconds(l.busy, a, edge-from, lo, hi), int((to-1)/g.detail.binTime-g.firstCol)
	g.addSeconds(l.busy, b, to-(g.firstCol+job.Time(b))*g.detail.binTime, lo, hi)
	if a+1 < b {
		if l.full == nil {
			l.full = make([]int64, len(l.busy))
		}
		g.addSeconds(l.full, a+1, g.detail.binTime, lo, hi)
		g.addSeconds(l.full, b, -g.detail.binTime, lo, hi)
	}
	return at
}

// addSeconds adds the given number of seconds for each of the lanes [lo,hi) to column col of bins.
// It stores them as differences between rows. It returns the index of the first bin that changes.
func (g *grid) addSeconds(bins []int64, col int, seconds job.Time, lo, hi int32) int {
	size := uint32(g.detail.binLanes)
	a, b := uint32(lo)/size, uint32(hi-1)/size
	first, last := int64((a+1)*size)-int64(lo), int64(hi)-int64(b*size) // number of lanes in row a and in row b, if these are different rows
	index := col*(g.rows+1) + int(a) - g.firstRow
	column := bins[index : index+int(b-a)+2]
	column[0] += seconds * first
	column[1] += seconds * (int64(size) - first)
	column[b-a] += seconds * (last - int64(size))
	column[b-a+1] -= seconds * last
	return index
}

// layers returns the layer of all jobs, followed by the layer of each class.
func (g *grid) layers() []*layer {
	out := []*layer{&g.all}
	for k := range g.byClass {
		out = append(out, &g.byClass[k])
	}
	return out
}

// sumUp replaces the differences in a layer with the lane-seconds of each bin.
func (g *grid) sumUp(l *layer) {
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

// coarser returns a copy of the grid with larger bins. Call sumUp for all layers first.
func (g *grid) coarser() *grid {
	c := newGrid(g.query, g.detail.fewerBins(g.query))
	from, into := g.layers(), c.layers()
	for col := 0; col < g.cols; col++ {
		to := (int((g.firstCol+job.Time(col))*g.detail.binTime/c.detail.binTime - c.firstCol)) * (c.rows + 1)
		for row := 0; row < g.rows; row++ {
			at := to + (g.firstRow+row)*g.detail.binLanes/c.detail.binLanes - c.firstRow
			for k := range from {
				into[k].busy[at] += from[k].busy[col*(g.rows+1)+row]
			}
			c.counts[at] += g.counts[col*(g.rows+1)+row]
		}
	}
	return c
}

// pieces returns the busy bins as at most limit pieces. To reach this limit, it enlarges the bins.
func (g *grid) pieces(limit int) []Piece {
	for _, l := range g.layers() {
		g.sumUp(l)
	}
	out := g.mergedBins()
	for len(out) > limit {
		g = g.coarser()
		out = g.mergedBins()
	}
	return out
}

// mergedBins returns the busy bins as pieces. It merges bins that follow each other in time, have
// the same class and are equally busy.
func (g *grid) mergedBins() []Piece {
	var out []Piece
	open := make([]Piece, g.rows) // by row: the piece to extend; none if its Busy is 0
	for col := 0; col < g.cols; col++ {
		t0 := max(g.query.T0, (g.firstCol+job.Time(col))*g.detail.binTime)
		t1 := min(g.query.T1, (g.firstCol+job.Time(col)+1)*g.detail.binTime)
		for row := range open {
			p := g.binPiece(row, t0, t1, col*(g.rows+1)+row)
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

// binPiece returns a piece for bin i, which is in the given row and covers the times from t0 to t1.
func (g *grid) binPiece(row int, t0, t1 job.Time, i int) Piece {
	lo, hi := (g.firstRow+row)*g.detail.binLanes, (g.firstRow+row+1)*g.detail.binLanes
	p := Piece{From: t0, To: t1, Job: job.None, Count: g.counts[i], Flags: Bin}
	p.Lane0, p.Lane1 = int32(max(lo, g.query.Lanes0)), int32(min(hi, g.query.Lanes1))
	if area := (t1 - t0) * int64(p.Lane1-p.Lane0); g.all.busy[i] > 0 {
		p.Busy = uint8(max(1, min(255, float64(g.all.busy[i])*255/float64(area))))
		p.Class = g.classOf(i)
	}
	return p
}

// classOf returns the class of bin i, which must be busy. If JobClasses.Mean is set, this is the
// mean class, weighted by lane-seconds. Otherwise, it is the class with the most lane-seconds.
func (g *grid) classOf(i int) uint8 {
	sum, best := int64(0), 0
	for k := range g.byClass {
		sum += int64(k) * g.byClass[k].busy[i]
		if g.byClass[k].busy[i] > g.byClass[best].busy[i] {
			best = k
		}
	}
	if g.query.JobClasses.Mean {
		return uint8((2*sum + g.all.busy[i]) / (2 * g.all.busy[i]))
	}
	return uint8(best)
}

// classOfJob returns the class of job j. It returns 0 if j is job.None or there are no classes.
func (s *JobClasses) classOfJob(j job.Index) uint8 {
	if s.ClassOf == nil || j < 0 {
		return 0
	}
	return s.ClassOf[j]
}
