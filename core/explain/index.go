package explain

import (
	"math"
	"slices"
	"sort"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Index finds the records of a job, and the state of the machine at an instant,
// without reading the log again.
type Index struct {
	log    *log.Log
	chart  *gantt.Chart
	plans  *gantt.Plans
	offset []int32 // by job: its records are records[offset[j]:offset[j+1]]
	record []int32
	heads  []int32 // reasons to wait that only the front of a queue is given
	turns  []int32 // begins and ends of time slices
	groups []int32 // who shares nodes with whom
	words  words
	limit  int32 // records from this one on do not count
}

// headCodes says which reasons to wait are those of a queue's front.
var headCodes = [256]bool{log.Blocked: true, log.NoRoom: true, log.Lacks: true, log.BlockAhead: true}

// ofJob reports whether a record is of the life of its job. What a search only
// tried is not: there may be thousands.
func ofJob(r *log.Record) bool { return r.Job != job.None && !log.Kinds[r.Kind].Attempt }

// NewIndex reads a log.
func NewIndex(l *log.Log) *Index { return FromChart(gantt.New(l)) }

// FromChart reads the log of a chart that is already there.
func FromChart(c *gantt.Chart) *Index {
	l := c.Log()
	x := &Index{log: l, chart: c, plans: gantt.NewPlans(c), words: words{l.Jobs, l.Machine.Resources}, limit: math.MaxInt32}
	x.offset = make([]int32, len(l.Jobs)+1)
	for r := range l.All() {
		if ofJob(r) {
			x.offset[r.Job+1]++
		}
	}
	for j := range l.Jobs {
		x.offset[j+1] += x.offset[j]
	}
	x.record = make([]int32, x.offset[len(l.Jobs)])
	used := slices.Clone(x.offset)
	i := int32(0)
	for r := range l.All() {
		if ofJob(r) {
			x.record[used[r.Job]] = i
			used[r.Job]++
		}
		if r.Kind == log.Hold && headCodes[r.Code] {
			x.heads = append(x.heads, i)
		}
		switch r.Kind {
		case log.Slice:
			x.turns = append(x.turns, i)
		case log.Group:
			if r.Job != job.None && r.Other != job.None { // as a file may say
				x.groups = append(x.groups, i)
			}
		}
		i++
	}
	return x
}

// Log returns the log that it reads.
func (x *Index) Log() *log.Log { return x.log }

// Chart returns the chart of the log.
func (x *Index) Chart() *gantt.Chart { return x.chart }

// Plans returns the reservations of the log.
func (x *Index) Plans() *gantt.Plans { return x.plans }

// records returns the records of job j in order.
func (x *Index) records(j job.Index) []int32 { return x.record[x.offset[j]:x.offset[j+1]] }

// last returns the last record of job j at or before at that is wanted, nil if
// there is none.
func (x *Index) last(j job.Index, at job.Time, wanted func(*log.Record) bool) *log.Record {
	all := x.records(j)
	for i := x.until(all, at) - 1; i >= 0; i-- {
		if r := x.log.Record(int(all[i])); wanted(r) {
			return r
		}
	}
	return nil
}

// until returns how many of the records are at or before at.
func (x *Index) until(records []int32, at job.Time) int {
	return sort.Search(len(records), func(i int) bool { return records[i] >= x.limit || x.log.Record(int(records[i])).At > at })
}

// place returns the number in the log of a record of a job.
func (x *Index) place(r *log.Record) int32 {
	all := x.records(r.Job)
	for i := x.until(all, r.At) - 1; i >= 0; i-- {
		if x.log.Record(int(all[i])) == r {
			return all[i]
		}
	}
	return 0
}

// before returns an index that knows the records before a record only.
func (x *Index) before(r *log.Record) *Index {
	y := *x
	y.limit = x.place(r)
	return &y
}

// start returns the record of the start of job j, nil if it has not started.
func (x *Index) start(j job.Index) *log.Record {
	return x.last(j, job.Never, func(r *log.Record) bool { return r.Kind == log.Start })
}

// head returns the reason to wait of the job that is at the front of the queue of
// job j at the instant at, nil if the log names none. Each virtual machine has
// its own queue; which one j is in shows when it starts.
func (x *Index) head(j job.Index, at job.Time) *log.Record {
	const far = 64 // further back the reasons are those of queues long gone
	n, start := x.until(x.heads, at), x.start(j)
	for i := n - 1; i >= max(0, n-far); i-- {
		r := x.log.Record(int(x.heads[i]))
		if (start == nil || start.View == r.View) && x.State(r.Job, at) == Waiting {
			return r
		}
	}
	return nil
}

// State returns what job j is doing at the instant at.
func (x *Index) State(j job.Index, at job.Time) State {
	if at < x.log.Jobs[j].Submit {
		return NotSubmitted
	}
	r := x.last(j, at, func(r *log.Record) bool {
		return r.Kind == log.Start || r.Kind == log.Finish || r.Kind == log.Suspend || r.Kind == log.Resume
	})
	switch {
	case r == nil:
		return Waiting
	case r.Kind == log.Finish:
		return Done
	case r.Kind == log.Suspend:
		return Suspended
	}
	return Running
}
