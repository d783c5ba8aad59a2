// Package swf reads and writes version 2.2 of the Standard Workload Format of the Parallel
// Workloads Archive (Chapin et al. 1999,
// https://www.cs.huji.ac.il/labs/parallel/workload/swf.html). Package workload converts the records
// to jobs that a machine can run.
package swf

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"backfill-lab/core/job"
)

// Field is one of the 18 fields of a record. Fields are numbered from 0 here, but from 1 in
// messages and in the definition of the format.
type Field int8

// These are the fields, in the order of the format. Times are in seconds, and memory is in
// kilobytes. The value -1 means unknown.
const (
	JobNumber Field = iota
	Submit
	Wait
	Runtime
	AllocatedProcs
	AverageCPU // seconds; decimals are cut off
	UsedMemory
	RequestedProcs
	RequestedTime
	RequestedMemory
	Status // 0 failed, 1 completed, 2 to 4 partial executions, 5 cancelled
	UserID
	GroupID
	Executable
	Queue
	Partition
	PrecedingJob
	ThinkTime
	Fields // number of fields
)

// These are values of the field Status.
const (
	StatusFailed           = 0
	StatusCompleted        = 1
	StatusPartial          = 2
	StatusLastOK           = 3
	StatusLastFailed       = 4
	StatusCancelled        = 5
	unknown          int64 = -1
)

// fieldNames holds the names of the fields, for messages.
var fieldNames = [Fields]string{
	"job number", "submit time", "wait time", "run time", "allocated processors",
	"average CPU time", "used memory", "requested processors", "requested time",
	"requested memory", "status", "user ID", "group ID", "executable number",
	"queue number", "partition number", "preceding job number", "think time",
}

func (f Field) String() string {
	if f < 0 || f >= Fields {
		return fmt.Sprintf("field %d", int(f)+1)
	}
	return fieldNames[f]
}

// Record holds the 18 whole numbers of one line. A number is -1 if it is unknown. Use a Field as
// index, as in r[swf.Runtime].
type Record [Fields]int64

// Summary holds the header of a file, and the numbers of its lines and records.
type Summary struct {
	Header      Header
	Records     int       // number of records
	Lines       int       // number of lines, including comments and blank lines
	LongLines   LineCount // records with more than 18 fields; the additional fields are ignored
	DecimalsCut LineCount // records in which a time or a processor count had decimals, which are cut off
}

// LineCount holds a number of records, and the line of the first one.
type LineCount struct{ N, First int }

func (l *LineCount) add(line int) {
	if l.N == 0 {
		l.First = line
	}
	l.N++
}

// Error describes a malformed line, or a line at which reading the text failed.
type Error struct {
	Line     int    // counted from 1
	Field    Field  // -1 if the error is about the whole line
	Expected string // valid content, in words; empty if Err is set
	Got      string // what the line contains instead
	Err      error  // cause, if the text could not be read
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	where := fmt.Sprintf("line %d", e.Line)
	if e.Field >= 0 {
		where += fmt.Sprintf(", field %d (%s)", e.Field+1, e.Field)
	}
	return fmt.Sprintf("%s: expected %s, got %s", where, e.Expected, e.Got)
}

func (e *Error) Unwrap() error { return e.Err }

// FromJobs converts jobs to records. It sets the job number, submit time, run time, processors
// (allocated and requested), requested time and status (completed, or failed for a killed job). If
// every id is a whole number without leading zeros, and no two jobs have the same id, the ids
// become the job numbers. Otherwise, FromJobs numbers the jobs from 1 and returns renumbered =
// true. It drops the other properties of a job, such as its user, extra resources and speedup.
func FromJobs(jobs []job.Job) (records []Record, renumbered bool) {
	records = make([]Record, len(jobs))
	renumbered = !setJobNumbers(jobs, records)
	for i := range jobs {
		r, j := &records[i], &jobs[i]
		number := r[JobNumber]
		for f := range r {
			r[f] = unknown
		}
		r[JobNumber] = number
		if renumbered {
			r[JobNumber] = int64(i + 1)
		}
		r[Submit], r[Runtime], r[RequestedTime] = j.Submit, j.Runtime, j.Estimate
		r[AllocatedProcs], r[RequestedProcs] = int64(j.Procs), int64(j.Procs)
		r[Status] = StatusCompleted
		if j.Killed {
			r[Status] = StatusFailed
		}
	}
	return records, renumbered
}

// setJobNumbers sets the job numbers of the records to the ids of the jobs. It reports false if an
// id is not a whole number, or if two jobs have the same id.
func setJobNumbers(jobs []job.Job, records []Record) bool {
	seen := make(map[int64]bool, len(jobs))
	for i := range jobs {
		n, ok := plainNumber(jobs[i].ID)
		if !ok || seen[n] {
			return false
		}
		seen[n] = true
		records[i][JobNumber] = n
	}
	return true
}

// plainNumber parses a whole number without a sign and without leading zeros.
func plainNumber(s string) (int64, bool) {
	if s == "" || len(s) > 18 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	var n int64
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// Write writes the header lines, and then one line per record, with a space between fields. It puts
// a semicolon before a header line that has none. Reading the result gives the same records, and the
// header lines with these semicolons.
func Write(w io.Writer, h Header, records []Record) error {
	b := bufio.NewWriterSize(w, 64<<10)
	for _, line := range h.Lines {
		if line == "" || line[0] != ';' {
			b.WriteString("; ")
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	var line []byte
	for i := range records {
		line = line[:0]
		for _, v := range records[i] {
			line = append(strconv.AppendInt(line, v, 10), ' ')
		}
		line[len(line)-1] = '\n'
		b.Write(line)
	}
	return b.Flush()
}
