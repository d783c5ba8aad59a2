// Package csv reads and writes workloads as tables of separated values: one
// row a job, a header row that names the columns. It is no general CSV
// library, applies no data rules (package workload does) and opens no file.
//
// The columns are id, submit, procs, estimate, runtime (times in whole
// seconds); for moldable jobs L, A, sigma (Downey) or T1, T2, ... (runtime on
// so many processors); res:NAME, the amount of an extra resource; user, class,
// slnos, slcrs. Any other column is kept and not looked at. submit is needed;
// procs and runtime are needed unless the job is moldable; a missing id is the
// number of the row, a missing estimate is the runtime.
package csv

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/input"
)

// ErrNoRows is a table with a header row at most.
var ErrNoRows = errors.New("the table has no job rows")

// ErrTooMany is a table with more rows than Options.MaxRows.
var ErrTooMany = errors.New("the file has too many jobs")

// Error is a cell or row that breaks the format.
type Error struct {
	Line     int    // from 1
	Column   string // as the header names it, "" when the whole row is meant
	Expected string
	Got      string
	Err      error // the cause where reading itself failed
	Starts   bool  // the table lacks columns of jobs, but tells when jobs started
}

func (e *Error) Error() string {
	where := fmt.Sprintf("line %d", e.Line)
	if e.Column != "" {
		where += ", column " + e.Column
	}
	if e.Err != nil {
		return fmt.Sprintf("%s: %v", where, e.Err)
	}
	return fmt.Sprintf("%s: expected %s, got %s", where, e.Expected, e.Got)
}

func (e *Error) Unwrap() error { return e.Err }

// shown returns a word of the file in quotes, shortened.
func shown(word string) string {
	const most = 40
	if len(word) > most {
		return strconv.Quote(word[:most]) + "..."
	}
	return strconv.Quote(word)
}

// Options bound and watch the reading. The zero value is sensible.
type Options struct {
	input.Options
	MaxRows int // 0 means job.MaxJobs
}

// Table is a workload as it was written down: jobs in the order of the rows,
// some perhaps with a runtime of 0 or above the estimate. workload.Clean makes
// a workload of it.
type Table struct {
	Jobs      []job.Job
	Lines     []int      // Lines[i] = line of Jobs[i]
	Resources []string   // the NAMEs of res:NAME, in the order of Job.More.Extra
	Kept      []string   // names of the columns we do not know
	Values    [][]string // Values[i] = cells of Jobs[i] in those columns; nil without any
}

// Read reads a table, plain or gzip, separated by comma, semicolon or tab. A
// cell that breaks the format is an *Error.
func Read(r io.Reader, o Options) (*Table, error) {
	text, err := input.Open(r, told(&o))
	if err != nil {
		return nil, err
	}
	s, err := streamed(text)
	if err != nil {
		return nil, err
	}
	return read(s, o)
}

// Rows calls each with the line and the cells of every row of a text that are not
// blank, the header first; the cells are good until the next call.
func Rows(r io.Reader, each func(line int, cells []string) error) error {
	s, err := streamed(r)
	if err != nil {
		return err
	}
	var cells []string
	for {
		if cells, err = s.row(cells); err != nil || cells == nil {
			return err
		}
		if blank(cells) {
			continue
		}
		if err := each(s.line, cells); err != nil {
			return err
		}
	}
}

// told has the progress of the reading remembered, to be told again while the
// rows are read.
func told(o *Options) input.Options {
	progress, last := o.Progress, int64(0)
	if progress == nil {
		return o.Options
	}
	o.Progress = func(bytes int64) error { last = max(last, bytes); return progress(last) }
	return o.Options
}

// MaxKept is how many cells of columns that we do not know a table may have.
const MaxKept = 20_000_000

// often is after how many rows progress is told.
const often = 1024

func read(s *splitter, o Options) (*Table, error) {
	if o.MaxRows <= 0 {
		o.MaxRows = job.MaxJobs
	}
	cells, err := s.header()
	if err != nil {
		return nil, err
	}
	l, err := newLayout(s.line, cells)
	if err != nil {
		return nil, err
	}
	d := newDecoder(l, s.sep)
	for rows := 1; ; rows++ {
		if cells, err = s.row(cells); err != nil {
			return nil, err
		}
		if cells == nil {
			return d.table()
		}
		if err := d.row(s.line, cells); err != nil {
			return nil, err
		}
		if n := len(d.out.Values); n*len(d.out.Kept) > MaxKept {
			return nil, &Error{Line: s.line, Expected: "at most " + strconv.Itoa(MaxKept) + " cells in columns that are not read", Got: "more"}
		}
		if o.Progress != nil && rows%often == 0 {
			if err := o.Progress(0); err != nil {
				return nil, err
			}
		}
		if len(d.out.Jobs) > o.MaxRows {
			return nil, tooMany(s.line, o.MaxRows)
		}
	}
}

// header returns the first row that is not blank.
func (s *splitter) header() ([]string, error) {
	for {
		cells, err := s.row(nil)
		if err != nil {
			return nil, err
		}
		if cells == nil {
			return nil, ErrNoRows
		}
		if !blank(cells) {
			return cells, nil
		}
	}
}

func (d *decoder) table() (*Table, error) {
	if len(d.out.Jobs) == 0 {
		return nil, ErrNoRows
	}
	return d.out, nil
}

// FromCells reads rows of cells under the given column names, as a form or a
// spreadsheet has them; the Line of an *Error is the number of the row.
func FromCells(columns []string, rows [][]string) (*Table, error) {
	l, err := newLayout(1, columns)
	if err != nil {
		return nil, err
	}
	d := newDecoder(l, '\t')
	for i, cells := range rows {
		if err := d.row(i+1, cells); err != nil {
			return nil, err
		}
	}
	return d.table()
}
