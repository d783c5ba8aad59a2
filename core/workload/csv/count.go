package csv

import (
	"fmt"
	"io"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/input"
)

// Count returns the number of rows after the header that are not blank, without parsing their
// cells. It fails as Read does, for example with ErrTooMany, but does not detect errors in cells.
func Count(r io.Reader, o Options) (rows int, err error) {
	if o.MaxRows <= 0 {
		o.MaxRows = job.MaxJobs
	}
	text, err := input.Open(r, trackProgress(&o))
	if err != nil {
		return 0, err
	}
	s, err := streamed(text)
	if err != nil {
		return 0, err
	}
	s.counts = true
	if _, err := s.header(); err != nil && err != ErrNoRows {
		return 0, err
	}
	kinds := s.kinds()
	var cells []string
	for {
		if rows += s.plain(kinds, o.MaxRows-rows); o.Progress != nil {
			if err := o.Progress(0); err != nil {
				return rows, err
			}
		}
		if cells, err = s.row(cells); err != nil || cells == nil {
			return rows, err
		}
		if cells[0] == "" {
			continue
		}
		if rows++; rows > o.MaxRows {
			return rows, tooMany(s.line, o.MaxRows)
		}
	}
}

// kind is the effect of a byte on counting rows.
type kind uint8

const (
	fills kind = iota // makes the row not blank
	blanks
	ends
	odd // the row must be parsed cell by cell
)

func (s *splitter) kinds() *[256]kind {
	var k [256]kind
	for c := range k {
		switch {
		case c == '\n':
			k[c] = ends
		case c == '"' || c >= 0x80:
			k[c] = odd
		case c == int(s.sep) || c == ' ' || c >= '\t' && c <= '\r':
			k[c] = blanks
		}
	}
	return &k
}

// plain skips rows in the current piece of text and returns how many were not blank, at most most.
// It stops at the first row that is odd, too long or possibly incomplete.
func (s *splitter) plain(kinds *[256]kind, most int) (rows int) {
	text, start, some := s.text, 0, false
	for i := 0; i < len(text) && rows < most && s.next < input.MaxLines; i++ {
		switch k := kinds[text[i]]; {
		case k == fills:
			some = true
		case k == odd || k == ends && i-start >= MaxRow:
			s.text = text[start:]
			return rows
		case k == ends:
			if some {
				rows++
			}
			start, some = i+1, false
			s.next++
		}
	}
	s.text = text[start:]
	return rows
}

func tooMany(line, most int) error {
	return &Error{Line: line, Err: fmt.Errorf("%w: more than %d", ErrTooMany, most)}
}

// pass skips a row of the current text. It appends one cell: "x", or "" for a blank row.
func (s *splitter) pass(cells []string) ([]string, error) {
	some := ""
	for {
		if strings.HasPrefix(s.text, `"`) {
			cell, err := s.quoted()
			if err != nil {
				return nil, err
			}
			if some == "" && strings.TrimSpace(cell) != "" {
				some = "x"
			}
		} else {
			end := 0
			for end < len(s.text) && s.text[end] != s.sep && s.text[end] != '\n' {
				end++
			}
			if some == "" && strings.TrimSpace(s.text[:end]) != "" {
				some = "x"
			}
			s.text = s.text[end:]
		}
		if !s.after() {
			return append(cells, some), nil
		}
	}
}
