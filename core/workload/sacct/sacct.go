// Package sacct reads the accounting records of Slurm as its command sacct
// prints them with -P or --parsable2: a line of field names, then a line a
// record, all separated by "|" (https://slurm.schedmd.com/sacct.html). It says
// which records are jobs and what they asked for; what becomes of odd jobs is
// the business of package workload. It knows no machine and opens no file.
package sacct

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/input"
)

// MaxLine is the most bytes of one line; those of --format=ALL may hold scripts.
const MaxLine = 256 << 10

var (
	// ErrNoRecords is a text without a record behind the field names.
	ErrNoRecords = errors.New("the file has no job records")
	// ErrTooMany is a file with more jobs than Options.MaxJobs.
	ErrTooMany = errors.New("the file has too many jobs")
)

// Unit is what a processor of the machine is.
type Unit uint8

// A job's processors are its CPUs (the default: AllocCPUS; cores or hardware
// threads, as the cluster counts them) or its nodes (NNodes).
const (
	CPUs Unit = iota
	Nodes
)

var unitNames = [2]string{"cpus", "nodes"}

func (u Unit) String() string { return unitNames[u] }

// MarshalText returns String.
func (u Unit) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText reads cpus or nodes.
func (u *Unit) UnmarshalText(text []byte) error {
	for i, name := range unitNames {
		if string(text) == name {
			*u = Unit(i)
			return nil
		}
	}
	return fmt.Errorf("expected cpus or nodes, got %q", text)
}

// Choice is what a person says of a file. The zero value takes all partitions
// and counts CPUs.
type Choice struct {
	Partition string // only the jobs of this one; empty for all
	Unit      Unit
}

// Options bound and watch the reading.
type Options struct {
	input.Options
	Choice
	Resources []string // the TRES whose amounts jobs have, as in gres/gpu, in the machine's order; mem in MB
	MaxJobs   int      // 0 means job.MaxJobs
}

// File is what the records say. workload.Clean makes a workload of it.
type File struct {
	Jobs  []job.Job // in the order of the records; the first submission is at 0
	Lines []int     // Lines[i] = line of Jobs[i]
	// Starts[i] is when Jobs[i] started on the real machine, on the clock of the
	// submissions; negative where the file does not tell.
	Starts []job.Time
	Facts
	Left  []Left   // records that are no jobs that ran to their end
	Notes []string // what the file says that the model leaves out, in sentences
}

// Left is how many records were left out for a reason.
type Left struct {
	Kind workload.Kind
	workload.Count
}

// Read reads records, plain or gzip. An error names the line and the field of what
// breaks the format, or a partition that no record has.
func Read(r io.Reader, o Options) (*File, error) {
	if o.MaxJobs <= 0 {
		o.MaxJobs = job.MaxJobs
	}
	text, err := input.Open(r, o.Options)
	if err != nil {
		return nil, err
	}
	p := &parser{Options: o}
	b := bufio.NewReaderSize(text, MaxLine)
	for {
		line, err := b.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			p.line++
			return nil, p.bad(fields, "a line of at most "+strconv.Itoa(MaxLine)+" bytes", "a longer one")
		case err != nil && err != io.EOF:
			return nil, err
		}
		if bad := p.text(string(line)); bad != nil {
			return nil, bad
		}
		if err == io.EOF {
			return p.file()
		}
	}
}

// text takes a line; the first that is not blank is the header.
func (p *parser) text(line string) error {
	if line != "" {
		p.line++
	}
	if p.line > input.MaxLines {
		return p.bad(fields, "at most "+strconv.Itoa(input.MaxLines)+" lines", "more")
	}
	line = strings.TrimRight(line, "\r\n")
	if strings.TrimSpace(line) == "" {
		return nil
	}
	p.split(line)
	if p.width == 0 {
		return p.header()
	}
	p.records++
	return p.record()
}

// split cuts a line into cells.
func (p *parser) split(line string) {
	p.cells = p.cells[:0]
	for more := true; more; {
		var cell string
		cell, line, more = strings.Cut(line, "|")
		p.cells = append(p.cells, strings.TrimSpace(cell))
	}
}

// shown returns a word of the file in quotes, shortened.
func shown(word string) string {
	const most = 40
	if len(word) > most {
		return strconv.Quote(word[:most]) + "..."
	}
	return strconv.Quote(word)
}
