// Package swf reads and writes the Standard Workload Format 2.2 of the
// Parallel Workloads Archive (Chapin et al. 1999,
// https://www.cs.huji.ac.il/labs/parallel/workload/swf.html). It decides
// nothing about the data: which records become jobs, and how, is the business
// of package workload. It opens no file.
package swf

import (
	"fmt"

	"backfill-lab/core/job"
)

// Field is one of the 18 columns of a record, counted from 0 here and from 1
// in messages, as the format does.
type Field int8

// The fields in the order of the format; times in seconds, memory in
// kilobytes, -1 = not known.
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
	Fields // how many there are
)

// The values of the Status field.
const (
	StatusFailed           = 0
	StatusCompleted        = 1
	StatusPartial          = 2
	StatusLastOK           = 3
	StatusLastFailed       = 4
	StatusCancelled        = 5
	unknown          int64 = -1
)

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

// Record is one line: its 18 fields as whole numbers, -1 where the file does
// not know. Index it by Field: r[swf.Runtime].
type Record [Fields]int64

// Summary is what a reading tells beside the records.
type Summary struct {
	Header  Header
	Records int
	Lines   int   // of any kind
	Longer  Lines // records with more than 18 fields; the surplus is not read
	Cut     Lines // records with decimals, which are cut off, in a time or a number of processors that jobs are made of
}

// Lines is how many records are of a kind, and the line of the first.
type Lines struct{ N, First int }

func (l *Lines) add(line int) {
	if l.N == 0 {
		l.First = line
	}
	l.N++
}

// Error is a line that breaks the format, or the reading that ended there.
type Error struct {
	Line     int   // from 1
	Field    Field // -1 when the whole line is meant
	Expected string
	Got      string
	Err      error // the cause where reading itself failed
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

// FromJobs gives the records of jobs as the format can hold them: number,
// submit, run time, processors (allocated and requested), requested time, and
// status (completed, or failed for a killed job). Numbers are the ids where
// each is a number written the plain way and no two are equal; otherwise the
// jobs are numbered from 1 and renumbered is true. Extra resources and speedup
// curves have no place in the format and stay behind.
func FromJobs(jobs []job.Job) (records []Record, renumbered bool) {
	records = make([]Record, len(jobs))
	renumbered = !numbered(jobs, records)
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

// numbered fills in the job numbers and reports whether all ids are numbers.
func numbered(jobs []job.Job, records []Record) bool {
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
