package csv

import (
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/workload/input"
)

// MaxRow is the maximum length of a row, in bytes.
const MaxRow = 1 << 20

// splitter splits text into rows and cells, as defined by RFC 4180. A quoted cell can contain
// separators, line ends and doubled quotes. Other cells are substrings of the text. The splitter
// reads the text in pieces, so the whole table is never in memory. It replaces encoding/csv,
// which would copy each cell and add 8 KB to the compressed program of the page.
type splitter struct {
	in   io.Reader // rest of the text, after the current piece; nil if there is none
	text string    // current piece of the text, without the rows already returned
	sep  byte      // separator between cells, such as a comma
	line int       // line on which the last row starts, from 1
	next int       // line on which the next row starts

	countOnly bool // whether rows are only counted; parseRow then returns one cell, which is empty for a blank row
}

// newSplitter returns a splitter for a text that is in memory.
func newSplitter(text string, sep byte) *splitter {
	return &splitter{text: text, sep: sep, next: 1}
}

// newStreamSplitter returns a splitter that reads the text from r. It detects the separator from
// the first line.
func newStreamSplitter(r io.Reader) (*splitter, error) {
	s := &splitter{in: r, next: 1}
	if err := s.readPiece(); err != nil {
		return nil, err
	}
	s.text = strings.TrimPrefix(s.text, "\uFEFF")
	sep, rest := separator(s.text)
	s.next += strings.Count(s.text[:len(s.text)-len(rest)], "\n")
	s.sep, s.text = sep, rest
	return s, nil
}

// readPiece reads the next piece of the text, and appends it to the rest of the current piece.
func (s *splitter) readPiece() error {
	var b strings.Builder
	b.Grow(len(s.text) + MaxRow)
	b.WriteString(s.text)
	n, err := io.Copy(&b, io.LimitReader(s.in, MaxRow))
	if s.text = b.String(); n < MaxRow {
		s.in = nil
	}
	return err
}

// skipEmptyLines skips all empty lines at once, because a malicious gzip file may contain millions
// of them.
func (s *splitter) skipEmptyLines() {
	n := 0
	for n < len(s.text) && s.text[n] == '\n' {
		n++
	}
	s.text, s.next = s.text[n:], s.next+n
}

// row appends the cells of the next row to cells[:0], or returns nil at the end of the text. It
// skips empty lines. A line that contains only blanks is a row with one cell.
func (s *splitter) row(cells []string) ([]string, error) {
	for {
		s.skipEmptyLines()
		from, line := s.text, s.next
		switch end := s.text == "" && s.in == nil; {
		case line > input.MaxLines+1 || line > input.MaxLines && !end:
			return nil, &Error{Line: input.MaxLines + 1, Expected: "at most " + strconv.Itoa(input.MaxLines) + " lines", Got: "more"}
		case end:
			return nil, nil
		}
		hasEnd := strings.IndexByte(from, '\n') >= 0
		if hasEnd || s.in == nil && len(from) <= MaxRow {
			out, err := s.parseRow(cells)
			taken := len(from) - len(s.text)
			switch {
			case taken > MaxRow || len(from) > MaxRow && (err != nil || s.text == ""):
				return nil, tooLong(line)
			case s.in == nil || err == nil && s.text != "":
				return out, err
			}
		} else if len(from) > MaxRow {
			return nil, tooLong(line)
		}
		s.text, s.next = from, line // the row may continue in the next piece
		if err := s.readPiece(); err != nil {
			return nil, err
		}
	}
}

// tooLong returns an error which says that a row is longer than MaxRow.
func tooLong(line int) error {
	return &Error{Line: line, Expected: "a row of at most " + strconv.Itoa(MaxRow) + " bytes", Got: "a longer one"}
}

// parseRow returns the cells of the next row in the current text.
func (s *splitter) parseRow(cells []string) ([]string, error) {
	s.line = s.next
	cells = cells[:0]
	if s.countOnly {
		return s.skipRow(cells)
	}
	for {
		cell, more, err := s.cell()
		if err != nil {
			return nil, err
		}
		cells = append(cells, cell)
		if !more {
			return cells, nil
		}
	}
}

// cell parses a cell and the separator or line end after it. It reports true if a separator
// follows, so that the row has another cell.
func (s *splitter) cell() (cell string, more bool, err error) {
	if strings.HasPrefix(s.text, `"`) {
		if cell, err = s.quoted(); err != nil {
			return "", false, err
		}
	} else {
		end := 0
		for end < len(s.text) && s.text[end] != s.sep && s.text[end] != '\n' {
			end++
		}
		cell, s.text = s.text[:end], s.text[end:]
		if s.text == "" || s.text[0] == '\n' {
			cell = strings.TrimSuffix(cell, "\r")
		}
	}
	return cell, s.endCell(), nil
}

// endCell consumes the separator or line end after a cell. It reports whether it was a separator.
func (s *splitter) endCell() (more bool) {
	switch {
	case s.text == "":
		return false
	case s.text[0] == s.sep:
		s.text = s.text[1:]
		return true
	}
	s.text = s.text[1:] // skip the line end
	s.next++
	return false
}

// quoted parses a quoted cell, but not the separator or line end after it.
func (s *splitter) quoted() (string, error) {
	var doubled strings.Builder
	rest, from := s.text[1:], s.next
	for {
		end := strings.IndexByte(rest, '"')
		if end < 0 {
			return "", &Error{Line: from, Expected: "a closing quote", Got: "the end of the file"}
		}
		s.next += strings.Count(rest[:end], "\n")
		doubled.WriteString(rest[:end])
		rest = rest[end+1:]
		if !strings.HasPrefix(rest, `"`) {
			break
		}
		doubled.WriteByte('"')
		rest = rest[1:]
	}
	if strings.HasPrefix(rest, "\r\n") || rest == "\r" {
		rest = rest[1:]
	}
	if rest != "" && rest[0] != s.sep && rest[0] != '\n' {
		return "", &Error{Line: s.next, Expected: "a separator after the closing quote", Got: quoteShort(rest[:1])}
	}
	s.text = rest
	return doubled.String(), nil
}

// separator returns the separator of a text, and the text to split. The separator is the comma,
// semicolon or tab that occurs most often outside quotes in the first line, or the comma if none of
// them occurs. If the first line is "sep=;" or similar, as written by Excel, separator uses the
// character in this line and removes the line from the text.
func separator(text string) (sep byte, rest string) {
	if after, found := strings.CutPrefix(text, "sep="); found && after != "" {
		if line, rest, ok := strings.Cut(after[1:], "\n"); ok && strings.TrimSpace(line) == "" {
			return after[0], rest
		}
	}
	var count [256]int
	inQuotes := false
	for i := 0; i < len(text) && (inQuotes || text[i] != '\n'); i++ {
		if text[i] == '"' {
			inQuotes = !inQuotes
		}
		if !inQuotes {
			count[text[i]]++
		}
	}
	sep = ','
	for _, c := range []byte{';', '\t'} {
		if count[c] > count[sep] {
			sep = c
		}
	}
	return sep, text
}
