package document

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/csv"
)

// newJob holds the default values of a new job. A pasted job keeps them in the columns that the pasted text does
// not contain.
var newJob = Row{Values: [Runtime]int64{0, 1, 10, 10}}

// AddRow returns the document with a new row at the end. The row has a new name and otherwise empty cells.
func (d Doc) AddRow() Doc {
	r := newJob.With(ID, d.freshNames()())
	for c := Submit; c <= Runtime; c++ {
		r = r.With(c, "")
	}
	d.Rows = d.Rows.Splice(d.Rows.Len(), 0, r)
	return d
}

// Duplicate returns the document with copies of rows i to i+n-1 inserted after these rows. The copies get new
// names; see copyNames.
func (d Doc) Duplicate(i, n int) Doc {
	fresh := d.copyNames()
	copies := make([]Row, n)
	for k := range copies {
		r := d.Rows.At(i + k)
		copies[k] = r.With(ID, fresh(r.Text(ID)))
	}
	d.Rows = d.Rows.Splice(i+n, 0, copies...)
	return d
}

// DeleteRows returns the document without n rows, starting with row i.
func (d Doc) DeleteRows(i, n int) Doc {
	d.Rows = d.Rows.Splice(i, n)
	return d
}

// freshNames returns a function that returns a new unused job name at each call. The names are the whole numbers
// above the largest job name that is a number.
func (d *Doc) freshNames() func() string {
	largest := d.Rows.Summary().MaxNumericName
	return func() string {
		largest++
		return strconv.Itoa(largest)
	}
}

// copyNames returns a function that returns an unused name for the copy of the job with the given name. If
// the given name is a number, the copy gets the next number above all names that are numbers. The copies of
// A are named and so on.
func (d *Doc) copyNames() func(name string) string {
	number := d.freshNames()
	var used map[string]bool
	last := map[string]int{}
	return func(name string) string {
		if _, err := strconv.Atoi(name); err == nil || name == "" || len(name) > LongestCell/2 {
			return number()
		}
		if used == nil {
			used = map[string]bool{}
			for _, r := range d.Rows.All() {
				used[r.Text(ID)] = true
			}
		}
		stem := name
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			if k, err := strconv.Atoi(name[i+1:]); err == nil && k > 1 && used[name[:i]] {
				stem = name[:i]
			}
		}
		for k := max(last[stem], 1) + 1; ; k++ {
			if out := fmt.Sprintf("%s-%d", stem, k); !used[out] {
				used[out], last[stem] = true, k
				return out
			}
		}
	}
}

// Paste returns the document with rows of a spreadsheet written over its cells, from the given row downwards. If the
// text begins with a header row, that row names the columns. Otherwise, they are the given columns. An empty cell of
// the text changes nothing. Unless read is nil, Paste calls it to convert the content of the other cells, such as a
// time to seconds. Paste appends rows as needed. About every thousand rows, it calls pause with the number of rows
// done, and stops if pause returns an error. It also returns an error if the text is not a table or too large.
func (d Doc) Paste(row int, columns []Column, text string, read func(Column, string) string, pause func(done int) error) (Doc, error) {
	if err := checkPaste(text); err != nil {
		return d, err
	}
	if all := d.AllColumns(); csv.HasHeader(text, d.csvHeadings(all)) {
		columns = all
	}
	headings, fresh := d.csvHeadings(columns), d.freshNames()
	n, rows, chunks := 0, make([]Row, 0, chunkRows), []*chunk(nil)
	err := csv.ReadBlock(text, headings, func(cells []string) error {
		r := Row{}
		if row+n < d.Rows.Len() {
			r = d.Rows.At(row + n)
		} else {
			r = newJob.With(ID, fresh())
		}
		n++
		for i, cell := range cells {
			if len(cell) > LongestCell {
				return fmt.Errorf("row %d, %s: expected at most %d bytes, got %d", n, headings[i], LongestCell, len(cell))
			}
			if cell != "" && read != nil {
				cell = read(columns[i], cell)
			}
			if cell != "" {
				r = r.With(columns[i], cell)
			}
		}
		if rows = append(rows, r); len(rows) < chunkRows {
			return nil
		}
		chunks, rows = append(chunks, splitIntoChunks(rows)...), rows[:0]
		return pause(n)
	})
	if err != nil || n == 0 {
		return d, err
	}
	old := max(min(n, d.Rows.Len()-row), 0)
	d.Rows = d.Rows.replace(row, old, join(append(chunks, splitIntoChunks(rows)...)))
	return d, nil
}

// csvHeadings returns the names of columns in CSV files.
func (d *Doc) csvHeadings(columns []Column) (names []string) {
	for _, c := range columns {
		names = append(names, d.CSVHeading(c))
	}
	return names
}

// MakeMoldable returns the document in which each valid rigid job of rows i to i+n-1 has Downey's speedup curve with
// average parallelism a. The argument sigma is the coefficient of variation of the parallelism. MakeMoldable selects
// the sequential runtime L such that a job runs for its estimate on the processors that it requests. L is rounded down
// to whole seconds, but the job still runs for its estimate. MakeMoldable also returns the number of changed jobs.
func (d Doc) MakeMoldable(i, n int, a, sigma float64) (Doc, int) {
	rows, changed := make([]Row, n), 0
	for k := range rows {
		r := d.Rows.At(i + k)
		if r.isValidRigid() {
			changed++
			s := job.Speedup{A: a, Sigma: sigma}
			r = r.withCurve(max(math.Floor(float64(r.Values[Estimate-1])*s.At(int(r.Values[Procs-1]))), 1), a, sigma)
		}
		rows[k] = r
	}
	if changed > 0 {
		d.Rows = d.Rows.Splice(i, n, rows...)
	}
	return d, changed
}

// Limits on what a user may type or paste. Larger tables must be opened as a file, which the worker reads.
const (
	LongestCell  = 10_000  // bytes in a cell, a name or another single-line text
	LongestPaste = 4 << 20 // bytes in pasted rows
	longestRow   = 1 << 16 // bytes in one pasted row
)

// checkPaste returns an error if the pasted rows are too large.
func checkPaste(text string) error {
	if len(text) > LongestPaste {
		return fmt.Errorf("expected at most %d bytes, got %d: save the rows as a CSV file and open it", LongestPaste, len(text))
	}
	line := 0
	for row := range strings.Lines(text) {
		if line++; len(row) > longestRow {
			return fmt.Errorf("line %d: expected a row of at most %d bytes, got %d", line, longestRow, len(row))
		}
	}
	return nil
}
