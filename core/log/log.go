// Package log records a simulation as an append-only sequence of events with reasons.
// Every chart and table is computed from a log alone. Package sim writes the logs of runs;
// Read reads stored logs.
package log

import (
	"iter"
	"slices"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Record is one entry of a log. Kind determines the meaning of Code, Other, X and Y.
type Record struct {
	At, X, Y   int64 // At: time in seconds; X and Y: see Kind
	Job, Other job.Index
	Kind       Kind
	Code       Code
	View       uint8 // number of the virtual machine for time slices; 0 is the machine itself
}

// Reason returns the reason of a record whose kind has one, such as Start or Hold.
func (r *Record) Reason() Reason { return Reason{r.Code, r.Other, r.X, r.Y} }

// chunkLen is the usual number of elements of a chunk of Log.chunks or Log.ranges. The first chunk of
// records has only firstLen elements at first, and is enlarged when it is full. If the workload is
// small, a chunk of ranges has only two elements per job.
const (
	chunkLen = 4096
	firstLen = 128
)

// place records where Log.ranges stores the slots of a job: in Log.ranges[chunk][at:at+n].
type place struct{ chunk, at, n int32 }

// Log holds the records of one run of Jobs on Machine.
type Log struct {
	Machine cluster.Machine
	Jobs    []job.Job
	Level   Level // how much the log records

	// Storing records in large chunks without pointers keeps garbage collection cheap.
	chunks  [][]Record
	used    int               // records in the last chunk
	last    []Record          // the last chunk
	places  []place           // by job: where ranges holds its slots; n is 0 before the job starts; nil at level Starts
	ranges  [][]cluster.Range // the slots of all jobs, in chunks
	unused  int               // number of unused ranges in the last chunk of ranges
	layouts []Layout          // by job; nil if every job ran with its requested size and none was placed by node

	outageSlots []cluster.Set // by outage: its slots, recorded when it begins
	texts       texts         // reasons in a policy's own words
}

// Layout holds the number of processes of a job, and how many of them run on each node.
type Layout struct {
	Procs   int32 // processes
	PerNode int32 // processes per node; 0 if the job is not placed by node
}

// New returns an empty log.
func New(m cluster.Machine, jobs []job.Job, level Level) *Log {
	l := &Log{Machine: m, Jobs: jobs, Level: level}
	if level > Starts {
		l.places = make([]place, len(jobs))
	}
	return l
}

// Add appends a record, unless the level of the log excludes its kind.
func (l *Log) Add(r Record) {
	if l.Includes(r.Kind) {
		*l.appendEmpty() = r
	}
}

// AddOutcome appends a Start or Finish record without a reason.
func (l *Log) AddOutcome(kind Kind, at job.Time, j job.Index) {
	r := l.appendEmpty()
	r.At, r.Kind, r.Job, r.Other = at, kind, j, job.None
}

// Includes reports whether the level of the log includes records of a kind.
func (l *Log) Includes(kind Kind) bool { return Kinds[kind].Level <= l.Level }

// appendEmpty appends a record whose fields are all zero, and returns it for the caller to fill in.
func (l *Log) appendEmpty() *Record {
	if l.used == len(l.last) {
		l.grow()
	}
	l.used++
	return &l.last[l.used-1]
}

// grow adds a chunk of records. If the first chunk has not reached its full size, it enlarges that
// chunk instead.
func (l *Log) grow() {
	switch {
	case len(l.chunks) == 0:
		l.chunks = append(l.chunks, make([]Record, firstLen))
	case len(l.last) < chunkLen:
		l.chunks[0] = append(make([]Record, 0, chunkLen), l.last...)[:chunkLen]
	default:
		l.chunks, l.used = append(l.chunks, make([]Record, chunkLen)), 0
	}
	l.last = l.chunks[len(l.chunks)-1]
}

// RecordSlots records the slots and the layout of job j, which keeps both until it finishes.
// The set s of slots may be empty in a log that was read from a file.
func (l *Log) RecordSlots(j job.Index, s cluster.Set, w Layout) {
	if l.unused < len(s) || len(l.ranges) == 0 {
		l.unused = max(min(chunkLen, 2*len(l.Jobs)), len(s))
		l.ranges = append(l.ranges, make([]cluster.Range, l.unused))
	}
	last := len(l.ranges) - 1
	at := len(l.ranges[last]) - l.unused
	copy(l.ranges[last][at:], s)
	l.unused -= len(s)
	l.places[j] = place{int32(last), int32(at), int32(len(s))}
	if l.layouts == nil && (w.PerNode != 0 || int(w.Procs) != l.Jobs[j].Procs) {
		l.layouts = make([]Layout, len(l.Jobs))
	}
	if l.layouts != nil {
		l.layouts[j] = w
	}
}

// Alloc returns the slots of job j. It returns nil if the job never started or if the log has the
// level Starts.
func (l *Log) Alloc(j job.Index) cluster.Set {
	if !l.HasSlots(j) {
		return nil
	}
	p := l.places[j]
	return l.ranges[p.chunk][p.at : p.at+p.n : p.at+p.n]
}

// HasSlots reports whether the log holds the slots of job j. In the log of a run, at every level above
// Starts, this means that the job has started.
func (l *Log) HasSlots(j job.Index) bool { return l.places != nil && l.places[j].n > 0 }

// RecordOutage records a copy of s as the slots of outage i.
func (l *Log) RecordOutage(i int, s cluster.Set) {
	if l.outageSlots == nil {
		l.outageSlots = make([]cluster.Set, len(l.Machine.Outages))
	}
	l.outageSlots[i] = slices.Clone(s)
}

// OutageSlots returns the slots of outage i, or nil if it never began.
func (l *Log) OutageSlots(i int) cluster.Set {
	if i < 0 || i >= len(l.outageSlots) {
		return nil
	}
	return l.outageSlots[i]
}

// Layout returns the layout of job j. If none was recorded, it returns the number of processes that
// the job requests.
func (l *Log) Layout(j job.Index) Layout {
	if l.layouts != nil && l.layouts[j].Procs != 0 {
		return l.layouts[j]
	}
	return Layout{Procs: int32(l.Jobs[j].Procs)}
}

// Estimate returns the estimated runtime of job j, in seconds. For a moldable job that started on
// more or fewer processors than it requested, this is the runtime on the processors that it got.
func (l *Log) Estimate(j job.Index) job.Time {
	q := &l.Jobs[j]
	if s, procs := q.Speedup(), int(l.Layout(j).Procs); s != nil && l.HasSlots(j) && procs != q.Procs {
		return s.Seconds(procs)
	}
	return q.Estimate
}

// Runtime returns the runtime of job j, in seconds, without slowdown by other jobs. For a moldable
// job that has started, this is the runtime on the processors that it got.
func (l *Log) Runtime(j job.Index) job.Time {
	q, procs := &l.Jobs[j], int(l.Layout(j).Procs)
	if s := q.Speedup(); s != nil && procs > 0 && l.HasSlots(j) {
		return s.Seconds(procs)
	}
	return q.Runtime
}

// Len returns the number of records.
func (l *Log) Len() int {
	if len(l.chunks) == 0 {
		return 0
	}
	return (len(l.chunks)-1)*chunkLen + l.used
}

// Record returns record i, 0 <= i < Len.
func (l *Log) Record(i int) *Record { return &l.chunks[i/chunkLen][i%chunkLen] }

// All yields the records in order.
func (l *Log) All() iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		for n, c := range l.chunks {
			if n == len(l.chunks)-1 {
				c = c[:l.used]
			}
			for i := range c {
				if !yield(&c[i]) {
					return
				}
			}
		}
	}
}

// Fork returns an independent copy of l with the same records. The workload of the copy has only
// the first n jobs of l.Jobs. No record may refer to a job that is left out.
func (l *Log) Fork(n int) *Log {
	f := *l
	f.Jobs = l.Jobs[:n]
	f.unused = 0 // l keeps the unused part of the last chunk of ranges
	f.ranges = slices.Clone(l.ranges)
	f.chunks = slices.Clone(l.chunks)
	if chunks := len(f.chunks); chunks > 0 {
		f.last = make([]Record, len(l.last))
		copy(f.last, l.last[:l.used])
		f.chunks[chunks-1] = f.last
	}
	f.places = slices.Clone(l.places[:min(n, len(l.places))])
	f.outageSlots = slices.Clone(l.outageSlots)
	f.texts = texts{list: slices.Clone(l.texts.list)}
	f.layouts = slices.Clone(l.layouts[:min(n, len(l.layouts))])
	return &f
}

// Span is an interval [From,To) in which a job runs without interruption.
type Span struct {
	Job      job.Index
	From, To job.Time
}

// Outcome holds the key times of a job. A time is job.Never until it is known.
type Outcome struct {
	Start    job.Time
	Finish   job.Time
	Promised job.Time // latest start according to the first promise; job.Never if there was no promise
}

// Outcomes returns the outcome of every job, by index.
func (l *Log) Outcomes() []Outcome {
	out := make([]Outcome, len(l.Jobs))
	for i := range out {
		out[i] = Outcome{job.Never, job.Never, job.Never}
	}
	for r := range l.All() {
		if r.Job == job.None {
			continue
		}
		switch o := &out[r.Job]; r.Kind {
		case Start:
			o.Start = r.At
		case Finish:
			o.Finish = r.At
		case Promise:
			if o.Promised == job.Never {
				o.Promised = r.X
			}
		}
	}
	return out
}

// Spans returns the intervals in which jobs ran, sorted by start. A job that still runs at
// the end of the log has To = job.Never.
func (l *Log) Spans() []Span {
	spans := make([]Span, 0, len(l.Jobs))
	open := make([]int32, len(l.Jobs)) // index of the job's open span + 1
	for r := range l.All() {
		switch r.Kind {
		case Start, Resume:
			spans = append(spans, Span{r.Job, r.At, job.Never})
			open[r.Job] = int32(len(spans))
		case Finish, Suspend:
			spans[open[r.Job]-1].To = r.At
			open[r.Job] = 0
		}
	}
	return spans
}

// views holds the names of the virtual machines, by number. Each virtual machine runs one
// type of job in its own time slices.
var views = [...]string{1: "short", 2: "medium", 3: "long"}

// ViewName returns the name of a virtual machine, or "view" and its number if it has no name.
func ViewName(number uint8) string {
	if number > 0 && int(number) < len(views) {
		return views[number]
	}
	return "view " + strconv.Itoa(int(number))
}
