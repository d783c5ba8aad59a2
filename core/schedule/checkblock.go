package schedule

import (
	"slices"

	"backfill-lab/core/log"
)

// block adds a row for each outage of the machine, so that the sweep treats outages like
// jobs. A row gets the slots of its outage if they are known.
func (c *checker) block() {
	if len(c.m.Blocks) == 0 {
		return
	}
	s := *c.s
	s.Rows = slices.Clone(s.Rows)
	for i, b := range c.m.Blocks {
		r := Row{ID: b.Name(), Procs: b.Procs, Start: b.From, Finish: b.To, Segments: []Segment{{b.From, b.To}}}
		if i < len(s.Blocked) {
			r.Alloc = s.Blocked[i]
		}
		s.Rows = append(s.Rows, r)
		c.ordered = append(c.ordered, true)
		c.placed = append(c.placed, len(r.Alloc) > 0 && c.alloc(&r))
	}
	c.s = &s
}

// blockTurn checks a Block record: it must come at the time of the outage, and only once.
func (w *walker) blockTurn(r *log.Record) {
	if r.Y < 0 || r.Y >= int64(len(w.l.Machine.Blocks)) {
		w.add(BlockTurn, "", r.At, "at %d, a record is of block %d of %d", r.At, r.Y+1, len(w.l.Machine.Blocks))
		return
	}
	b, on := &w.l.Machine.Blocks[r.Y], r.X != 0
	at := b.To
	if on {
		at = b.From
	}
	if r.At != at || w.blocks[r.Y] == on {
		w.add(BlockTurn, "", r.At, "at %d, block %d is said to change, which it does at %d and %d", r.At, r.Y+1, b.From, b.To)
	}
	w.blocks[r.Y] = on
	if n := w.l.Blocked(int(r.Y)).Count(); on && n != b.Procs {
		w.add(BlockTurn, "", r.At, "at %d, block %d takes %d slots, it has %d processors", r.At, r.Y+1, n, b.Procs)
	}
}
