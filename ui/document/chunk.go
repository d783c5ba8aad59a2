package document

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

// chunkRows is the usual number of rows in a chunk. A chunk may have up to twice as many.
const chunkRows = 1024

// chunk is an immutable group of consecutive rows. It holds almost no pointers, because the garbage collector would
// need a long time to follow the pointers of a million rows.
type chunk struct {
	names      string            // all names, concatenated
	ends       []uint32          // where each name ends in names
	values     []int64           // the Row.Values of all rows, concatenated
	optional   map[int]*optional // optional data by row index; nil if no row has any
	sum        Summary           // summary of the rows
	maxAmounts []int64           // largest amount requested of each extra resource
	valid      bool              // every row is valid on a machine that is large enough
	shown      Groups            // groups of columns in which at least one row has text
}

// Summary summarizes several rows. An invalid cell counts with its last valid value.
type Summary struct {
	First, Last    int64   // submit times
	End            int64   // see job.LastEnd
	MaxProcs       int64   // largest number of processors that a job requests
	Work           float64 // processor-seconds
	MaxNumericName int     // largest job name that is a whole number, 0 if there is none
	Moldable       bool    // some job is moldable
	EarlyEnds      bool    // some job ends before its estimate
}

// splitIntoChunks splits rows into chunks.
func splitIntoChunks(rows []Row) (chunks []*chunk) {
	for some := range slices.Chunk(rows, 2*chunkRows) {
		chunks = append(chunks, newChunk(some))
	}
	return chunks
}

func newChunk(rows []Row) *chunk {
	c := &chunk{ends: make([]uint32, len(rows)), values: make([]int64, 0, len(rows)*int(Runtime)), valid: true}
	names := make([]byte, 0, 8*len(rows))
	for i := range rows {
		r := &rows[i]
		names = append(names, r.Name...)
		c.ends[i] = uint32(len(names))
		c.values = append(c.values, r.Values[:]...)
		if r.optional != nil {
			if c.optional == nil {
				c.optional = map[int]*optional{}
			}
			c.optional[i] = r.optional
		}
		c.summarize(i, r)
	}
	c.names = string(names)
	return c
}

// summarize updates the fields sum, maxAmounts, valid and shown of the chunk with the values of row i.
func (c *chunk) summarize(i int, r *Row) {
	j := r.Job()
	c.valid = c.valid && !r.hasInvalidCell() && j.Validate(i, 0) == nil
	if r.optional != nil {
		c.shown |= r.groups()
		c.addAmounts(j.More)
	}
	s := &c.sum
	if i == 0 {
		s.First, s.Last = j.Submit, j.Submit
	}
	s.First, s.Last = min(s.First, j.Submit), max(s.Last, j.Submit)
	s.End = max(s.End, j.Submit+max(j.Estimate, j.Runtime))
	s.MaxProcs = max(s.MaxProcs, r.Values[Procs-1])
	s.Work += float64(j.Procs) * float64(j.Runtime)
	s.MaxNumericName = max(s.MaxNumericName, numberInName(r.Name))
	s.Moldable = s.Moldable || r.Speedup() != nil
	s.EarlyEnds = s.EarlyEnds || j.Runtime < j.Estimate
}

// addAmounts updates maxAmounts with the amounts of extra resources that one job requests.
func (c *chunk) addAmounts(m *job.More) {
	if m == nil {
		return
	}
	for k, a := range m.Extra {
		if k == len(c.maxAmounts) {
			c.maxAmounts = append(c.maxAmounts, 0)
		}
		c.maxAmounts[k] = max(c.maxAmounts[k], a)
		c.valid = c.valid && a >= 0
	}
}

// fits reports whether the machine is large enough for every row of a valid chunk.
func (c *chunk) fits(lim limits) bool {
	if lim.slots > 0 && c.sum.MaxProcs > int64(lim.slots) {
		return false
	}
	for k := range min(len(c.maxAmounts), len(lim.extra)) {
		if c.maxAmounts[k] > lim.extra[k] {
			return false
		}
	}
	return true
}

// numberInName returns a name as a number if it consists of at most 15 digits. Otherwise it returns 0.
func numberInName(name string) int {
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

// at returns row i of the chunk.
func (c *chunk) at(i int) Row {
	const width = int(Runtime)
	r := Row{Values: [width]int64(c.values[i*width:]), optional: c.optional[i]}
	from := uint32(0)
	if i > 0 {
		from = c.ends[i-1]
	}
	r.Name = c.names[from:c.ends[i]]
	return r
}

// UnknownFields returns, for each row, the unknown fields of its job in the scenario file. It returns nil if no row
// has any.
func (r Rows) UnknownFields() (unknown []scenario.Fields) {
	n := 0
	for _, c := range r.chunks {
		for i, m := range c.optional {
			if m.unknown == nil {
				continue
			}
			if unknown == nil {
				unknown = make([]scenario.Fields, r.Len())
			}
			unknown[n+i] = *m.unknown
		}
		n += c.len()
	}
	return unknown
}

// same reports whether both chunks hold equal rows. It does not compare optional data. If either chunk has such data,
// same reports true only if both are the same object.
func (c *chunk) same(o *chunk) bool {
	return c == o || c.optional == nil && o.optional == nil && c.names == o.names && slices.Equal(c.ends, o.ends) && slices.Equal(c.values, o.values)
}

// rows returns rows i to j-1 of the chunk.
func (c *chunk) rows(i, j int) []Row {
	out := make([]Row, 0, j-i)
	for ; i < j; i++ {
		out = append(out, c.at(i))
	}
	return out
}
