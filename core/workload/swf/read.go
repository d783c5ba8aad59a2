package swf

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/input"
)

const (
	MaxLine   = 64 << 10 // bytes of one line
	MaxHeader = 4 << 20  // bytes of all comment lines together
)

var (
	// ErrNoRecords is a text of blank lines and comments only.
	ErrNoRecords = errors.New("the file has no job lines")
	// ErrTooMany is a file with more records than Options.MaxRecords.
	ErrTooMany = errors.New("the file has too many jobs")
)

// Options bound and watch the reading. The zero value is sensible.
type Options struct {
	input.Options
	MaxRecords int // 0 means job.MaxJobs
}

// Each reads SWF text, plain or gzip, from r and hands every record to yield
// with its line number (from 1); the record is overwritten by the next one.
// Reading is in blocks of 64 KB: Options.Progress is called at each, and an
// error from it or from yield ends the reading and is returned as it is.
// A line that breaks the format is an *Error.
func Each(r io.Reader, o Options, yield func(line int, rec *Record) error) (Summary, error) {
	if o.MaxRecords <= 0 {
		o.MaxRecords = job.MaxJobs
	}
	p := &parser{max: o.MaxRecords, yield: yield}
	text, err := input.Open(r, o.Options)
	if err != nil {
		return p.sum, err
	}
	if err := p.read(text); err != nil {
		return p.sum, err
	}
	if p.sum.Records == 0 {
		return p.sum, ErrNoRecords
	}
	return p.sum, nil
}

// Count returns how many records a text has, without reading their fields. It fails as
// Each does, with ErrTooMany among others, but for errors in fields.
func Count(r io.Reader, o Options) (int, error) {
	sum, err := Each(r, o, nil)
	return sum.Records, err
}

// File is a whole file in memory: 144 bytes a record.
type File struct {
	Summary
	Body  []Record
	Lines []int // Lines[i] = line number of Body[i]
}

// Read collects all that Each yields.
func Read(r io.Reader, o Options) (*File, error) {
	f := &File{}
	sum, err := Each(r, o, func(line int, rec *Record) error {
		f.Body = append(f.Body, *rec)
		f.Lines = append(f.Lines, line)
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.Summary = sum
	return f, nil
}

type parser struct {
	sum         Summary
	max         int
	headerBytes int
	rec         Record
	cut         bool                     // decimals of the present record were cut off
	yield       func(int, *Record) error // nil: records are only counted
}

// read cuts the text into lines without copying them, but for the piece of a
// line that a block ends with.
func (p *parser) read(text io.Reader) error {
	buf := make([]byte, 2*MaxLine)
	filled := 0
	for {
		n, err := text.Read(buf[filled:])
		filled += n
		rest, bad := p.lines(buf[:filled])
		if bad != nil {
			return bad
		}
		if err == io.EOF {
			return p.last(rest)
		}
		if err != nil {
			return p.failed(err)
		}
		if len(rest) > MaxLine {
			p.sum.Lines++
			return p.bad(-1, fmt.Sprintf("a line of at most %d bytes", MaxLine), "a longer one")
		}
		filled = copy(buf, rest)
	}
}

// failed tells where reading stopped, unless it was the caller who stopped it.
func (p *parser) failed(err error) error {
	if errors.Is(err, input.ErrDamaged) || errors.Is(err, input.ErrTooLarge) {
		return &Error{Line: p.sum.Lines + 1, Field: -1, Err: err}
	}
	return err
}

func (p *parser) last(rest []byte) error {
	if len(rest) == 0 {
		return nil
	}
	return p.line(rest)
}

// lines handles every complete line of b and returns what follows.
func (p *parser) lines(b []byte) ([]byte, error) {
	for {
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			return b, nil
		}
		if err := p.line(b[:end]); err != nil {
			return nil, err
		}
		b = b[end+1:]
	}
}

func (p *parser) line(b []byte) error {
	p.sum.Lines++
	i := skipBlank(b, 0)
	if i == len(b) {
		if p.sum.Lines > input.MaxLines {
			return p.bad(-1, fmt.Sprintf("at most %d lines", input.MaxLines), "more")
		}
		return nil
	}
	if b[i] == ';' {
		return p.comment(b[i:])
	}
	if p.sum.Records == p.max {
		return &Error{Line: p.sum.Lines, Field: -1, Err: fmt.Errorf("%w: more than %d", ErrTooMany, p.max)}
	}
	if p.yield == nil {
		p.sum.Records++
		return nil
	}
	if err := p.record(b, i); err != nil {
		return err
	}
	p.sum.Records++
	return p.yield(p.sum.Lines, &p.rec)
}

func (p *parser) comment(b []byte) error {
	p.headerBytes += len(b)
	if p.headerBytes > MaxHeader {
		return p.bad(-1, fmt.Sprintf("at most %d bytes of comments", MaxHeader), "more")
	}
	p.sum.Header.Lines = append(p.sum.Header.Lines, string(bytes.TrimRight(b, "\r")))
	return nil
}

func (p *parser) bad(f Field, expected, got string) error {
	return &Error{Line: p.sum.Lines, Field: f, Expected: expected, Got: got}
}
