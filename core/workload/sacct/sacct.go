// Package sacct reads Slurm accounting records, as printed by sacct -P (--parsable2). The text has
// a line with the names of fields, followed by one line per record. Cells are separated by "|"
// (https://slurm.schedmd.com/sacct.html). The package decides which records are jobs, and
// determines the resources of each job. Package workload applies the data rules to the jobs.
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

// MaxLine is the maximum length of a line in bytes. Lines are long with --format=ALL, which can
// include job scripts.
const MaxLine = 256 << 10

var (
	// ErrNoRecords says that a text has no records after the names of fields.
	ErrNoRecords = errors.New("the file has no job records")
	// ErrTooMany says that a file has more than Options.MaxJobs jobs.
	ErrTooMany = errors.New("the file has too many jobs")
)

// Options holds the choices of the user, limits for reading, and a callback for progress.
type Options struct {
	input.Options
	Choice
	Resources []string // trackable resources (TRES) that become extra resources, such as gres/gpu, in the order of the machine; mem is in MB
	MaxJobs   int      // maximum number of jobs; 0 means job.MaxJobs
}

// File holds the jobs found in the records. Use workload.Clean to make a workload from these jobs.
type File struct {
	Jobs  []job.Job // in the order of the records; the first submission is at time 0
	Lines []int     // line of each job
	// Starts holds the time at which each job started on the real machine, in the same units as
	// submit times. A time is negative if it is not in the file.
	Starts []job.Time
	// Calendar holds the local time of the first submission. It has no time zone, because the
	// records contain none. It is nil if no submission time is known.
	Calendar *format.Calendar
	MachineFacts
	Unlimited             []NameCount // partitions with jobs whose records have no wall time limit; the name is empty if the file has no field Partition
	SubmitNote, LimitNote string      // sentences about submit times, and about the jobs in Unlimited; may be empty
	Dropped               []Dropped   // how many records were dropped, by reason
	Notes                 []string    // sentences about information in the file that the model ignores
	NotesWithNames        []string    // those of Notes that contain names or dates
}

// Dropped holds the number of records that were dropped for the same reason.
type Dropped struct {
	Kind workload.Kind // reason
	workload.Count
}

// Read reads accounting records, plain or gzip. If a line is malformed, the error gives the line
// and the field. If the file does not have a partition that is selected or has a wall time limit, the
// error names the partition.
func Read(r io.Reader, o Options) (*File, error) {
	if o.MaxJobs <= 0 {
		o.MaxJobs = job.MaxJobs
	}
	text, err := input.Open(r, o.Options)
	if err != nil {
		return nil, err
	}
	p := &parser{Options: o, selected: o.Partitions()}
	p.found = make([]bool, len(p.selected))
	b := bufio.NewReaderSize(text, MaxLine)
	for {
		line, err := b.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			p.line++
			if err := p.checkLineEnds(string(line)); err != nil {
				return nil, err
			}
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

// processLine parses a line. The first line that is not blank is the header.
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
	if err := p.checkLineEnds(line); err != nil {
		return err
	}
	p.split(line)
	if p.width == 0 {
		return p.header()
	}
	p.records++
	return p.processRecord()
}

// checkLineEnds returns an error if the line with the names of fields contains a CR. The line is then the whole file,
// because the lines of the file end with CR instead of LF.
func (p *parser) checkLineEnds(line string) error {
	if p.width == 0 && strings.Contains(line, "\r") {
		return p.errorAt(fields, "line ends LF or CR LF", "CR only")
	}
	return nil
}

// split splits a line into p.cells.
func (p *parser) split(line string) {
	p.cells = p.cells[:0]
	for more := true; more; {
		var cell string
		cell, line, more = strings.Cut(line, "|")
		p.cells = append(p.cells, strings.TrimSpace(cell))
	}
}

// quoteShort returns the first 40 bytes of a word in quotes, for an error message.
func quoteShort(word string) string {
	const maxBytes = 40
	if len(word) > maxBytes {
		return strconv.Quote(word[:maxBytes]) + "..."
	}
	return strconv.Quote(word)
}
