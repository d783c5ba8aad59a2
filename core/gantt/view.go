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
	Shade          Shade

	perNode int // lanes of a node
}

// Shade puts jobs into classes, by which they are coloured.
type Shade struct {
	Of      []uint8 // by job: its class; nil: there are none
	Classes int
	Mean    bool // a bin has the mean class of its jobs, else that which holds most of it
}

// Piece is a rectangle: the times [From,To), the lanes [Lane0,Lane1). A bin
// has no job but the number of jobs whose first lane and moment in the window
// fall into it, and how much of it is busy.
type Piece struct {
	From, To     job.Time
	Lane0, Lane1 int32
	Job          job.Index // job.None for a bin
	Count        int32     // of a bin; of others the stretch until they are cut
	Part, Parts  int32     // of a preempted job: which of how many pieces, from 1; else 0
	Flags        Flags
	Busy         uint8 // of a bin: the busy fraction in 255ths, rounded down but at least 1
	Class        uint8 // of the shade of the query
	Pace         int32 // its place among the paces of the view
}

// View is what a window shows, without a loss: each stretch that meets the
// window is there as a piece, or is counted in exactly one bin.
type View struct {
	Query  Query
	Pieces []Piece  // jobs in the order of their begins, then bins
	Paces  []Pace   // of pieces; the first is that of those with their own speed and their nodes for themselves
	Column job.Time // stretches shorter than this were gathered into bins
	Lane   int      // and so were runs of fewer lanes than this
	Joins  []Piece  // what lies between two pieces of a preempted job
	Bands  []Band   // the time slices
	Shares []Piece  // where two jobs or more are on a node
	Away   []Piece  // what blocks take
}

// legible is how many columns a slice, or a piece that is joined to others, must
// at least be long.
const legible = 4

// View gathers the window of q. Stretches at least a column wide become
// pieces, narrower ones are gathered into bins. Where the pieces would be too
// many, the threshold doubles, and where the bins would be, their size does.
func (c *Chart) View(q Query) View {
	q = c.clamp(q)
	if q.T0 >= q.T1 || q.Lanes0 >= q.Lanes1 {
		return View{Query: q}
	}
	g := gathering{c: c, q: q, d: firstDetail(q)}
	for i := range c.spans.Over(q.T0, q.T1) {
		g.add(i)
		for len(g.pieces) > q.Most/2 {
			g.d = g.d.fewerPieces()
			g.demote()
		}
	}
	least := legible * firstDetail(q).narrow
	part := legible * (q.T1 - q.T0) / job.Time(q.Columns)
	v := View{Query: q, Pieces: g.pieces, Column: g.d.narrow, Lane: g.d.thin,
		Joins: c.joins(q, max(least, legible*g.d.narrow)), Bands: c.bands(q, least), Shares: c.shares(q, part), Away: c.away(q)}
	c.cut(&v, part)
	if g.bins != nil {
		v.Pieces = append(g.bins.pieces(q.Most-len(v.Pieces)), v.Pieces...)
	}
	return v
}

// clamp brings a query into what there is: the page asks for margins around
// its window that may lie off the chart.
func (c *Chart) clamp(q Query) Query {
	q.T0, q.T1 = max(q.T0, 0), min(q.T1, c.End)
	q.Lanes0, q.Lanes1 = max(q.Lanes0, 0), min(q.Lanes1, c.Lanes)
	q.Columns, q.Rows = max(q.Columns, 1), max(q.Rows, 1)
	q.perNode = c.log.Machine.PerNode()
	if q.Most <= 0 {
		q.Most = Limit
	}
	q.Most = max(q.Most, 64)
	return q
}

// gathering is a view in the making.
type gathering struct {
	c      *Chart
	q      Query
	d      detail
	pieces []Piece
	bins   *grid
}

// add takes the stretch i.
func (g *gathering) add(i int) {
	c := g.c
	thin := g.d.thin
	if c.to[i]-c.from[i] < g.d.narrow {
		thin = c.Lanes + 1
	}
	drawn, home := false, -1
	for _, r := range c.slots(i) {
		if int(r.Lo) >= g.q.Lanes1 || int(r.Hi) <= g.q.Lanes0 {
			continue
		}
		if int(r.Hi-r.Lo) >= thin {
			p := c.piece(i, r)
			p.Class = g.q.Shade.class(p.Job)
			g.pieces = append(g.pieces, p)
			drawn = true
		} else if at := g.bin(c.from[i], c.to[i], r.Lo, r.Hi, c.jobs[i]); home < 0 {
			home = at
		}
	}
	if home >= 0 && !drawn {
		g.bins.counts[home]++
	}
}

// bin puts lanes of a stretch into the bins and returns the first of these.
func (g *gathering) bin(from, to job.Time, lo, hi int32, j job.Index) int {
	if g.bins == nil {
		g.bins = newGrid(g.q, g.d)
	}
	return g.bins.add(from, to, max(lo, int32(g.q.Lanes0)), min(hi, int32(g.q.Lanes1)), g.q.Shade.class(j))
}

// demote puts the pieces that have become too small into the bins. Those of
// one stretch follow one another; when none is left, a bin counts it.
func (g *gathering) demote() {
	kept := g.pieces[:0]
	for i := 0; i < len(g.pieces); {
		first, before, home := g.pieces[i], len(kept), -1
		for ; i < len(g.pieces) && g.pieces[i].Job == first.Job && g.pieces[i].From == first.From; i++ {
			p := g.pieces[i]
			if p.To-p.From >= g.d.narrow && int(p.Lane1-p.Lane0) >= g.d.thin {
				kept = append(kept, p)
			} else if at := g.bin(p.From, p.To, p.Lane0, p.Lane1, p.Job); home < 0 {
				home = at
			}
		}
		if len(kept) == before {
			g.bins.counts[home]++
		}
	}
	g.pieces = kept
}

// piece returns the stretch i on the lanes r.
func (c *Chart) piece(i int, r cluster.Range) Piece {
	p := Piece{From: c.from[i], To: c.to[i], Lane0: r.Lo, Lane1: r.Hi, Job: c.jobs[i], Flags: c.flags[i]}
	if c.paces.first != nil {
		p.Count = int32(i)
	}
	p.Part, p.Parts = c.parts.of(i, p.Job)
	return p
}
