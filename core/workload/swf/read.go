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
	MaxLine   = 64 << 10 // maximum length of a line, in bytes
	MaxHeader = 4 << 20  // maximum length of all comment lines together, in bytes
)

var (
	// ErrNoRecords says that a text contains only blank lines and comments.
	ErrNoRecords = errors.New("the file has no job lines")
	// ErrTooMany says that a file has more than Options.MaxRecords records.
	ErrTooMany = errors.New("the file has too many jobs")
)

// Options holds limits for reading, and a callback for progress. The zero value selects the
// defaults.
type Options struct {
	input.Options
	MaxRecords int // maximum number of records; 0 means job.MaxJobs
}

// Each reads SWF text, plain or gzip. It calls yield for every record, with the line number of the
// record, starting at 1. It reuses the Record for the next call. It calls Options.Progress after
// every 64 KB. If Progress or yield returns an error, Each stops and returns this error. It returns
// an *Error if a line is malformed.
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

// Count returns the number of records, without parsing their fields. It returns the same errors as
// Each, for example ErrTooMany, but no errors about fields.
func Count(r io.Reader, o Options) (int, error) {
	sum, err := Each(r, o, nil)
	return sum.Records, err
}

// File holds a whole file in memory. Each record takes 144 bytes.
type File struct {
	Summary
	Body  []Record // all records
	Lines []int    // line of each record
}

// Read reads a whole file into memory.
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

// parser parses a file line by line.
type parser struct {
	sum         Summary                  // header, and counts so far
	max         int                      // maximum number of records
	headerBytes int                      // total number of bytes in comments so far
	rec         Record                   // current record
	cut         bool                     // whether the current record had decimals that were cut off
	yield       func(int, *Record) error // nil if records are only counted
}

// read splits the text into lines and parses them. It reads the text in blocks, and copies only the
// incomplete line at the end of a block.
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
			return p.lastLine(rest)
		}
		if err != nil {
			return p.addLine(err)
		}
		if len(rest) > MaxLine {
			p.sum.Lines++
			return p.errorAt(-1, fmt.Sprintf("a line of at most %d bytes", MaxLine), "a longer one")
		}
		filled = copy(buf, rest)
	}
}

// addLine adds the line number to an error about the text. It returns any other error of the reader
// unchanged.
func (p *parser) addLine(err error) error {
	if errors.Is(err, input.ErrDamaged) || errors.Is(err, input.ErrTooLarge) {
		return &Error{Line: p.sum.Lines + 1, Field: -1, Err: err}
	}
	return err
}

// lastLine parses the text after the last newline, if there is any.
func (p *parser) lastLine(rest []byte) error {
	if len(rest) == 0 {
		return nil
	}
	return p.line(rest)
}

// lines parses every complete line in b, and returns the bytes after the last one.
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
			return p.errorAt(-1, fmt.Sprintf("at most %d lines", input.MaxLines), "more")
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
	if err := p.parseRecord(b, i); err != nil {
		return err
	}
	p.sum.Records++
	return p.yield(p.sum.Lines, &p.rec)
}

// comment adds a comment line to the header.
func (p *parser) comment(b []byte) error {
	p.headerBytes += len(b)
	if p.headerBytes > MaxHeader {
		return p.errorAt(-1, fmt.Sprintf("at most %d bytes of comments", MaxHeader), "more")
	}
	p.sum.Header.Lines = append(p.sum.Header.Lines, string(bytes.TrimRight(b, "\r")))
	return nil
}

// errorAt returns an error about field f of the current line. If f is -1, the error is about the
// whole line.
func (p *parser) errorAt(f Field, expected, got string) error {
	return &Error{Line: p.sum.Lines, Field: f, Expected: expected, Got: got}
}
