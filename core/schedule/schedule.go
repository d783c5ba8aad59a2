// Package schedule represents a schedule as a table with one row per job. It reads and writes the
// table as CSV, and checks schedules and logs against rules. The checker shares no code with the
// engine, so that it can verify the schedules of the engine. It can also check schedules that other
// programs made.
package schedule

import (
	"cmp"
	"fmt"
	"math"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Segment is an interval [From,To) in which a job runs without interruption. To is job.Never if the
// job still runs.
type Segment struct{ From, To job.Time }

// Row holds what one job requested, and when and where it ran. A time is job.Never until it is
// known.
type Row struct {
	ID       string
	Submit   job.Time
	Start    job.Time // first start
	Finish   job.Time
	Procs    int      // number of processes with which the job ran; one process uses one processor
	Runtime  job.Time // runtime on that number of processors
	Estimate job.Time // estimated runtime on that number of processors
	Promised job.Time // time by which the job was first promised to start; job.Never if it got no promise
	Fair     job.Time // fair start time (see package fairstart); job.Never if it is unknown
	Segments []Segment
	Alloc    cluster.Set // slots; empty if unknown
	PerNode  int         // processes on each node; 0 if the job is not placed by node
	Extra    []int64     // amount of each extra resource that the job requests
	Rated    bool        // whether a record set an unusual rate; usual is 1, or the speedup of a moldable job
	Grouped  bool        // whether the job was in a group of jobs that share nodes, at any time

	outage string // of a row that stands for an outage: the phrase for it; otherwise empty
}

// phrase returns a phrase for the job of the row, such as `job "a"`, or for its outage.
func (r *Row) phrase() string { return cmp.Or(r.outage, fmt.Sprintf("job %q", r.ID)) }

// begins returns a phrase that says that the job or the outage begins, such as `job "a" starts to run`.
func (r *Row) begins() string {
	if r.outage != "" {
		return r.outage + " begins"
	}
	return r.phrase() + " starts to run"
}

// Schedule holds one row per job, in order of submission. Jobs with the same submit time keep the
// order of the input.
type Schedule struct {
	Rows         []Row
	ProfileSteps int64 // profile steps that the policy examined in compression passes; 0 if unknown
	Groups       int   // number of groups of jobs that share nodes
	Members      int   // total number of jobs in these groups, including the primary job of each group

	OutageSlots []cluster.Set // slots of each outage, empty if unknown
}

// Finished reports whether the job ran to its end.
func (r *Row) Finished() bool { return r.Start != job.Never && r.Finish != job.Never }

// Wait returns the time from submission to the first start.
func (r *Row) Wait() job.Time { return r.Start - r.Submit }

// Response returns the time from submission to the finish.
func (r *Row) Response() job.Time { return r.Finish - r.Submit }

// TotalRuntime returns the total length of the job's segments.
func (r *Row) TotalRuntime() job.Time {
	var sum job.Time
	for _, g := range r.Segments {
		sum += g.To - g.From
	}
	return sum
}

// ExtraOf returns the amount of extra resource k that the job uses while it runs.
func (r *Row) ExtraOf(k int) int64 {
	if k >= len(r.Extra) {
		return 0
	}
	return r.Extra[k]
}

// FromLog returns the schedule in a log, even if the log breaks rules. CheckLog reports broken
// rules.
func FromLog(l *log.Log) *Schedule {
	s := &Schedule{Rows: make([]Row, len(l.Jobs))}
	segments := emptySegments(l)
	var last log.Record // the last Group record
	for i := range s.Rows {
		s.Rows[i].setRequest(l, job.Index(i))
		s.Rows[i].Segments = segments[i]
	}
	for i := range l.Machine.Outages {
		s.OutageSlots = append(s.OutageSlots, l.OutageSlots(i))
	}
	for r := range l.All() {
		if r.Job >= 0 && int(r.Job) < len(s.Rows) {
			s.Rows[r.Job].apply(r)
			s.Rows[r.Job].Rated = s.Rows[r.Job].Rated || setsOtherRate(l, r)
		}
		switch r.Kind {
		case log.Effort:
			s.ProfileSteps = r.X
		case log.Group:
			s.countGroup(r, &last)
		}
	}
	return s
}

// countGroup updates Groups, Members and Grouped with r, a record of kind Group. The record says
// that a job joins the group of a primary job, which its field Other names. The records of a group
// are consecutive, and no job is the primary of two groups at the same time. The argument
// lastRecord holds the previous record of this kind; countGroup then stores r there.
func (s *Schedule) countGroup(r *log.Record, lastRecord *log.Record) {
	if s.Members++; s.Groups == 0 || r.At != lastRecord.At || r.Other != lastRecord.Other {
		s.Groups++
		s.Members++
	}
	*lastRecord = *r
	for _, i := range [2]job.Index{r.Job, r.Other} {
		if i >= 0 && int(i) < len(s.Rows) {
			s.Rows[i].Grouped = true
		}
	}
}

// setRequest initializes row r from the request of job i.
func (r *Row) setRequest(l *log.Log, i job.Index) {
	j, w := &l.Jobs[i], l.Layout(i)
	r.ID, r.Submit, r.Start, r.Finish = j.ID, j.Submit, job.Never, job.Never
	r.Procs, r.Runtime, r.Estimate, r.Promised, r.Fair = int(w.Procs), l.Runtime(i), j.Estimate, job.Never, job.Never
	r.Alloc, r.PerNode = l.Alloc(i), int(w.PerNode)
	if j.Speedup() != nil && w.Procs > 0 && l.HasSlots(i) {
		r.Estimate = max(l.Estimate(i), r.Runtime)
	}
	if j.More != nil {
		r.Extra = j.More.Extra
	}
}

// emptySegments returns an empty slice of segments for each job. Each slice has the capacity that
// its job needs, and all slices share one array.
func emptySegments(l *log.Log) [][]Segment {
	count := make([]int32, len(l.Jobs))
	total := 0
	for r := range l.All() {
		if startsSegment(r.Kind) && r.Job >= 0 && int(r.Job) < len(count) {
			count[r.Job]++
			total++
		}
	}
	all, segments := make([]Segment, total), make([][]Segment, len(count))
	for i, n := range count {
		segments[i], all = all[:0:n], all[n:]
	}
	return segments
}

// startsSegment reports whether a record of kind k means that a job starts or resumes.
func startsSegment(k log.Kind) bool { return k == log.Start || k == log.Resume }

// apply updates the row with a log record about its job.
func (r *Row) apply(rec *log.Record) {
	switch rec.Kind {
	case log.Start, log.Resume:
		if r.Start == job.Never {
			r.Start = rec.At
		}
		r.Segments = append(r.Segments, Segment{rec.At, job.Never})
	case log.Suspend:
		r.endSegment(rec.At)
	case log.Finish:
		r.endSegment(rec.At)
		r.Finish = rec.At
	case log.Promise:
		if r.Promised == job.Never {
			r.Promised = rec.X
		}
	case log.Fair:
		r.Fair = rec.X
	}
}

// setsOtherRate reports whether a record sets a rate other than 1 for a rigid job, or other than its
// speedup for a moldable job. A job has such a rate if processes on the same node affect its speed.
func setsOtherRate(l *log.Log, r *log.Record) bool {
	if r.Kind != log.RateChange {
		return false
	}
	own := 1.0
	if c := l.Jobs[r.Job].Speedup(); c != nil {
		own = c.At(int(l.Layout(r.Job).Procs))
	}
	return math.Float64frombits(uint64(r.X)) != own
}

// endSegment ends the last segment at the given time if the job still runs.
func (r *Row) endSegment(at job.Time) {
	if n := len(r.Segments); n > 0 && r.Segments[n-1].To == job.Never {
		r.Segments[n-1].To = at
	}
}
