package csv

import (
	"fmt"
	"io"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/input"
)

// Count returns the number of rows after the header, without parsing their cells. It does not count
// blank rows. It returns ErrTooMany if there are too many rows, and an error if the text cannot be
// read or split into rows. It does not check the header or the cells, and accepts a table without
// rows.
func Count(r io.Reader, o Options) (rows int, err error) {
	if o.MaxRows <= 0 {
		o.MaxRows = job.MaxJobs
	}
	text, err := input.Open(r, trackProgress(&o))
	if err != nil {
		return 0, err
	}
	s, err := newStreamSplitter(text)
	if err != nil {
		return 0, err
	}
	s.countOnly = true
	if _, err := s.header(); err != nil && err != ErrNoRows {
		return 0, err
	}
	byteKinds := s.byteKinds()
	var cells []string
	for {
		if rows += s.skipPlainRows(byteKinds, o.MaxRows-rows); o.Progress != nil {
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

// byteKind says how a byte affects the counting of rows.
type byteKind uint8

// These are the kinds of bytes.
const (
	content byteKind = iota // a character of a cell, so the row is not blank
	spacing                 // a separator or a blank
	lineEnd
	special // a character, such as a quote, that requires parsing the row cell by cell
)

// byteKinds returns the kind of every byte value.
func (s *splitter) byteKinds() *[256]byteKind {
	var k [256]byteKind
	for c := range k {
		switch {
		case c == '\n':
			k[c] = lineEnd
		case c == '"' || c >= 0x80:
			k[c] = special
		case c == int(s.sep) || c == ' ' || c >= '\t' && c <= '\r':
			k[c] = spacing
		}
	}
	return &k
}

// skipPlainRows skips rows in the current piece of text, and returns how many of these rows are not
// blank. It stops when this number reaches limit. It also stops before a row that has a special
// byte, is too long, or may continue in the next piece.
func (s *splitter) skipPlainRows(byteKinds *[256]byteKind, limit int) (rows int) {
	text, start, notBlank := s.text, 0, false
	for i := 0; i < len(text) && rows < limit && s.next < input.MaxLines; i++ {
		switch k := byteKinds[text[i]]; {
		case k == content:
			notBlank = true
		case k == special || k == lineEnd && i-start >= MaxRow:
			s.text = text[start:]
			return rows
		case k == lineEnd:
			if notBlank {
				rows++
			}
			start, notBlank = i+1, false
			s.next++
		}
	}
	s.text = text[start:]
	return rows
}

// tooMany returns an error which says that a table has more jobs than the limit.
func tooMany(line, limit int) error {
	return &Error{Line: line, Err: fmt.Errorf("%w: more than %d", ErrTooMany, limit)}
}

// skipRow skips a row of the current text. It appends a single cell, which stands for the whole
// row: "" for a blank row, and "x" for other rows.
func (s *splitter) skipRow(cells []string) ([]string, error) {
	mark := ""
	for {
		if strings.HasPrefix(s.text, `"`) {
			cell, err := s.quoted()
			if err != nil {
				return nil, err
			}
			if mark == "" && strings.TrimSpace(cell) != "" {
				mark = "x"
			}
		} else {
			end := 0
			for end < len(s.text) && s.text[end] != s.sep && s.text[end] != '\n' {
				end++
			}
			if mark == "" && strings.TrimSpace(s.text[:end]) != "" {
				mark = "x"
			}
			s.text = s.text[end:]
		}
		if !s.endCell() {
			return append(cells, mark), nil
		}
	}
}
