package csv

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// maxL is the maximum sequential runtime L, in seconds.
const maxL = 1e18

// decoder converts rows of a table to jobs.
type decoder struct {
	*layout
	decimalComma bool // whether a comma may be a decimal point, because cells are separated by semicolons
	out          *Table
	texts        map[string]string // names that occurred so far, so that equal names share their memory
	draft        draft             // job of the current row
	err          error             // first error in the current row
	line         int               // line of the current row
}

func newDecoder(l *layout, sep byte) *decoder {
	return &decoder{layout: l, decimalComma: sep == ';', texts: map[string]string{},
		out: &Table{Resources: l.resources, UnknownColumns: l.unknown}}
}

// draft holds the job in the current row, and the columns in which the row has values.
type draft struct {
	job     job.Job
	more    job.More
	curve   job.Speedup
	given   [textField + 1]bool // by meaning: whether the row has a value
	unknown []string            // cells in the unknown columns; nil if there are no such columns
}

// row adds the job in a row. It skips a blank row.
func (d *decoder) row(line int, cells []string) error {
	if blank(cells) {
		return nil
	}
	d.line, d.err, d.draft = line, nil, draft{}
	r := &d.draft
	if len(d.layout.unknown) > 0 {
		r.unknown = make([]string, len(d.layout.unknown))
	}
	if len(d.resources) > 0 {
		r.more.Extra = make([]int64, len(d.resources))
	}
	for i, cell := range cells {
		d.cell(r, i, cell)
	}
	d.finishJob(r)
	if d.err != nil {
		return d.err
	}
	d.out.Jobs = append(d.out.Jobs, r.job)
	d.out.Lines = append(d.out.Lines, line)
	if r.unknown != nil {
		d.out.UnknownCells = append(d.out.UnknownCells, r.unknown)
	}
	return nil
}

// blank reports whether all cells are empty or contain only blanks.
func blank(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// cell parses cell i of a row into the draft.
func (d *decoder) cell(r *draft, i int, cell string) {
	word := strings.TrimSpace(cell)
	if i >= len(d.columns) {
		if word != "" {
			d.fail("", "at most "+strconv.Itoa(len(d.columns))+" cells, as in the header row", "another cell "+quoteShort(word))
		}
		return
	}
	c := d.columns[i]
	if c.means == unknown {
		r.unknown[c.index] = cell
		return
	}
	if word == "" {
		return
	}
	r.given[c.means] = true
	d.setField(r, c, word)
}

// setField parses a cell in a known column.
func (d *decoder) setField(r *draft, c column, text string) {
	switch c.means {
	case id:
		r.job.ID = strings.Clone(d.name(c, text))
	case submit:
		r.job.Submit = d.wholeNumber(c, text, 0, job.MaxTime)
	case procs:
		r.job.Procs = int(d.wholeNumber(c, text, 1, math.MaxInt32))
	case estimate:
		r.job.Estimate = d.wholeNumber(c, text, -1, job.MaxTime)
	case runtime:
		r.job.Runtime = d.wholeNumber(c, text, 0, job.MaxTime)
	case lengthL:
		r.curve.L = d.number(c, text, 1e-9, maxL)
	case averageA:
		r.curve.A = d.number(c, text, 1, 1e9)
	case sigma:
		r.curve.Sigma = d.number(c, text, 0, 1e9)
	case table:
		d.tableCell(r, c, text)
	case resource:
		r.more.Extra[c.index] = d.wholeNumber(c, text, 0, 1e18)
	case textField:
		*job.TextFields[c.index].Pointer(&r.more) = d.intern(d.name(c, text))
	case slnos:
		r.more.SLnos = d.number(c, text, 0, job.MaxSlowdown)
	case slcrs:
		r.more.SLcrs = d.number(c, text, 0, job.MaxSlowdown)
	case noLimit:
		if r.more.NoLimit = text == "true"; !r.more.NoLimit && text != "false" {
			d.fail(c.name, "true or false", quoteShort(text))
		}
	}
}

// name returns the name of a job, user or class. It fails if the name is too long.
func (d *decoder) name(c column, word string) string {
	if len(word) > job.MaxName {
		d.fail(c.name, "a name of at most "+strconv.Itoa(job.MaxName)+" bytes", strconv.Itoa(len(word))+" bytes")
	}
	return word
}

// tableCell stores the runtime on c.index+1 processors.
func (d *decoder) tableCell(r *draft, c column, word string) {
	t := d.wholeNumber(c, word, 1, job.MaxTime)
	for len(r.curve.Table) <= c.index {
		r.curve.Table = append(r.curve.Table, 0)
	}
	r.curve.Table[c.index] = t
}

// intern returns a copy of s. It returns the same copy for equal strings.
func (d *decoder) intern(s string) string {
	if w, ok := d.texts[s]; ok {
		return w
	}
	s = strings.Clone(s)
	d.texts[s] = s
	return s
}

// fail records an error in the current row, unless there already is one.
func (d *decoder) fail(columnName, expected, got string) {
	if d.err == nil {
		d.err = &Error{Line: d.line, Column: columnName, Expected: expected, Got: got}
	}
}

// wholeNumber parses a whole number and fails unless it is in the range [low,high]. It also accepts
// "3600.0".
func (d *decoder) wholeNumber(c column, word string, low, high int64) int64 {
	v, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		f, ferr := strconv.ParseFloat(word, 64)
		outside := f < float64(low) || f > float64(high)
		switch {
		case ferr == nil && math.IsInf(f, 0), ferr != nil && !errors.Is(ferr, strconv.ErrRange), f != math.Trunc(f), math.Abs(f) > 1<<53 && !outside:
			d.fail(c.name, "a whole number", quoteShort(word))
			return 0
		case outside:
			return d.outOfRange(c, word, low, high)
		}
		v = int64(f)
	}
	if v < low || v > high {
		return d.outOfRange(c, word, low, high)
	}
	return v
}

// outOfRange fails because a whole number is outside the range [low,high]. It returns 0.
func (d *decoder) outOfRange(c column, word string, low, high int64) int64 {
	d.fail(c.name, "a number from "+strconv.FormatInt(low, 10)+" to "+strconv.FormatInt(high, 10), quoteShort(word))
	return 0
}

// number parses a number and fails unless it is in the range [low,high].
func (d *decoder) number(c column, word string, low, high float64) float64 {
	if d.decimalComma {
		word = strings.Replace(word, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(word, 64)
	switch {
	case err != nil || math.IsNaN(v):
		d.fail(c.name, "a number", quoteShort(word))
	case v < low || v > high:
		d.fail(c.name, "a number from "+formatFloat(low)+" to "+formatFloat(high), quoteShort(word))
	}
	return v
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
