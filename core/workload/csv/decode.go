package csv

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// mostWork is the maximum of L, in seconds.
const mostWork = 1e18

// decoder turns rows into jobs.
type decoder struct {
	*layout
	comma bool // whether decimals may use a comma, because semicolons separate the cells
	out   *Table
	words map[string]string // one shared copy of each name
	draft draft             // job of the current row
	err   error
	line  int
}

func newDecoder(l *layout, sep byte) *decoder {
	return &decoder{layout: l, comma: sep == ';', words: map[string]string{},
		out: &Table{Resources: l.resources, UnknownColumns: l.kept}}
}

// draft holds the job of the current row, and which fields the row contained.
type draft struct {
	job   job.Job
	more  job.More
	curve job.Speedup
	given [word + 1]bool
	kept  []string
}

// row adds the job of a row. It skips rows of empty cells.
func (d *decoder) row(line int, cells []string) error {
	if blank(cells) {
		return nil
	}
	d.line, d.err, d.draft = line, nil, draft{}
	r := &d.draft
	if len(d.layout.kept) > 0 {
		r.kept = make([]string, len(d.layout.kept))
	}
	if len(d.resources) > 0 {
		r.more.Extra = make([]int64, len(d.resources))
	}
	for i, cell := range cells {
		d.cell(r, i, cell)
	}
	d.finish(r)
	if d.err != nil {
		return d.err
	}
	d.out.Jobs = append(d.out.Jobs, r.job)
	d.out.Lines = append(d.out.Lines, line)
	if r.kept != nil {
		d.out.UnknownCells = append(d.out.UnknownCells, r.kept)
	}
	return nil
}

func blank(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

func (d *decoder) cell(r *draft, i int, cell string) {
	word := strings.TrimSpace(cell)
	if i >= len(d.columns) {
		if word != "" {
			d.fail("", "at most "+strconv.Itoa(len(d.columns))+" cells, as in the header row", "another cell "+shown(word))
		}
		return
	}
	c := d.columns[i]
	if c.means == kept {
		r.kept[c.place] = cell
		return
	}
	if word == "" {
		return
	}
	r.given[c.means] = true
	d.known(r, c, word)
}

func (d *decoder) known(r *draft, c column, text string) {
	switch c.means {
	case id:
		r.job.ID = strings.Clone(d.name(c, text))
	case submit:
		r.job.Submit = d.whole(c, text, 0, job.MaxTime)
	case procs:
		r.job.Procs = int(d.whole(c, text, 1, math.MaxInt32))
	case estimate:
		r.job.Estimate = d.whole(c, text, -1, job.MaxTime)
	case runtime:
		r.job.Runtime = d.whole(c, text, 0, job.MaxTime)
	case lengthL:
		r.curve.L = d.number(c, text, 1e-9, mostWork)
	case averageA:
		r.curve.A = d.number(c, text, 1, 1e9)
	case sigma:
		r.curve.Sigma = d.number(c, text, 0, 1e9)
	case table:
		d.tableCell(r, c, text)
	case resource:
		r.more.Extra[c.place] = d.whole(c, text, 0, 1e18)
	case word:
		*job.TextFields[c.place].Of(&r.more) = d.word(d.name(c, text))
	case slnos:
		r.more.SLnos = d.number(c, text, 0, job.MaxSlowdown)
	case slcrs:
		r.more.SLcrs = d.number(c, text, 0, job.MaxSlowdown)
	}
}

// name checks the length of the name of a job, a user or a class.
func (d *decoder) name(c column, word string) string {
	if len(word) > job.MaxName {
		d.fail(c.name, "a name of at most "+strconv.Itoa(job.MaxName)+" bytes", strconv.Itoa(len(word))+" bytes")
	}
	return word
}

// tableCell sets the runtime on c.place+1 processors.
func (d *decoder) tableCell(r *draft, c column, word string) {
	t := d.whole(c, word, 1, job.MaxTime)
	for len(r.curve.Table) <= c.place {
		r.curve.Table = append(r.curve.Table, 0)
	}
	r.curve.Table[c.place] = t
}

// word returns a copy of s that all rows share.
func (d *decoder) word(s string) string {
	if w, ok := d.words[s]; ok {
		return w
	}
	s = strings.Clone(s)
	d.words[s] = s
	return s
}

// fail records the first error of a row.
func (d *decoder) fail(columnName, expected, got string) {
	if d.err == nil {
		d.err = &Error{Line: d.line, Column: columnName, Expected: expected, Got: got}
	}
}

// whole parses a whole number from low to high. It also accepts "3600.0".
func (d *decoder) whole(c column, word string, low, high int64) int64 {
	v, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		f, ferr := strconv.ParseFloat(word, 64)
		if ferr != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			d.fail(c.name, "a whole number", shown(word))
			return 0
		}
		v = int64(f)
	}
	if v < low || v > high {
		d.fail(c.name, "a number from "+strconv.FormatInt(low, 10)+" to "+strconv.FormatInt(high, 10), shown(word))
	}
	return v
}

// number parses a number from low to high, with or without decimals.
func (d *decoder) number(c column, word string, low, high float64) float64 {
	if d.comma {
		word = strings.Replace(word, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(word, 64)
	switch {
	case err != nil || math.IsNaN(v):
		d.fail(c.name, "a number", shown(word))
	case v < low || v > high:
		d.fail(c.name, "a number from "+format(low)+" to "+format(high), shown(word))
	}
	return v
}

func format(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
