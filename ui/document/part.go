package document

// Part is some rows that lie together and are never changed. Lists share parts, and
// parts are equal only where they are the very same.
type Part struct{ c *chunk }

// Parts returns the parts of the list.
func (r Rows) Parts() []Part {
	out := make([]Part, len(r.chunks))
	for i, c := range r.chunks {
		out[i] = Part{c}
	}
	return out
}

// Rows returns the part as a list.
func (p Part) Rows() Rows { return join([]*chunk{p.c}) }

// Joined returns one list after the other.
func Joined(lists []Rows) Rows {
	var chunks []*chunk
	for _, r := range lists {
		chunks = append(chunks, r.chunks...)
	}
	return join(chunks)
}

// Plain reports whether the row is five good cells and nothing more.
func (r *Row) Plain() bool { return r.more == nil }

// Excused reports whether a row may stand as it came; see Excuse.
func (d *Doc) Excused(r *Row) bool { return len(d.excused) > 0 && d.excused[*r] }

// ExcuseRows lets rows stand as they came.
func (d *Doc) ExcuseRows(rows []Row) {
	d.excused = make(map[Row]bool, len(rows))
	for _, r := range rows {
		d.excused[r] = true
	}
}
