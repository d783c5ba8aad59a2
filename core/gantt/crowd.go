package gantt

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// crowd walks over a log and knows who is on each node, to tell the paces of the
// stretches and where two jobs or more are on a node.
type crowd struct {
	*Chart
	now     job.Time
	on      [][]job.Index // by node: the jobs on it
	share   []int32       // by node: its place among the shares while these are two or more
	jobs    []guest
	scan    int32       // number of the last look around
	stirred []job.Index // at this moment: came, left, or turned to another rate
	nodes   []int32
}

// guest is what the crowd knows of a job.
type guest struct {
	rate   float64
	off    job.Time // when it left the machine last
	open   int32    // its phase, -1 if it is off the machine or has just come
	at     int32    // its present or next stretch in the chart, -1 after the last
	scan   int32    // of the last look around that found it
	here   bool     // on the machine
	beside bool     // it was beside others
}

// share is that two jobs or more are on a node for a time.
type share struct {
	from, to job.Time
	node     int32
}

// readPaces reads the paces of a chart, whose stretches are linked, and what of the
// nodes is shared, in the order of begins.
func readPaces(c *Chart) {
	m := &c.log.Machine
	if m.PerNode() == 1 {
		return
	}
	c.paces.first = make([]int32, len(c.jobs))
	w := crowd{Chart: c, on: make([][]job.Index, m.Nodes), share: make([]int32, m.Nodes), jobs: make([]guest, len(c.log.Jobs))}
	for j := range w.jobs {
		w.jobs[j].open, w.jobs[j].at = -1, c.first[j]
	}
	for i := range c.log.Len() {
		r := c.log.Record(i)
		if r.At > w.now {
			w.look()
			w.now = r.At
		}
		switch r.Kind {
		case log.Start, log.Resume, log.Finish, log.Suspend:
			w.move(r.Job, r.Kind == log.Start || r.Kind == log.Resume)
		case log.Reprice:
			w.jobs[r.Job].rate = rate(c.log, r)
			w.stirred = append(w.stirred, r.Job)
		}
	}
	w.look()
	for j := range w.jobs {
		if w.jobs[j].beside {
			c.paces.jobs++
		}
	}
}

// move takes job j onto its nodes, or off them.
func (w *crowd) move(j job.Index, here bool) {
	w.stirred = append(w.stirred, j)
	g := &w.jobs[j]
	if g.here = here; here {
		g.rate = 1
	} else if g.open = -1; g.at >= 0 && w.from[g.at] < w.now {
		g.at, g.off = w.after(g.at), w.now
	}
	for _, n := range w.of(j) {
		on := w.on[n]
		switch {
		case here && len(on) == 1:
			w.share[n] = int32(len(w.shared))
			w.shared = append(w.shared, share{w.now, w.End, n})
		case !here && len(on) == 2:
			w.shared[w.share[n]].to = w.now
		}
		if here {
			on = append(on, j)
		} else {
			last := len(on) - 1
			on[slices.Index(on, j)] = on[last]
			on = on[:last]
		}
		w.on[n] = on
	}
}

// of returns the nodes of job j; it is valid until the next call.
func (w *crowd) of(j job.Index) []int32 {
	w.nodes = w.nodes[:0]
	w.log.Machine.NodesOf(w.log.Alloc(j))(func(n int) bool {
		w.nodes = append(w.nodes, int32(n))
		return true
	})
	return w.nodes
}

// look opens the phases that begin at this moment, after all that happens then.
func (w *crowd) look() {
	for _, j := range w.stirred {
		if g := &w.jobs[j]; g.here && (g.open < 0 || w.paces.list[g.open].Rate != g.rate) {
			w.open(j)
		}
	}
	w.stirred = w.stirred[:0]
}

// open begins a phase of job j. If it has come, the others have it beside them now,
// but for those whose phases end as well; and as it keeps its slots for life, it is
// counted already in a phase in which it was here before.
func (w *crowd) open(j job.Index) {
	g, p := &w.jobs[j], phase{w.now, -1, Pace{Rate: w.jobs[j].rate}}
	w.scan++
	g.scan = w.scan
	for _, n := range w.of(j) {
		for _, k := range w.on[n] {
			o := &w.jobs[k]
			if o.scan == w.scan {
				continue
			}
			o.scan, o.beside, g.beside = w.scan, true, true
			p.meet(k)
			if g.open < 0 && o.open >= 0 {
				if x := &w.paces.list[o.open]; x.at < w.now && x.at >= g.off && x.Rate == o.rate {
					x.meet(j)
				}
			}
		}
	}
	last := &w.paces.first[g.at]
	if g.open >= 0 {
		last = &w.paces.list[g.open].next
	}
	*last = int32(len(w.paces.list))
	g.open = *last
	w.paces.list = append(w.paces.list, p)
}

func (p *phase) meet(j job.Index) {
	if p.Others++; p.Others == 1 {
		p.Beside = j
	}
}

// shares returns the places of a window where two jobs or more are on a node, on all of
// its lanes, if they are at least as long as that. Where they would be too many,
// only longer ones count.
func (c *Chart) shares(q Query, least job.Time) (out []Piece) {
	per := int32(q.perNode)
	for k := range c.shared {
		x := &c.shared[k]
		p := Piece{From: x.from, To: x.to, Lane0: per * x.node, Lane1: per * (x.node + 1)}
		if p.From >= q.T1 {
			break
		}
		if p.To <= q.T0 || p.To-p.From < max(least, 1) || int(p.Lane0) >= q.Lanes1 || int(p.Lane1) <= q.Lanes0 {
			continue
		}
		if n := len(out) - 1; n >= 0 && out[n].Lane1 == p.Lane0 && out[n].From == p.From && out[n].To == p.To {
			out[n].Lane1 = p.Lane1
		} else if out = append(out, p); len(out) > q.Most/4 {
			return c.shares(q, max(2*least, 1))
		}
	}
	return out
}
