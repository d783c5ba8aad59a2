package document

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

const chunkRows = 1024

// chunk is some rows, never changed. It holds next to no pointers: the garbage
// collector, which the page waits for, has nothing to look for in a million
// rows.
type chunk struct {
	names  string   // one after the other
	ends   []uint32 // of each name
	values []int64  // of each row in turn
	more   map[int]*more
	sum    Sum
	most   []int64 // of each amount of an extra resource
	sound  bool    // every row is valid on a machine that is large enough
	shown  Groups  // of which some row has something to show
}

// Sum is what is known of some rows together, of good cells alone.
type Sum struct {
	First, Last int64   // submission
	Procs       int64   // most of a job
	Work        float64 // processor-seconds
	Number      int     // the largest among names that are numbers
}

// cut cuts rows into chunks.
func cut(rows []Row) (chunks []*chunk) {
	for some := range slices.Chunk(rows, 2*chunkRows) {
		chunks = append(chunks, newChunk(some))
	}
	return chunks
}

func newChunk(rows []Row) *chunk {
	c := &chunk{ends: make([]uint32, len(rows)), values: make([]int64, 0, len(rows)*int(Runtime)), sound: true}
	names := make([]byte, 0, 8*len(rows))
	for i := range rows {
		r := &rows[i]
		names = append(names, r.Name...)
		c.ends[i] = uint32(len(names))
		c.values = append(c.values, r.Values[:]...)
		if r.more != nil {
			if c.more == nil {
				c.more = map[int]*more{}
			}
			c.more[i] = r.more
		}
		c.note(i, r)
	}
	c.names = string(names)
	return c
}

// note adds row i to what is known.
func (c *chunk) note(i int, r *Row) {
	j := r.Job()
	c.sound = c.sound && !r.faulty() && j.Validate(i, 0) == nil
	if r.more != nil {
		c.shown |= r.groups()
		c.ask(j.More)
	}
	s := &c.sum
	if i == 0 {
		s.First, s.Last = j.Submit, j.Submit
	}
	s.First, s.Last = min(s.First, j.Submit), max(s.Last, j.Submit)
	s.Procs = max(s.Procs, r.Values[Procs-1])
	s.Work += float64(j.Procs) * float64(j.Runtime)
	s.Number = max(s.Number, numeral(r.Name))
}

// ask takes in the amounts that a job asks for.
func (c *chunk) ask(m *job.More) {
	if m == nil {
		return
	}
	for k, a := range m.Extra {
		if k == len(c.most) {
			c.most = append(c.most, 0)
		}
		c.most[k] = max(c.most[k], a)
		c.sound = c.sound && a >= 0
	}
}

// fits reports whether all rows, which are sound, are valid on the machine.
func (c *chunk) fits(on room) bool {
	if on.slots > 0 && c.sum.Procs > int64(on.slots) {
		return false
	}
	for k := range min(len(c.most), len(on.extra)) {
		if c.most[k] > on.extra[k] {
			return false
		}
	}
	return true
}

// numeral returns a name that is a whole number, else 0.
func numeral(name string) int {
	n := 0
	for i := range len(name) {
		d := name[i] - '0'
		if d > 9 || len(name) > 15 {
			return 0
		}
		n = 10*n + int(d)
	}
	return n
}

func (c *chunk) len() int { return len(c.ends) }

func (c *chunk) at(i int) Row {
	const width = int(Runtime)
	r := Row{Values: [width]int64(c.values[i*width:]), more: c.more[i]}
	from := uint32(0)
	if i > 0 {
		from = c.ends[i-1]
	}
	r.Name = c.names[from:c.ends[i]]
	return r
}

// Kept is, by row, what the scenario file says and we do not know; nil if that is
// nothing.
func (r Rows) Kept() (kept []scenario.Fields) {
	n := 0
	for _, c := range r.chunks {
		for i, m := range c.more {
			if m.kept == nil {
				continue
			}
			if kept == nil {
				kept = make([]scenario.Fields, r.Len())
			}
			kept[n+i] = *m.kept
		}
		n += c.len()
	}
	return kept
}

// same reports whether both hold the same rows, as far as that can be told at once.
func (c *chunk) same(o *chunk) bool {
	return c == o || c.more == nil && o.more == nil && c.names == o.names && slices.Equal(c.ends, o.ends) && slices.Equal(c.values, o.values)
}

// rows returns the rows from i to j.
func (c *chunk) rows(i, j int) []Row {
	out := make([]Row, 0, j-i)
	for ; i < j; i++ {
		out = append(out, c.at(i))
	}
	return out
}
