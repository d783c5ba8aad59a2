package gantt

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// DefaultMaxPieces is the default of Query.MaxPieces. The page can draw this many pieces in one
// frame.
const DefaultMaxPieces = 20_000

// Query describes a window of a chart: the times [T0,T1) on the lanes [Lanes0,Lanes1). Columns and
// Rows are the width and the height of the window on the screen, in pixels.
type Query struct {
	T0, T1         job.Time
	Columns        int
	Lanes0, Lanes1 int
	Rows           int
	MaxPieces      int        // maximum number of pieces; 0 means DefaultMaxPieces
	JobClasses     JobClasses // classes of the jobs, for their colours

	perNode int // lanes per node
}

// JobClasses assigns each job to a class. Each class has its own colour.
type JobClasses struct {
	ClassOf []uint8 // by job: its class; nil if there are no classes
	Classes int     // number of classes
	Mean    bool    // whether a bin gets the mean class of its jobs, instead of the class that fills the largest part of it
}

// Piece is a rectangle of a chart: the times [From,To) on the lanes [Lane0,Lane1). It shows a job,
// or it is a bin that sums up spans too small to draw. Such a span is counted in one bin only: the
// bin that contains the span's earliest time and its lowest lane in the window.
type Piece struct {
	From, To     job.Time
	Lane0, Lane1 int32
	Job          job.Index // job.None for a bin
	Count        int32     // for a bin: its number of spans; for other pieces: the index of the span until cutByPace runs, then 0
	Part, Parts  int32     // for a preempted job: the number of this span, from 1, and how many spans the job has; otherwise 0
	Flags        Flags     // properties, such as Backfilled
	Busy         uint8     // for a bin: the busy fraction in 255ths, rounded down but at least 1
	Class        uint8     // class of the job or bin, see Query.JobClasses
	Pace         int32     // index in View.Paces
}

// View holds the pieces and other shapes in a window. Each span in the window is shown by pieces or
// is counted in exactly one bin.
type View struct {
	Query    Query    // the window, cut to the chart
	Pieces   []Piece  // bins, then jobs in order of start
	Paces    []Pace   // paces to which pieces refer; the first one means full speed without sharing nodes
	MinTime  job.Time // spans shorter than this are in bins
	MinLanes int      // jobs on fewer adjacent lanes than this are in bins
	Joins    []Piece  // gaps between two spans of the same preempted job
	Bands    []Band   // time slices
	Shares   []Piece  // rectangles where two or more jobs share a node
	Outages  []Piece  // outages of the machine; for outage number i, field Job is -1-i
}

// minColumns is the minimum width, in columns, at which a time slice, a span of a preempted job or
// a phase of constant pace is shown individually.
const minColumns = 4

// View returns the content of the window of query q. A span becomes a piece if it is at least one
// column wide; otherwise it goes into a bin. If there are too many pieces, more spans go into bins.
// If there are too many bins, the bins become larger.
func (c *Chart) View(q Query) View {
	q = c.clamp(q)
	if q.T0 >= q.T1 || q.Lanes0 >= q.Lanes1 {
		return View{Query: q}
	}
	col := collector{chart: c, query: q, detail: initialDetail(q)}
	for i := range c.Spans.Overlapping(q.T0, q.T1) {
		col.add(i)
		for len(col.pieces) > q.MaxPieces/2 {
			col.detail = col.detail.fewerPieces()
			col.rebin()
		}
	}
	minSlice := minColumns * initialDetail(q).minTime
	minPhase := minColumns * (q.T1 - q.T0) / job.Time(q.Columns)
	v := View{Query: q, Pieces: col.pieces, MinTime: col.detail.minTime, MinLanes: col.detail.minLanes,
		Joins: c.gapsIn(q, max(minSlice, minColumns*col.detail.minTime)), Bands: c.bandsIn(q, minSlice), Shares: c.sharesIn(q, minPhase), Outages: c.outagesIn(q)}
	c.cutByPace(&v, minPhase)
	if col.bins != nil {
		v.Pieces = append(col.bins.pieces(q.MaxPieces-len(v.Pieces)), v.Pieces...)
	}
	return v
}

// clamp limits a query to the chart and sets defaults. The page requests a margin around its
// window, and parts of this margin may be outside the chart.
func (c *Chart) clamp(q Query) Query {
	q.T0, q.T1 = max(q.T0, 0), min(q.T1, c.End)
	q.Lanes0, q.Lanes1 = max(q.Lanes0, 0), min(q.Lanes1, c.Lanes)
	q.Columns, q.Rows = max(q.Columns, 1), max(q.Rows, 1)
	q.perNode = c.log.Machine.SlotsPerNode()
	if q.MaxPieces <= 0 {
		q.MaxPieces = DefaultMaxPieces
	}
	q.MaxPieces = max(q.MaxPieces, 64)
	return q
}

// collector holds the pieces and bins of a view while it is built.
type collector struct {
	chart  *Chart
	query  Query
	detail detail
	pieces []Piece // pieces of spans that are drawn one by one
	bins   *grid   // bins for all other spans; nil if there are none
}

// add adds span i to the view, as pieces or in bins.
func (g *collector) add(i int) {
	c := g.chart
	minLanes := g.detail.minLanes
	if c.To[i]-c.From[i] < g.detail.minTime {
		minLanes = c.Lanes + 1 // this puts all lanes into bins
	}
	drawn, firstBin := false, -1
	for _, r := range c.slotsOf(i) {
		if int(r.Lo) >= g.query.Lanes1 || int(r.Hi) <= g.query.Lanes0 {
			continue
		}
		if int(r.Hi-r.Lo) >= minLanes {
			p := c.spanPiece(i, r)
			p.Class = g.query.JobClasses.classOfJob(p.Job)
			g.pieces = append(g.pieces, p)
			drawn = true
		} else if bin := g.addToBins(c.From[i], c.To[i], r.Lo, r.Hi, c.Jobs[i]); firstBin < 0 {
			firstBin = bin
		}
	}
	if firstBin >= 0 && !drawn {
		g.bins.counts[firstBin]++
	}
}

// addToBins adds a span of job j during [from,to) on the lanes [lo,hi) to the bins. It returns the
// index of the first bin that the span overlaps.
func (g *collector) addToBins(from, to job.Time, lo, hi int32, j job.Index) int {
	if g.bins == nil {
		g.bins = newGrid(g.query, g.detail)
	}
	return g.bins.add(from, to, max(lo, int32(g.query.Lanes0)), min(hi, int32(g.query.Lanes1)), g.query.JobClasses.classOfJob(j))
}

// rebin moves pieces that are too small for the current level of detail into bins. Pieces of the
// same span are adjacent. If no piece of a span remains, the first bin of the span counts it.
func (g *collector) rebin() {
	kept := g.pieces[:0]
	for i := 0; i < len(g.pieces); {
		first, before, firstBin := g.pieces[i], len(kept), -1
		for ; i < len(g.pieces) && g.pieces[i].Job == first.Job && g.pieces[i].From == first.From; i++ {
			p := g.pieces[i]
			if p.To-p.From >= g.detail.minTime && int(p.Lane1-p.Lane0) >= g.detail.minLanes {
				kept = append(kept, p)
			} else if bin := g.addToBins(p.From, p.To, p.Lane0, p.Lane1, p.Job); firstBin < 0 {
				firstBin = bin
			}
		}
		if len(kept) == before {
			g.bins.counts[firstBin]++
		}
	}
	g.pieces = kept
}

// spanPiece returns the piece for span i on the lanes r.
func (c *Chart) spanPiece(i int, r cluster.Range) Piece {
	p := Piece{From: c.From[i], To: c.To[i], Lane0: r.Lo, Lane1: r.Hi, Job: c.Jobs[i], Flags: c.flags[i]}
	if c.paces.firstPhase != nil {
		p.Count = int32(i)
	}
	p.Part, p.Parts = c.parts.partOf(i, p.Job)
	return p
}
