// Package csv reads and writes workloads as tables with a header row and one row per job. Cells are
// separated by commas, semicolons or tabs. Package workload applies the data rules to the jobs.
//
// The columns are id, submit, procs, estimate and runtime, with times in whole seconds. Moldable
// jobs have L, A and sigma (Downey's model), or T1, T2, ... (the runtime on 1, 2, ... processors).
// A column res:NAME gives the amount of an extra resource. Further columns are user, class, slnos
// and slcrs (slowdowns with several processes per node), and no-limit. Other columns are kept but
// not interpreted. The column submit is required. The columns procs and runtime are required unless
// the job is moldable. The default id is the row number, and the default estimate is the runtime.
package csv

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/input"
)

// ErrNoRows says that a table has no rows after its header.
var ErrNoRows = errors.New("the table has no job rows")

// ErrTooMany says that a table has more than Options.MaxRows rows.
var ErrTooMany = errors.New("the file has too many jobs")

// Error describes an invalid cell or row.
type Error struct {
	Line      int    // counted from 1
	Column    string // column name in the header; "" if the error is about the whole row
	Expected  string // valid content, in words; empty if Err is set
	Got       string // what the cell or row contains instead
	Err       error  // cause, if the text could not be read
	HasStarts bool   // whether the table has the columns job and start, but lacks columns that jobs need; it is then probably a schedule
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

// quoteShort returns the first 40 bytes of a word in quotes, for an error message.
func quoteShort(word string) string {
	const maxBytes = 40
	if len(word) > maxBytes {
		return strconv.Quote(word[:maxBytes]) + "..."
	}
	return strconv.Quote(word)
}

// Options holds limits for reading, and a callback for progress. The zero value selects the
// defaults.
type Options struct {
	input.Options
	MaxRows int // maximum number of rows; 0 means job.MaxJobs
}

// Table holds the jobs in a table, in the order of the rows. A runtime may be 0 or longer than the
// estimate; the data rules say what happens to such jobs (see workload.Clean).
type Table struct {
	Jobs           []job.Job
	Lines          []int      // line of each job
	Resources      []string   // names in the columns res:NAME, in the order of Job.More.Extra
	UnknownColumns []string   // names of the unknown columns
	UnknownCells   [][]string // by job: its cells in the unknown columns; nil if there are no such columns
}

// Read reads a table, plain or gzip, whose cells are separated by commas, semicolons or tabs. If a
// cell is invalid, it returns an *Error.
func Read(r io.Reader, o Options) (*Table, error) {
	text, err := input.Open(r, trackProgress(&o))
	if err != nil {
		return nil, err
	}
	s, err := newStreamSplitter(text)
	if err != nil {
		return nil, err
	}
	return read(s, o)
}

// Rows passes each row that is not blank, including the header, to the function visit, with its
// line number and its cells. The cells are valid until the next call.
func Rows(r io.Reader, visit func(line int, cells []string) error) error {
	s, err := newStreamSplitter(r)
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
		if err := visit(s.line, cells); err != nil {
			return err
		}
	}
}

// trackProgress makes o.Progress remember the number of bytes read so far, and returns the options
// for reading the text. Code that does not know this number can then call o.Progress(0), which
// reports the remembered number.
func trackProgress(o *Options) input.Options {
	progress, last := o.Progress, int64(0)
	if progress == nil {
		return o.Options
	}
	o.Progress = func(bytes int64) error { last = max(last, bytes); return progress(last) }
	return o.Options
}

// MaxUnknownCells is the maximum number of cells in columns that are not interpreted, over all
// rows.
const MaxUnknownCells = 20_000_000

// progressRows is the number of rows from one call of Progress to the next.
const progressRows = 1024

// read reads the table from a splitter.
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
		if n := len(d.out.UnknownCells); n*len(d.out.UnknownColumns) > MaxUnknownCells {
			return nil, &Error{Line: s.line, Expected: "at most " + strconv.Itoa(MaxUnknownCells) + " cells in columns that are not read", Got: "more"}
		}
		if o.Progress != nil && rows%progressRows == 0 {
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

// table returns the jobs read so far as a table. It returns ErrNoRows if there are none.
func (d *decoder) table() (*Table, error) {
	if len(d.out.Jobs) == 0 {
		return nil, ErrNoRows
	}
	return d.out, nil
}

// FromCells makes a table from column names and rows of cells, for example the cells of a form. In
// an *Error, Line is the number of the row, from 1.
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
