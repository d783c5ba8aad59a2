package schedule

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/workload/csv"
)

// Invalid reports a line or a field of a CSV table that cannot be read.
type Invalid struct {
	Line     int    // counted from 1
	Column   string // empty if the whole line is invalid
	Expected string
	Got      string
}

func (e *Invalid) Error() string {
	if e.Column == "" {
		return fmt.Sprintf("line %d: expected %s, got %s", e.Line, e.Expected, e.Got)
	}
	return fmt.Sprintf("line %d, column %s: expected %s, got %s", e.Line, e.Column, e.Expected, job.QuoteShort(e.Got))
}

// columnParser parses the fields of one column.
type columnParser struct {
	name     string
	required bool                           // whether ReadCSV requires the column
	expected string                         // what a field must contain, for error messages
	read     func(r *Row, text string) bool // parses a field into the row, and reports whether the field is valid
}

// columnParsers holds the parsers of all columns that ReadCSV and ReadStarts can read.
var columnParsers = []columnParser{
	{"job", true, fmt.Sprintf("a name of 1 to %d bytes", job.MaxName), func(r *Row, s string) bool { r.ID = strings.Clone(s); return s != "" && len(s) <= job.MaxName }},
	{"submit", true, "a time", func(r *Row, s string) bool { return readTime(&r.Submit, s) }},
	{"start", true, "a time or nothing", func(r *Row, s string) bool { return readOptionalTime(&r.Start, s) }},
	{"finish", true, "a time or nothing", func(r *Row, s string) bool { return readOptionalTime(&r.Finish, s) }},
	{"procs", true, fmt.Sprintf("1 to %d", cluster.MaxSlots), readProcs},
	{"runtime", true, "a number of seconds", func(r *Row, s string) bool { return readTime(&r.Runtime, s) }},
	{"estimate", false, "a number of seconds", func(r *Row, s string) bool { return readTime(&r.Estimate, s) }},
	{"promised", false, "a time or nothing", func(r *Row, s string) bool { return readOptionalTime(&r.Promised, s) }},
	{"segments", false, "segments such as 0-5;7-9", readSegments},
	{"alloc", false, "slots such as 0-3 8", readAlloc},
	{"fair", false, "a time or nothing", func(r *Row, s string) bool { return readOptionalTime(&r.Fair, s) }},
}

// ReadCSV reads a table that WriteCSV or another program wrote. Columns may be in any order, and
// unknown columns are ignored. The columns estimate, promised, segments, alloc and fair are
// optional. Without them, the estimate is the runtime, the job runs from start to finish without
// interruption, and its promise, slots and fair start are unknown. Two rows for the same job are an
// error. The rows of the result are in order of submission.
func ReadCSV(r io.Reader) (*Schedule, error) {
	seen := map[string]bool{}
	s, err := read(r, func(c *columnParser) bool { return c.required }, func(line int, row *Row) error {
		if seen[row.ID] {
			return &Invalid{line, "job", "a job that no earlier row names", row.ID}
		}
		seen[row.ID] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range s.Rows {
		row := &s.Rows[i]
		if row.Estimate == unspecified {
			row.Estimate = row.Runtime
		}
		if row.Segments == nil && row.Start != job.Never {
			row.Segments = []Segment{{row.Start, row.Finish}}
		}
	}
	job.SortByTime(s.Rows, func(r *Row) job.Time { return r.Submit })
	return s, nil
}

// unspecified is the value of a time or number that is not in the table.
const unspecified = -1

// ReadStarts reads a table that needs only the columns job and start. It keeps the order of the
// rows. It sets no defaults for columns that the table lacks: Submit, Runtime and Estimate are then
// negative, other times are job.Never, Procs is 0, and Segments and Alloc are nil.
func ReadStarts(r io.Reader) ([]Row, error) {
	s, err := read(r, func(c *columnParser) bool { return c.name == "job" || c.name == "start" }, nil)
	if err != nil {
		return nil, err
	}
	return s.Rows, nil
}

// blockRows is the number of rows that read collects in one block.
const blockRows = 1 << 15

// read reads a table. Every column for which required returns true must be present. If check is not
// nil, read calls it for each row, and returns its first error.
func read(r io.Reader, required func(*columnParser) bool, check func(line int, row *Row) error) (*Schedule, error) {
	var order []*columnParser
	var blocks [][]Row // all of the same length, so that a long table is copied only once
	var rows []Row
	err := csv.Rows(r, func(line int, fields []string) (err error) {
		if order == nil {
			order, err = columns(line, fields, required)
			return err
		}
		if len(blocks)*blockRows+len(rows) == job.MaxJobs {
			return &Invalid{line, "", fmt.Sprintf("at most %d jobs", job.MaxJobs), "more"}
		}
		if len(rows) == blockRows {
			blocks, rows = append(blocks, rows), make([]Row, 0, blockRows)
		}
		row, err := readRow(line, order, fields)
		if err == nil && check != nil {
			err = check(line, &row)
		}
		rows = append(rows, row)
		return err
	})
	var broken *csv.Error
	switch {
	case errors.As(err, &broken):
		return nil, &Invalid{broken.Line, "", broken.Expected, broken.Got}
	case err == nil && order == nil:
		return nil, &Invalid{1, "", "a header line", "an empty file"}
	}
	if err != nil {
		return nil, err
	}
	if blocks == nil {
		return &Schedule{Rows: rows}, nil
	}
	return &Schedule{Rows: slices.Concat(append(blocks, rows)...)}, nil
}

// columns returns the parser for each field of the header, or nil for a column to ignore. It returns
// an error if a required column is missing.
func columns(line int, head []string, required func(*columnParser) bool) ([]*columnParser, error) {
	order := make([]*columnParser, len(head))
	for i := range columnParsers {
		c := &columnParsers[i]
		at := slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), c.name) })
		if at >= 0 {
			order[at] = c
		} else if required(c) {
			return nil, &Invalid{line, "", fmt.Sprintf("a column %q", c.name), job.QuoteShort(strings.Join(head, ","))}
		}
	}
	return order, nil
}

func readRow(line int, order []*columnParser, fields []string) (Row, error) {
	row := Row{Submit: unspecified, Start: job.Never, Finish: job.Never, Runtime: unspecified, Promised: job.Never, Fair: job.Never, Estimate: unspecified}
	if len(fields) != len(order) {
		return row, &Invalid{line, "", fmt.Sprintf("%d fields as in the header", len(order)), strconv.Itoa(len(fields))}
	}
	for i, text := range fields {
		if c := order[i]; c != nil && !c.read(&row, text) {
			return row, &Invalid{line, c.name, c.expected, text}
		}
	}
	return row, nil
}

func readTime(t *job.Time, text string) bool {
	v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	*t = v
	return err == nil && v >= 0 && v <= job.MaxEndTime
}

// readOptionalTime parses a time. If text is blank, it leaves t unchanged.
func readOptionalTime(t *job.Time, text string) bool {
	return strings.TrimSpace(text) == "" || readTime(t, text)
}

func readProcs(r *Row, text string) bool {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	r.Procs = n
	return err == nil && n >= 1 && n <= cluster.MaxSlots
}

func readSegments(r *Row, text string) bool {
	if strings.TrimSpace(text) == "" {
		return true
	}
	r.Segments = make([]Segment, 0, strings.Count(text, ";")+1)
	for part := range strings.SplitSeq(text, ";") {
		from, to, two := strings.Cut(part, "-")
		g := Segment{To: job.Never}
		if !two || !readTime(&g.From, from) || !readOptionalTime(&g.To, to) {
			return false
		}
		r.Segments = append(r.Segments, g)
	}
	return true
}

func readAlloc(r *Row, text string) bool {
	s, err := cluster.ParseSet(text)
	r.Alloc = s
	return err == nil
}
