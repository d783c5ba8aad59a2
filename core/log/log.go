// Package log holds the append-only record of a simulation: what happened, in
// order, and why. Everything a person sees is a pure function of a log. It
// decides nothing and draws nothing; package sim is its only writer.
package log

import (
	"iter"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Record is one entry. The meaning of Code, Other, X and Y depends on Kind.
type Record struct {
	At, X, Y   int64
	Job, Other job.Index
	Kind       Kind
	Code       Code
	View       uint8 // number of the virtual machine, 0 = the machine itself
}

// Reason returns the reason that a Start or Hold record carries.
func (r *Record) Reason() Reason { return Reason{r.Code, r.Other, r.X, r.Y} }

const chunkLen = 4096

// place is where the slots of a job lie: a stretch of a chunk of ranges.
type place struct{ chunk, at, n int32 }

// Log is the record of one run over Jobs on Machine.
type Log struct {
	Machine cluster.Machine
	Jobs    []job.Job
	Level   Level

	// In chunks, and without a pointer a record or a job, so that the collector
	// has next to nothing to look at.
	chunks [][]Record
	used   int     // records in the last chunk
	places []place // by job; of no length before it starts
	ranges [][]cluster.Range
	room   int     // ranges free in the last chunk of ranges
	widths []Width // by job; nil while all jobs run as requested

	blocked []cluster.Set // by block of the machine: its slots, once it began
}

// Width is how a job is laid out when that differs from its request.
type Width struct {
	Procs   int32 // processes
	PerNode int32 // processes per node, 0 when not arranged by node
}

// New returns an empty log.
func New(m cluster.Machine, jobs []job.Job, level Level) *Log {
	return &Log{Machine: m, Jobs: jobs, Level: level, used: chunkLen, places: make([]place, len(jobs))}
}

// Add appends a record unless the log's level leaves its kind out.
func (l *Log) Add(r Record) {
	if Kinds[r.Kind].Level > l.Level {
		return
	}
	if l.used == chunkLen {
		l.chunks, l.used = append(l.chunks, make([]Record, chunkLen)), 0
	}
	l.chunks[len(l.chunks)-1][l.used] = r
	l.used++
}

// Place records the slots of job j, which it keeps for life, and the width it
// runs with. A log that was read may name no slots.
func (l *Log) Place(j job.Index, s cluster.Set, w Width) {
	if l.room < len(s) || len(l.ranges) == 0 {
		l.room = max(chunkLen, len(s))
		l.ranges = append(l.ranges, make([]cluster.Range, l.room))
	}
	last := len(l.ranges) - 1
	at := len(l.ranges[last]) - l.room
	copy(l.ranges[last][at:], s)
	l.room -= len(s)
	l.places[j] = place{int32(last), int32(at), int32(len(s))}
	if l.widths == nil && (w.PerNode != 0 || int(w.Procs) != l.Jobs[j].Procs) {
		l.widths = make([]Width, len(l.Jobs))
	}
	if l.widths != nil {
		l.widths[j] = w
	}
}

// Alloc returns the slots of job j, empty if it never started.
func (l *Log) Alloc(j job.Index) cluster.Set {
	p := l.places[j]
	if p.n == 0 {
		return nil
	}
	return l.ranges[p.chunk][p.at : p.at+p.n : p.at+p.n]
}

// Placed reports whether job j has slots: whether it ever started.
func (l *Log) Placed(j job.Index) bool { return l.places[j].n > 0 }

// Block records the slots of block i of the machine, which it keeps.
func (l *Log) Block(i int, s cluster.Set) {
	if l.blocked == nil {
		l.blocked = make([]cluster.Set, len(l.Machine.Blocks))
	}
	l.blocked[i] = slices.Clone(s)
}

// Blocked returns the slots of block i, empty if it never began.
func (l *Log) Blocked(i int) cluster.Set {
	if i < 0 || i >= len(l.blocked) {
		return nil
	}
	return l.blocked[i]
}

// Width returns the layout of job j.
func (l *Log) Width(j job.Index) Width {
	if l.widths != nil && l.widths[j].Procs != 0 {
		return l.widths[j]
	}
	return Width{Procs: int32(l.Jobs[j].Procs)}
}

// Estimate returns the runtime of job j by its estimate, as wide as it runs.
func (l *Log) Estimate(j job.Index) job.Time {
	q := &l.Jobs[j]
	if s, procs := q.Speedup(), int(l.Width(j).Procs); s != nil && l.Placed(j) && procs != q.Procs {
		return s.Seconds(procs)
	}
	return q.Estimate
}

// Runtime returns the runtime of job j by itself, as wide as it runs.
func (l *Log) Runtime(j job.Index) job.Time {
	q, procs := &l.Jobs[j], int(l.Width(j).Procs)
	if s := q.Speedup(); s != nil && procs > 0 && l.Placed(j) {
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

// Fork returns a log that begins with the records of l and goes its own way. It is
// for the first jobs only; l tells nothing of the others.
func (l *Log) Fork(jobs int) *Log {
	f := *l
	f.Jobs = l.Jobs[:jobs]
	f.room = 0 // the rest of the last chunk of ranges stays l's
	f.ranges = slices.Clone(l.ranges)
	f.chunks = slices.Clone(l.chunks)
	if n := len(f.chunks); n > 0 {
		f.chunks[n-1] = make([]Record, chunkLen)
		copy(f.chunks[n-1], l.chunks[n-1][:l.used])
	}
	f.places = slices.Clone(l.places[:jobs])
	f.blocked = slices.Clone(l.blocked)
	f.widths = slices.Clone(l.widths[:min(jobs, len(l.widths))])
	return &f
}
