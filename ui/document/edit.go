package document

import (
	"fmt"
	"math"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/csv"
)

// plain is a job to begin with.
var plain = Row{Values: [Runtime]int64{0, 1, 10, 10}}

// AddRow returns the document with a new job behind row i (-1: in front): like the
// job of that row, or a plain one, under a name of its own.
func (d Doc) AddRow(i int) Doc {
	r := plain
	if i >= 0 && i < d.Rows.Len() {
		r = d.Rows.At(i)
	}
	fresh := d.freshNames()
	d.Rows = d.Rows.Splice(min(i+1, d.Rows.Len()), 0, r.With(ID, fresh()))
	return d
}

// Duplicate returns the document with copies of the n rows from i behind them.
func (d Doc) Duplicate(i, n int) Doc {
	fresh := d.freshNames()
	copies := make([]Row, n)
	for k := range copies {
		copies[k] = d.Rows.At(i+k).With(ID, fresh())
	}
	d.Rows = d.Rows.Splice(i+n, 0, copies...)
	return d
}

// Delete returns the document without the n rows from i.
func (d Doc) Delete(i, n int) Doc {
	d.Rows = d.Rows.Splice(i, n)
	return d
}

// freshNames gives numbers above every number among the names.
func (d *Doc) freshNames() func() string {
	most := d.Rows.Sum().Number
	return func() string {
		most++
		return strconv.Itoa(most)
	}
}

// Paste returns the document with a block from a spreadsheet laid over the cells of
// the columns from a row on; rows are added as needed. A header row may name any
// column. The error says what in the block is no table. It calls pause like ReadRows.
func (d Doc) Paste(row int, over []Column, text string, pause func(done int) error) (Doc, error) {
	if err := checkPaste(text); err != nil {
		return d, err
	}
	if all := d.AllColumns(); csv.HasHeader(text, d.titles(all)) {
		over = all
	}
	titles, fresh := d.titles(over), d.freshNames()
	n, rows, chunks := 0, make([]Row, 0, chunkRows), []*chunk(nil)
	err := csv.ReadBlock(text, titles, func(cells []string) error {
		r := Row{}
		if row+n < d.Rows.Len() {
			r = d.Rows.At(row + n)
		} else {
			r = plain.With(ID, fresh())
		}
		n++
		for i, cell := range cells {
			if len(cell) > LongestCell {
				return fmt.Errorf("row %d, %s: expected at most %d bytes, got %d", n, titles[i], LongestCell, len(cell))
			}
			if cell != "" {
				r = r.With(over[i], cell)
			}
		}
		if rows = append(rows, r); len(rows) < chunkRows {
			return nil
		}
		chunks, rows = append(chunks, cut(rows)...), rows[:0]
		return pause(n)
	})
	if err != nil || n == 0 {
		return d, err
	}
	old := max(min(n, d.Rows.Len()-row), 0)
	d.Rows = d.Rows.replace(row, old, join(append(chunks, cut(rows)...)))
	return d, nil
}

func (d *Doc) titles(columns []Column) (names []string) {
	for _, c := range columns {
		names = append(names, d.Heading(c))
	}
	return names
}

// MakeMoldable returns the document with a curve for those of the n rows from i that are rigid
// and have no bad cells: Downey's, with A and sigma as given, and so long that the
// job takes its estimate on the processors that it asks for. L is cut to whole
// seconds, which changes no whole runtime. It tells how many rows that is.
func (d Doc) MakeMoldable(i, n int, a, sigma float64) (Doc, int) {
	rows, molded := make([]Row, n), 0
	for k := range rows {
		r := d.Rows.At(i + k)
		if r.rigid() {
			molded++
			s := job.Speedup{A: a, Sigma: sigma}
			r = r.withCurve(max(math.Floor(float64(r.Values[Estimate-1])*s.At(int(r.Values[Procs-1]))), 1), a, sigma)
		}
		rows[k] = r
	}
	if molded > 0 {
		d.Rows = d.Rows.Splice(i, n, rows...)
	}
	return d, molded
}
