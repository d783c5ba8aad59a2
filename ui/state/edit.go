package state

import (
	"strconv"

	"backfill-lab/core/workload/csv"
)

// AddRow is the document with a new job behind row i (-1: in front): like the
// job of that row, or a plain one, under a name of its own.
func (d Doc) AddRow(i int) Doc {
	r := Row{Values: [Columns - 1]int64{0, 1, 10, 10}}
	if i >= 0 && i < d.Rows.Len() {
		r = *d.Rows.At(i)
	}
	r = r.With(ID, d.freshName())
	d.Rows = d.Rows.Splice(min(i+1, d.Rows.Len()), 0, r)
	return d
}

// Duplicate is the document with copies of the n rows from i behind them.
func (d Doc) Duplicate(i, n int) Doc {
	for k := range n {
		r := d.Rows.At(i + k).With(ID, d.freshName())
		d.Rows = d.Rows.Splice(i+n+k, 0, r)
	}
	return d
}

// Delete is the document without the n rows from i.
func (d Doc) Delete(i, n int) Doc {
	d.Rows = d.Rows.Splice(i, n)
	return d
}

// freshName is a number above every number among the names.
func (d *Doc) freshName() string {
	most := 0
	for _, r := range d.Rows.All() {
		if n, err := strconv.Atoi(r.Name); err == nil {
			most = max(most, n)
		}
	}
	return strconv.Itoa(most + 1)
}

// Paste is the document with a block from a spreadsheet laid over the cells
// from (row, c) on; rows are added as needed. The error says what in the block
// is no table.
func (d Doc) Paste(row int, c Column, text string) (Doc, error) {
	block, err := csv.ParseBlock(text, Names[c:])
	if err != nil {
		return d, err
	}
	for k, cells := range block {
		r := Row{Values: [Columns - 1]int64{0, 1, 10, 10}}
		old := 1
		if row+k < d.Rows.Len() {
			r = *d.Rows.At(row + k)
		} else {
			old = 0
			r = r.With(ID, d.freshName())
		}
		for i, cell := range cells {
			if cell != "" {
				r = r.With(c+Column(i), cell)
			}
		}
		d.Rows = d.Rows.Splice(row+k, old, r)
	}
	return d, nil
}
