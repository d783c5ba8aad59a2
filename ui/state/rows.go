// Package state holds what the person edits - jobs, machine, policies - and
// every step back from it. It draws nothing, runs nothing and touches no
// browser: a Doc is a value, and an edit makes a new one that shares what did
// not change.
package state

import (
	"iter"
	"slices"
	"strconv"

	"backfill-lab/core/job"
)

// Column is a column of the jobs table.
type Column int

const (
	ID Column = iota
	Submit
	Procs
	Estimate
	Runtime
	Columns
)

// Names of the columns, as in the workload CSV.
var Names = [Columns]string{"id", "submit", "procs", "estimate", "runtime"}

// Row is a job as typed. A cell that holds no valid value keeps its text.
type Row struct {
	Name   string
	Values [Columns - 1]int64 // submit to runtime
	bad    *[Columns]*string
}

// RowOf is the row of a job.
func RowOf(j *job.Job) Row {
	return Row{Name: j.ID, Values: [Columns - 1]int64{j.Submit, int64(j.Procs), j.Estimate, j.Runtime}}
}

// Text is the text of a cell.
func (r *Row) Text(c Column) string {
	switch {
	case r.bad != nil && r.bad[c] != nil:
		return *r.bad[c]
	case c == ID:
		return r.Name
	}
	return strconv.FormatInt(r.Values[c-1], 10)
}

// Bad reports whether a cell holds text that is no value.
func (r *Row) Bad(c Column) bool { return r.bad != nil && r.bad[c] != nil }

// With is the row with another text in a cell.
func (r Row) With(c Column, text string) Row {
	bad := [Columns]*string{}
	if r.bad != nil {
		bad = *r.bad
	}
	bad[c] = nil
	if c == ID {
		r.Name = text
	} else if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		r.Values[c-1] = v
	} else {
		bad[c] = &text
	}
	r.bad = nil
	if bad != [Columns]*string{} {
		r.bad = &bad
	}
	return r
}

// Job is the job of a row without bad cells.
func (r *Row) Job() job.Job {
	return job.Job{ID: r.Name, Runtime: r.Values[Runtime-1],
		Request: job.Request{Submit: r.Values[Submit-1], Procs: int(r.Values[Procs-1]), Estimate: r.Values[Estimate-1]}}
}

const chunkRows = 1024

// Rows is an immutable list of rows, in chunks, so that a change copies one
// chunk and every step back costs little even of 300,000 rows.
type Rows struct {
	chunks [][]Row
	ends   []int // rows up to and with each chunk
}

// NewRows is a list of the given rows, which it keeps.
func NewRows(rows []Row) Rows {
	return join(slices.Collect(slices.Chunk(rows, chunkRows)))
}

func join(chunks [][]Row) Rows {
	r := Rows{ends: make([]int, 0, len(chunks))}
	n := 0
	for _, c := range chunks {
		if len(c) > 0 {
			n += len(c)
			r.chunks, r.ends = append(r.chunks, c), append(r.ends, n)
		}
	}
	return r
}

// Len is the number of rows.
func (r Rows) Len() int {
	if len(r.ends) == 0 {
		return 0
	}
	return r.ends[len(r.ends)-1]
}

// find is the chunk of row i and the place in it; for i = Len the place behind
// the last row.
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

// At is row i; it must not be changed.
func (r Rows) At(i int) *Row {
	c, at := r.find(i)
	return &r.chunks[c][at]
}

// All yields the rows in order.
func (r Rows) All() iter.Seq2[int, *Row] {
	return func(yield func(int, *Row) bool) {
		n := 0
		for _, c := range r.chunks {
			for i := range c {
				if !yield(n, &c[i]) {
					return
				}
				n++
			}
		}
	}
}

// Splice is the list without the n rows from i, with others in their place.
func (r Rows) Splice(i, n int, others ...Row) Rows {
	if r.Len() == 0 {
		return NewRows(others)
	}
	first, at := r.find(i)
	last, to := r.find(i + n)
	middle := slices.Concat(r.chunks[first][:at], others, r.chunks[last][to:])
	chunks := slices.Concat(r.chunks[:first], slices.Collect(slices.Chunk(middle, 2*chunkRows)), r.chunks[last+1:])
	return join(chunks)
}

// Same reports whether both are the very same list: no edit lies between.
func (r Rows) Same(o Rows) bool {
	return len(r.ends) == len(o.ends) && (len(r.ends) == 0 || &r.ends[0] == &o.ends[0])
}
