// Package document holds the scenario that the user edits (jobs, machine, policies) and its
// undo history. It does no drawing, no simulation and no browser calls. A Doc is an
// immutable value. An edit returns a new Doc, which shares all unchanged parts with the old
// one.
package document

import (
	"iter"
	"slices"

	"backfill-lab/ui/protocol"
)

// Rows is an immutable list of rows, stored in chunks. An edit of a row copies only the chunk with this row. An
// undo step is therefore small even with 300,000 rows.
type Rows struct {
	chunks []*chunk
	ends   []int // by chunk: number of rows in this and all earlier chunks
}

// NewRows returns a list of the given rows.
func NewRows(rows []Row) Rows { return join(splitIntoChunks(rows)) }

// ReadRows returns a list of the jobs of a table. It adds the given unknown scenario fields, which are sorted by row,
// to their rows. After each chunk of about a thousand rows, ReadRows calls pause with the number of rows before this
// chunk, and stops if pause returns an error.
func ReadRows(t *protocol.JobDecoder, unknown []protocol.UnknownFields, pause func(done int) error) (Rows, error) {
	var chunks []*chunk
	rows := make([]Row, 0, chunkRows)
	for n := t.Len(); n > 0; n -= len(rows) {
		rows = rows[:0]
		for range min(n, chunkRows) {
			j, err := t.Next()
			if err != nil {
				return Rows{}, err
			}
			r := RowOf(&j)
			if len(unknown) > 0 && unknown[0].Row == t.Len()-n+len(rows) {
				r, unknown = r.WithUnknownFields(unknown[0].Fields), unknown[1:]
			}
			rows = append(rows, r)
		}
		chunks = append(chunks, newChunk(rows))
		if err := pause(t.Len() - n); err != nil {
			return Rows{}, err
		}
	}
	return join(chunks), nil
}

// Write encodes n rows, starting with row i, in the format of protocol.JobEncoder. The rows must have no invalid cells.
// About every thousand rows, Write calls pause with the number of rows done, and stops if pause returns an error.
func (r Rows) Write(i, n int, pause func(done int) error) ([][]byte, error) {
	w := protocol.NewJobEncoder(n)
	for k := range n {
		row := r.At(i + k)
		j := row.Job()
		w.Add(&j)
		if k%chunkRows == chunkRows-1 {
			if err := pause(k + 1); err != nil {
				return nil, err
			}
		}
	}
	return w.Bufs(), nil
}

// join returns a list that consists of the given chunks, except empty ones.
func join(chunks []*chunk) Rows {
	r := Rows{ends: make([]int, 0, len(chunks))}
	n := 0
	for _, c := range chunks {
		if c.len() > 0 {
			n += c.len()
			r.chunks, r.ends = append(r.chunks, c), append(r.ends, n)
		}
	}
	return r
}

// Len returns the number of rows.
func (r Rows) Len() int {
	if len(r.ends) == 0 {
		return 0
	}
	return r.ends[len(r.ends)-1]
}

// find returns the chunk that holds row i, and the index of the row in that chunk. For i =
// Len it returns the position after the last row.
func (r Rows) find(i int) (chunk, at int) {
	chunk, _ = slices.BinarySearch(r.ends, i+1)
	if chunk == len(r.ends) && chunk > 0 {
		chunk--
	}
	if chunk > 0 {
		i -= r.ends[chunk-1]
	}
	return chunk, i
}

// At returns row i.
func (r Rows) At(i int) Row {
	c, at := r.find(i)
	return r.chunks[c].at(at)
}

// All yields the rows in order. A row must not be used after the next one is yielded.
func (r Rows) All() iter.Seq2[int, *Row] {
	return func(yield func(int, *Row) bool) {
		n := 0
		for _, c := range r.chunks {
			for i := range c.len() {
				row := c.at(i)
				if !yield(n, &row) {
					return
				}
				n++
			}
		}
	}
}

// each calls visit for every row. The visit function must not keep the row after it returns. About every thousand rows,
// each calls pause with the number of rows done, and stops if pause returns an error.
func (r Rows) each(visit func(*Row), pause func(done int) error) error {
	for k, c := range r.chunks {
		for i := range c.len() {
			row := c.at(i)
			visit(&row)
		}
		if err := pause(r.ends[k]); err != nil {
			return err
		}
	}
	return nil
}

// change calls edit with every row. The edit function may change the row, and returns false to remove it. The resulting
// list shares all unchanged chunks with r. After each chunk, change calls pause with the number of rows done, and stops
// if pause returns an error.
func (r Rows) change(edit func(*Row) bool, pause func(done int) error) (Rows, error) {
	var chunks []*chunk
	for k, c := range r.chunks {
		rows, same := make([]Row, 0, c.len()), true
		for i := range c.len() {
			row := c.at(i)
			was := row
			if edit(&row) {
				rows = append(rows, row)
			}
			same = same && row == was
		}
		if same = same && len(rows) == c.len(); same {
			chunks = append(chunks, c)
		} else {
			chunks = append(chunks, splitIntoChunks(rows)...)
		}
		if err := pause(r.ends[k]); err != nil {
			return Rows{}, err
		}
	}
	return join(chunks), nil
}

// Splice returns the list with n rows, starting with row i, replaced by the given rows.
func (r Rows) Splice(i, n int, others ...Row) Rows {
	if r.Len() == 0 {
		return NewRows(others)
	}
	first, at := r.find(i)
	last, to := r.find(i + n)
	middle := slices.Concat(r.chunks[first].rows(0, at), others, r.chunks[last].rows(to, r.chunks[last].len()))
	return join(slices.Concat(r.chunks[:first], splitIntoChunks(middle), r.chunks[last+1:]))
}

// Since returns how the list differs from an old one: starting at row i, n new rows replace
// `removed` old rows. It is fast if both lists begin and end with equal chunks.
func (r Rows) Since(old Rows) (i, removed, n int) {
	a, b := old.chunks, r.chunks
	for len(a) > 0 && len(b) > 0 && a[0].same(b[0]) {
		i += a[0].len()
		a, b = a[1:], b[1:]
	}
	end := 0
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].same(b[len(b)-1]) {
		end += a[len(a)-1].len()
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for i < min(old.Len(), r.Len())-end && old.At(i) == r.At(i) {
		i++
	}
	for end < min(old.Len(), r.Len())-i && old.At(old.Len()-1-end) == r.At(r.Len()-1-end) {
		end++
	}
	return i, old.Len() - end - i, r.Len() - end - i
}

// Same reports whether both lists are the same object. Each edit of a list creates a new object. Same does not compare
// rows: separate lists with equal rows are not the same.
func (r Rows) Same(o Rows) bool {
	return len(r.ends) == len(o.ends) && (len(r.ends) == 0 || &r.ends[0] == &o.ends[0])
}

// withoutColumn returns the list without the column of an extra resource.
func (r Rows) withoutColumn(c Column) Rows {
	chunks := slices.Clone(r.chunks)
	for i, old := range chunks {
		if len(old.optional) > 0 {
			rows := old.rows(0, old.len())
			for k := range rows {
				rows[k] = rows[k].withoutColumn(c)
			}
			chunks[i] = newChunk(rows)
		}
	}
	return join(chunks)
}

// Groups returns the groups of columns in which some row has text.
func (r Rows) Groups() (shown Groups) {
	for _, c := range r.chunks {
		shown |= c.shown
	}
	return shown
}

// Summary returns the summary of all rows.
func (r Rows) Summary() Summary {
	s := Summary{}
	for i, c := range r.chunks {
		if i == 0 {
			s = c.sum
		}
		s.First, s.Last, s.End = min(s.First, c.sum.First), max(s.Last, c.sum.Last), max(s.End, c.sum.End)
		s.MaxProcs, s.MaxNumericName = max(s.MaxProcs, c.sum.MaxProcs), max(s.MaxNumericName, c.sum.MaxNumericName)
		s.Moldable, s.EarlyEnds = s.Moldable || c.sum.Moldable, s.EarlyEnds || c.sum.EarlyEnds
		if i > 0 {
			s.Work += c.sum.Work
		}
	}
	return s
}

// Part is an immutable group of consecutive rows that several lists can share. Two parts compare as equal (==) only
// if they are the same object.
type Part struct{ c *chunk }

// Parts returns the parts of the list, in order.
func (r Rows) Parts() []Part {
	out := make([]Part, len(r.chunks))
	for i, c := range r.chunks {
		out[i] = Part{c}
	}
	return out
}

// Rows returns the rows of the part as a list.
func (p Part) Rows() Rows { return join([]*chunk{p.c}) }

// ConcatRows concatenates lists.
func ConcatRows(lists []Rows) Rows {
	var chunks []*chunk
	for _, r := range lists {
		chunks = append(chunks, r.chunks...)
	}
	return join(chunks)
}

// Plain reports whether the row has only the five columns that are always shown, all valid, and no other data.
func (r *Row) Plain() bool { return r.optional == nil }

// Excused reports whether Check accepts the row although it is invalid; see Excuse.
func (d *Doc) Excused(r *Row) bool { return len(d.excused) > 0 && d.excused[*r] }

// ExcuseRows replaces the set of excused rows; see Excuse.
func (d *Doc) ExcuseRows(rows []Row) {
	d.excused = make(map[Row]bool, len(rows))
	for _, r := range rows {
		d.excused[r] = true
	}
}
