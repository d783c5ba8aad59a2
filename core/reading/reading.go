// Package reading is what the page and the command share when they read a file
// that a person names: which format it is in, and how what is wrong with it is
// told. It reads no format itself and opens no file.
package reading

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
)

// The formats.
const (
	SWF   = "swf"
	CSV   = "csv"
	JSON  = "json"
	SACCT = "sacct"
)

// ErrNoMachine is a workload for a machine of a size that nobody told.
var ErrNoMachine = errors.New("the size of the machine is not known: the file does not tell it, so it must be given")

// Named returns the format that the ending of a name tells, empty if it tells none.
func Named(name string) string {
	base := strings.TrimSuffix(strings.ToLower(name), ".gz")
	for _, f := range []string{SWF, CSV, JSON, SACCT} {
		if strings.HasSuffix(base, "."+f) {
			return f
		}
	}
	return ""
}

// look is how much of a text is looked at to tell its format.
const look = 4096

// Sniffed tells the format of a file by its content. What it returns reads the
// text of the file from its begin, inflated.
func Sniffed(r io.Reader, o input.Options) (format string, text io.Reader, err error) {
	if r, err = input.Open(r, o); err != nil {
		return "", nil, err
	}
	b := bufio.NewReaderSize(r, look)
	head, err := b.Peek(look)
	if err != nil && err != io.EOF {
		return "", nil, err
	}
	return sniff(string(head)), b, nil
}

// sniff tells the format by the first line that is not blank: numbers and
// blanks or a comment are SWF, a brace is JSON, names are a table, or accounting
// records if JobID is one of several with a | between them.
func sniff(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	switch {
	case strings.HasPrefix(line, "{"):
		return JSON
	case strings.HasPrefix(line, ";") || strings.Trim(line, "0123456789-. \t\r") == "":
		return SWF
	case strings.Contains(line, "|") && strings.Contains(strings.ToLower("|"+line), "|jobid"):
		return SACCT
	}
	return CSV
}

// Whole returns the text of a scenario in r in one piece, inflated if it is gzip. It stops
// at what scenario.Ahead finds.
func Whole(r io.Reader, o input.Options) ([]byte, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = input.MostWhole
	}
	size := 0
	if known, ok := r.(interface{ Len() int }); ok {
		size = known.Len()
	}
	text, err := input.Open(r, o)
	if err != nil {
		return nil, err
	}
	var whole bytes.Buffer
	whole.Grow(size + bytes.MinRead) // so that a large text is not copied as it grows
	_, err = whole.ReadFrom(io.TeeReader(text, &scenario.Ahead{}))
	return whole.Bytes(), err
}

// Fault puts an error about a file in its full words: the file, and the line
// where the error knows it apart from its words.
func Fault(name string, err error) error {
	var s *scenario.Error
	if errors.As(err, &s) && s.Line > 0 && s.Where != "" {
		return fmt.Errorf("%s, line %d: %w", name, s.Line, err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Table applies the rules to the jobs of a table. The report tells of the columns
// that nobody looked at.
func Table(t *csv.Table, procs int, rules workload.Rules) (*workload.Workload, error) {
	w, err := workload.Clean(t.Jobs, t.Lines, procs, rules)
	if err == nil && len(t.Kept) > 0 {
		w.Report.Notes = append(w.Report.Notes, "Not looked at: the columns "+strings.Join(t.Kept, ", ")+".")
	}
	return w, err
}
