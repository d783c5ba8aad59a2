package document

import (
	"slices"
	"strconv"
	"strings"
)

// NoPause is the pause function for short edits, and does nothing. A long edit calls its pause function after each
// step, so that the page can handle events in between and stop the edit.
func NoPause(int) error { return nil }

// editRows applies the edit function to n rows, starting with row i, and returns the new list.
func (r Rows) editRows(i, n int, edit func(Row) Row, pause func(done int) error) (Rows, error) {
	if n <= chunkRows {
		rows := make([]Row, n)
		for k := range rows {
			rows[k] = edit(r.At(i + k))
		}
		return r.Splice(i, n, rows...), nil
	}
	middle, err := r.sublist(i, n).change(func(row *Row) bool {
		*row = edit(*row)
		return true
	}, pause)
	return r.replace(i, n, middle), err
}

// sublist returns n > 0 rows, starting with row i. It shares each chunk that lies completely in this
// range.
func (r Rows) sublist(i, n int) Rows {
	var chunks []*chunk
	first, at := r.find(i)
	last, to := r.find(i + n - 1)
	for k := first; k <= last; k, at = k+1, 0 {
		c, end := r.chunks[k], r.chunks[k].len()
		if k == last {
			end = to + 1
		}
		if end-at == c.len() {
			chunks = append(chunks, c)
		} else {
			chunks = append(chunks, splitIntoChunks(c.rows(at, end))...)
		}
	}
	return join(chunks)
}

// replace returns the list with n rows, starting with row i, replaced by the given rows.
func (r Rows) replace(i, n int, others Rows) Rows {
	chunks := others.chunks
	if i > 0 {
		chunks = append(slices.Clip(r.sublist(0, i).chunks), chunks...)
	}
	if rest := r.Len() - i - n; rest > 0 {
		chunks = append(slices.Clip(chunks), r.sublist(i+n, rest).chunks...)
	}
	return join(chunks)
}

// DuplicateAll is like Duplicate, but is meant for many rows: about every thousand rows, it calls pause with the
// number of rows done, and stops if pause returns an error.
func (d Doc) DuplicateAll(i, n int, pause func(done int) error) (Doc, error) {
	fresh := d.copyNames()
	copies, err := d.Rows.sublist(i, n).change(func(r *Row) bool {
		*r = r.With(ID, fresh(r.Text(ID)))
		return true
	}, pause)
	d.Rows = d.Rows.replace(i+n, 0, copies)
	return d, err
}

// MoveRows returns the document with n rows, starting with row i, moved one row down or up. It changes nothing if
// the rows are already at that end of the table.
func (d Doc) MoveRows(i, n int, down bool) Doc {
	from, to := i-1, i+n-1
	if down {
		from, to = i+n, i
	}
	if from < 0 || from >= d.Rows.Len() {
		return d
	}
	row := d.Rows.At(from)
	d.Rows = d.Rows.Splice(from, 1).Splice(to, 0, row)
	return d
}

// Fill returns the document with the text in row i and column c copied to the n-1 rows
// below. About every thousand rows, it calls pause with the number of rows done, and stops if pause
// returns an error.
func (d Doc) Fill(i, n int, c Column, pause func(done int) error) (Doc, error) {
	first := d.Rows.At(i)
	return d.SetColumn(i+1, n-1, c, Change{text: first.Text(c)}, pause)
}

// SetColumn returns the document with column c changed in n rows, starting with row i. It skips
// computed cells. An arithmetic change also skips cells whose text is not a number, or whose result would be
// too large. About every thousand rows, SetColumn calls pause with the number of rows done, and stops if pause
// returns an error.
func (d Doc) SetColumn(i, n int, c Column, change Change, pause func(done int) error) (Doc, error) {
	if n < 1 {
		return d, nil
	}
	rows, err := d.Rows.editRows(i, n, func(r Row) Row {
		if text, ok := change.apply(r.Text(c)); ok && !r.IsComputed(c) {
			return r.With(c, text)
		}
		return r
	}, pause)
	d.Rows = rows
	return d, err
}

// IsComputed reports whether a cell cannot be edited: the runtime of a moldable job, which follows from other cells, or
// a curve parameter of a job with a table of runtimes, which has no effect.
func (r *Row) IsComputed(c Column) bool {
	return r.RuntimeTable() != nil && c >= L && c <= Sigma || r.Speedup() != nil && c == Runtime
}

// SpreadsheetText returns the given columns of n rows, starting with row i, as spreadsheets copy them: cells
// separated by tabs, one line per row.
func (d *Doc) SpreadsheetText(i, n int, columns []Column) string {
	var out []byte
	if n == 0 {
		return ""
	}
	for _, r := range d.Rows.sublist(i, n).All() {
		for x, c := range columns {
			if x > 0 {
				out = append(out, '\t')
			}
			if c > ID && c <= Runtime && r.Plain() {
				out = strconv.AppendInt(out, r.Values[c-1], 10)
			} else {
				out = append(out, quoted(r.Text(c))...)
			}
		}
		out = append(out, '\n')
	}
	return string(out)
}

// quoted returns the text of a cell, in quotes if it contains a tab, a line break or a quote.
func quoted(text string) string {
	if strings.ContainsAny(text, "\t\n\r\"") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}
