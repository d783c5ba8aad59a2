// Package sacct reads Slurm accounting records as printed by sacct -P (--parsable2): a line of
// field names, then one line per record, with fields separated by "|"
// (https://slurm.schedmd.com/sacct.html). It determines which records are jobs, and what the jobs
// requested. Package workload applies the data rules to the jobs.
package sacct

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/input"
)

// MaxLine is the maximum length of a line in bytes; --format=ALL may include job scripts.
const MaxLine = 256 << 10

var (
	// ErrNoRecords reports a text without records after the field names.
	ErrNoRecords = errors.New("the file has no job records")
	// ErrTooMany reports a file with more jobs than Options.MaxJobs.
	ErrTooMany = errors.New("the file has too many jobs")
)

// Options holds limits, a progress callback and choices for reading.
type Options struct {
	input.Options
	Choice
	Resources []string // TRES that become extra resources of jobs, such as gres/gpu, in the machine's order; mem in MB
	MaxJobs   int      // 0 means job.MaxJobs
}

// File holds the jobs of the records. workload.Clean makes a workload from them.
type File struct {
	Jobs  []job.Job // in the order of the records; the first submission is at 0
	Lines []int     // Lines[i] is the line of Jobs[i]
	// Starts[i] is the start of Jobs[i] on the real machine, on the same clock as the submit
	// times. It is negative if the file does not contain it.
	Starts []job.Time
	// Calendar holds the local time of the first submission, without a time zone, which the records
	// do not contain. It is nil if no time is known.
	Calendar *format.Calendar
	MachineFacts
	Unlimited             []Named   // partitions of jobs whose records have no wall time limit; the name is empty if the file has no field Partition
	SubmitNote, LimitNote string    // sentences about the submit times and about the jobs in Unlimited; may be empty
	Dropped               []Dropped // numbers of records that are not finished jobs
	Notes                 []string  // sentences about information in the file that the model ignores
}

// Dropped holds the number of records that were dropped for one reason.
type Dropped struct {
	Kind workload.Kind
	workload.Count
}

// Read reads accounting records, plain or gzip. An error names the line and the field, or a
// partition that is not in the file.
func Read(r io.Reader, o Options) (*File, error) {
	if o.MaxJobs <= 0 {
		o.MaxJobs = job.MaxJobs
	}
	text, err := input.Open(r, o.Options)
	if err != nil {
		return nil, err
	}
	p := &parser{Options: o, chosen: o.Partitions()}
	p.found = make([]bool, len(p.chosen))
	b := bufio.NewReaderSize(text, MaxLine)
	for {
		line, err := b.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			p.line++
			return nil, p.errorAt(fields, "a line of at most "+strconv.Itoa(MaxLine)+" bytes", "a longer one")
		case err != nil && err != io.EOF:
			return nil, err
		}
		if bad := p.processLine(string(line)); bad != nil {
			return nil, bad
		}
		if err == io.EOF {
			return p.result()
		}
	}
}

// processLine processes a line. The first line that is not blank is the header.
func (p *parser) processLine(line string) error {
	if line != "" {
		p.line++
	}
	if p.line > input.MaxLines {
		return p.errorAt(fields, "at most "+strconv.Itoa(input.MaxLines)+" lines", "more")
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
	return p.processRecord()
}

// split splits a line into cells.
func (p *parser) split(line string) {
	p.cells = p.cells[:0]
	for more := true; more; {
		var cell string
		cell, line, more = strings.Cut(line, "|")
		p.cells = append(p.cells, strings.TrimSpace(cell))
	}
}

// quoteShort quotes a word of the file for an error message. It cuts the word to 40 bytes.
func quoteShort(word string) string {
	const maxBytes = 40
	if len(word) > maxBytes {
		return strconv.Quote(word[:maxBytes]) + "..."
	}
	return strconv.Quote(word)
}
