package explain

import (
	"math"
	"slices"
	"sort"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline"
)

// Index finds the records of a job and the state of the machine at any time without reading the
// whole log. The fields heads, slices and groups hold indexes of log records, in ascending order.
// The field recordIndexes holds such indexes too, in ascending order for each job.
type Index struct {
	log           *log.Log
	timeline      *timeline.Timeline
	plans         *timeline.Plans // finds the reservations of the waiting jobs
	offset        []int32         // the records of job j are recordIndexes[offset[j]:offset[j+1]]
	recordIndexes []int32
	heads         []int32 // records of kind Hold whose reason applies only to the first job in a queue
	slices        []int32 // records of kind Slice, which start or end a time slice
	groups        []int32 // records of kind Group
	words         phrases // formats sentences
	sizesUnknown  bool    // the policy planned sizes of moldable jobs, but the log does not record them
	firstHidden   int32   // countUntil, and therefore every look-up of a job's records, ignores the records from this index on
}

// isHeadReason holds, by code, whether a reason to wait applies only to the first job in a queue.
var isHeadReason = [256]bool{log.Blocked: true, log.TooFewProcs: true, log.LacksResource: true, log.OutageAhead: true}

// isJobRecord reports whether a record belongs to the history of its job. Records about sets that
// the policy only tried do not belong to it, because there may be thousands of such records.
func isJobRecord(r *log.Record) bool { return r.Job != job.None && !log.Kinds[r.Kind].Attempt }

// NewIndex builds the index of a log.
func NewIndex(l *log.Log) *Index { return FromTimeline(timeline.New(l)) }

// FromTimeline builds an index from an existing timeline.
func FromTimeline(t *timeline.Timeline) *Index {
	l := t.Log()
	x := &Index{log: l, timeline: t, plans: timeline.NewPlans(t), words: phrases{jobs: l.Jobs, resources: l.Machine.Resources, text: l.Text}, firstHidden: math.MaxInt32}
	x.offset = make([]int32, len(l.Jobs)+1)
	for r := range l.All() {
		if isJobRecord(r) {
			x.offset[r.Job+1]++
		}
	}
	for j := range l.Jobs {
		x.offset[j+1] += x.offset[j]
	}
	x.recordIndexes = make([]int32, x.offset[len(l.Jobs)])
	next := slices.Clone(x.offset) // by job: position of its next record in recordIndexes
	i := int32(0)
	for r := range l.All() {
		if isJobRecord(r) {
			x.recordIndexes[next[r.Job]] = i
			next[r.Job]++
		}
		if r.Kind == log.Hold && isHeadReason[r.Code] {
			x.heads = append(x.heads, i)
		}
		switch r.Kind {
		case log.Slice:
			x.slices = append(x.slices, i)
		case log.Size:
			x.sizesUnknown = !l.Includes(log.Resize)
		case log.Group:
			if r.Job != job.None && r.Other != job.None { // a log file may lack one of the two jobs
				x.groups = append(x.groups, i)
			}
		}
		i++
	}
	return x
}

// WithClock returns an index of the same log that formats times with clock c.
func (x *Index) WithClock(c format.Clock) *Index {
	y := *x
	y.words.clock = c
	return &y
}

// Log returns the log that the index was built from.
func (x *Index) Log() *log.Log { return x.log }

// Plans returns the reservations recorded in the log.
func (x *Index) Plans() *timeline.Plans { return x.plans }

// recordsOf returns the indexes of the records of job j, in order.
func (x *Index) recordsOf(j job.Index) []int32 { return x.recordIndexes[x.offset[j]:x.offset[j+1]] }

// lastRecord returns the last record r of job j, at or before the given time, for which matches(r) is
// true. It returns nil if there is none.
func (x *Index) lastRecord(j job.Index, at job.Time, matches func(*log.Record) bool) *log.Record {
	all := x.recordsOf(j)
	for i := x.countUntil(all, at) - 1; i >= 0; i-- {
		if r := x.log.Record(int(all[i])); matches(r) {
			return r
		}
	}
	return nil
}

// countUntil returns how many of the given records are at or before the given time. The records are
// given by their indexes, in ascending order.
func (x *Index) countUntil(records []int32, at job.Time) int {
	return sort.Search(len(records), func(i int) bool { return records[i] >= x.firstHidden || x.log.Record(int(records[i])).At > at })
}

// recordIndex returns the position of r in the log. The record must belong to the history of its
// job, see isJobRecord.
func (x *Index) recordIndex(r *log.Record) int32 {
	all := x.recordsOf(r.Job)
	for i := x.countUntil(all, r.At) - 1; i >= 0; i-- {
		if x.log.Record(int(all[i])) == r {
			return all[i]
		}
	}
	return 0
}

// indexBefore returns a copy of the index whose look-ups of records ignore r and all later records.
// The timeline and the plans of the copy still cover the whole log.
func (x *Index) indexBefore(r *log.Record) *Index {
	y := *x
	y.firstHidden = x.recordIndex(r)
	return &y
}

// startRecord returns the start record of job j, or nil if the job never starts.
func (x *Index) startRecord(j job.Index) *log.Record {
	return x.lastRecord(j, job.Never, func(r *log.Record) bool { return r.Kind == log.Start })
}

// headReason returns the record that says why the first job in the queue of job j waits at the
// given time. It returns nil if the log has no such record. It also returns nil if the job of the
// last such record no longer waits: the log then does not say which job is first. With time slices,
// each type of job has its own virtual machine with its own queue. The start record of job j names
// its virtual machine.
func (x *Index) headReason(j job.Index, at job.Time) *log.Record {
	start := x.startRecord(j)
	for i := x.countUntil(x.heads, at) - 1; i >= 0; i-- {
		switch r := x.log.Record(int(x.heads[i])); {
		case start != nil && start.View != r.View:
		case x.State(r.Job, at) == Waiting:
			return r
		default:
			return nil
		}
	}
	return nil
}

// State returns the state of job j at the given time, after all events of that time.
func (x *Index) State(j job.Index, at job.Time) State {
	if at < x.log.Jobs[j].Submit {
		return NotSubmitted
	}
	r := x.lastRecord(j, at, func(r *log.Record) bool {
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
