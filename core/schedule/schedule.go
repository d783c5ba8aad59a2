// Package schedule holds what became of a workload as a table, one row a job,
// reads and writes it as CSV, and checks it. It is not the engine and shares no
// accounting with it: the checker is written from the rules alone, so that it
// can judge the engine, and schedules that other programs made.
package schedule

import (
	"math"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Segment is one stretch of a job on its slots: [From,To). To is job.Never
// while the job still runs.
type Segment struct{ From, To job.Time }

// Row is what became of one job. Times are job.Never until they are known.
type Row struct {
	ID       string
	Submit   job.Time
	Start    job.Time // first start
	Finish   job.Time
	Procs    int      // processes the job ran with
	Runtime  job.Time // of a moldable job that started, on as many processors
	Estimate job.Time // likewise
	Promised job.Time // latest start promised, job.Never where none was
	Fair     job.Time // fair start time, job.Never where none is recorded
	Segments []Segment
	Alloc    cluster.Set // empty when not known
	PerNode  int         // processes per node, 0 when not arranged by node
	Extra    []int64     // amounts of the machine's extra resources
	Rated    bool        // it made progress at another rate than its own on as many processors
	Grouped  bool        // it was in a group of jobs that share nodes
}

// Schedule is the rows of a workload in submit order, equal times in the order
// of the input.
type Schedule struct {
	Rows    []Row
	Looked  int64 // profile steps looked at in compressions, 0 when not known
	Groups  int   // groups of jobs that share nodes
	Members int   // jobs in them: each primary and those matched with it

	Blocked []cluster.Set // by block of the machine: its slots, where they are known
}

// Finished reports whether the job ran to its end.
func (r *Row) Finished() bool { return r.Start != job.Never && r.Finish != job.Never }

// Wait returns the time from submission to the first start.
func (r *Row) Wait() job.Time { return r.Start - r.Submit }

// Response returns the time from submission to the end.
func (r *Row) Response() job.Time { return r.Finish - r.Submit }

// Ran returns the time the job spent on its slots.
func (r *Row) Ran() job.Time {
	var sum job.Time
	for _, g := range r.Segments {
		sum += g.To - g.From
	}
	return sum
}

// ExtraOf returns the amount of extra resource k that the job holds while it runs.
func (r *Row) ExtraOf(k int) int64 {
	if k >= len(r.Extra) {
		return 0
	}
	return r.Extra[k]
}

// From reads the schedule of a log. A log that breaks its own rules gives a
// schedule all the same; CheckLog names what is wrong with it.
func From(l *log.Log) *Schedule {
	s := &Schedule{Rows: make([]Row, len(l.Jobs))}
	room := stretches(l)
	var last log.Record // of a job matched
	for i := range s.Rows {
		s.Rows[i] = blank(l, job.Index(i))
		s.Rows[i].Segments = room[i]
	}
	for i := range l.Machine.Blocks {
		s.Blocked = append(s.Blocked, l.Blocked(i))
	}
	for r := range l.All() {
		if r.Job >= 0 && int(r.Job) < len(s.Rows) {
			s.Rows[r.Job].apply(r)
			s.Rows[r.Job].Rated = s.Rows[r.Job].Rated || rated(l, r)
		}
		switch r.Kind {
		case log.Effort:
			s.Looked = r.X
		case log.Group:
			s.match(r, &last)
		}
	}
	return s
}

// match counts a job that is matched with a primary; the records of a group follow
// one another, and no job is the primary of two groups in one moment.
func (s *Schedule) match(r *log.Record, last *log.Record) {
	if s.Members++; s.Groups == 0 || r.At != last.At || r.Other != last.Other {
		s.Groups++
		s.Members++
	}
	*last = *r
	for _, i := range [2]job.Index{r.Job, r.Other} {
		if i >= 0 && int(i) < len(s.Rows) {
			s.Rows[i].Grouped = true
		}
	}
}

// blank returns the row of a job to which nothing has happened yet.
func blank(l *log.Log, i job.Index) Row {
	j, w := &l.Jobs[i], l.Width(i)
	row := Row{
		ID: j.ID, Submit: j.Submit, Start: job.Never, Finish: job.Never,
		Procs: int(w.Procs), Runtime: l.Runtime(i), Estimate: j.Estimate, Promised: job.Never, Fair: job.Never,
		Alloc: l.Alloc(i), PerNode: int(w.PerNode),
	}
	if j.Speedup() != nil && w.Procs > 0 && l.Placed(i) {
		row.Estimate = max(l.Estimate(i), row.Runtime)
	}
	if j.More != nil {
		row.Extra = j.More.Extra
	}
	return row
}

// stretches cuts one array into room for the segments of each job.
func stretches(l *log.Log) [][]Segment {
	count := make([]int32, len(l.Jobs))
	total := 0
	for r := range l.All() {
		if begins(r.Kind) && r.Job >= 0 && int(r.Job) < len(count) {
			count[r.Job]++
			total++
		}
	}
	all, room := make([]Segment, total), make([][]Segment, len(count))
	for i, n := range count {
		room[i], all = all[:0:n], all[n:]
	}
	return room
}

func begins(k log.Kind) bool { return k == log.Start || k == log.Resume }

// apply brings the row up to date with a record of its job.
func (r *Row) apply(rec *log.Record) {
	switch rec.Kind {
	case log.Start, log.Resume:
		if r.Start == job.Never {
			r.Start = rec.At
		}
		r.Segments = append(r.Segments, Segment{rec.At, job.Never})
	case log.Suspend:
		r.stop(rec.At)
	case log.Finish:
		r.stop(rec.At)
		r.Finish = rec.At
	case log.Promise:
		if r.Promised == job.Never {
			r.Promised = rec.X
		}
	case log.Fair:
		r.Fair = rec.X
	}
}

// rated reports whether a record gives its job another rate than a second of
// work a second, or than the speedup of a moldable one.
func rated(l *log.Log, r *log.Record) bool {
	if r.Kind != log.Reprice {
		return false
	}
	own := 1.0
	if c := l.Jobs[r.Job].Speedup(); c != nil {
		own = c.At(int(l.Width(r.Job).Procs))
	}
	return math.Float64frombits(uint64(r.X)) != own
}

func (r *Row) stop(at job.Time) {
	if n := len(r.Segments); n > 0 && r.Segments[n-1].To == job.Never {
		r.Segments[n-1].To = at
	}
}
