// Package log holds the append-only record of a simulation: what happened, in
// order, and why. Everything a person sees is a pure function of a log. It
// decides nothing and draws nothing; package sim is its only writer.
package log

import (
	"iter"

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

// Reason is the reason that a Start or Hold record carries.
func (r *Record) Reason() Reason { return Reason{r.Code, r.Other, r.X, r.Y} }

const chunkLen = 4096

// Log is the record of one run over Jobs on Machine.
type Log struct {
	Machine cluster.Machine
	Jobs    []job.Job
	Level   Level

	chunks [][]Record
	allocs []cluster.Set // by job; empty before it starts
	widths []Width       // by job; nil while all jobs run as requested
	arena  []cluster.Range
}

// Width is how a job is laid out when that differs from its request.
type Width struct {
	Procs   int32 // processes
	PerNode int32 // processes per node, 0 when not arranged by node
}

// New returns an empty log.
func New(m cluster.Machine, jobs []job.Job, level Level) *Log {
	return &Log{Machine: m, Jobs: jobs, Level: level, allocs: make([]cluster.Set, len(jobs))}
}

// Add appends a record unless the log's level leaves its kind out.
func (l *Log) Add(r Record) {
	if Kinds[r.Kind].Level > l.Level {
		return
	}
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last]) == chunkLen {
		l.chunks = append(l.chunks, make([]Record, 0, chunkLen))
		last++
	}
	l.chunks[last] = append(l.chunks[last], r)
}

// Place records the slots of job j, which it keeps for life, and the width it
// runs with. It returns its own copy of the slots, which never changes.
func (l *Log) Place(j job.Index, s cluster.Set, w Width) cluster.Set {
	if cap(l.arena)-len(l.arena) < len(s) {
		l.arena = make([]cluster.Range, 0, max(chunkLen, len(s)))
	}
	at := len(l.arena)
	l.arena = append(l.arena, s...)
	l.allocs[j] = l.arena[at:len(l.arena):len(l.arena)]
	if l.widths == nil && (w.PerNode != 0 || int(w.Procs) != l.Jobs[j].Procs) {
		l.widths = make([]Width, len(l.Jobs))
	}
	if l.widths != nil {
		l.widths[j] = w
	}
	return l.allocs[j]
}

// Alloc is the slots of job j, empty if it never started.
func (l *Log) Alloc(j job.Index) cluster.Set { return l.allocs[j] }

// Width is the layout of job j.
func (l *Log) Width(j job.Index) Width {
	if l.widths != nil && l.widths[j].Procs != 0 {
		return l.widths[j]
	}
	return Width{Procs: int32(l.Jobs[j].Procs)}
}

// Len is the number of records.
func (l *Log) Len() int {
	if len(l.chunks) == 0 {
		return 0
	}
	return (len(l.chunks)-1)*chunkLen + len(l.chunks[len(l.chunks)-1])
}

// Record returns record i, 0 <= i < Len.
func (l *Log) Record(i int) *Record { return &l.chunks[i/chunkLen][i%chunkLen] }

// All yields the records in order.
func (l *Log) All() iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		for _, c := range l.chunks {
			for i := range c {
				if !yield(&c[i]) {
					return
				}
			}
		}
	}
}

// Fork returns a log that begins with the records of l and goes its own way.
func (l *Log) Fork() *Log {
	f := *l
	f.arena = nil
	f.chunks = append([][]Record(nil), l.chunks...)
	if n := len(f.chunks); n > 0 {
		f.chunks[n-1] = append(make([]Record, 0, chunkLen), f.chunks[n-1]...)
	}
	f.allocs = append([]cluster.Set(nil), l.allocs...)
	f.widths = append([]Width(nil), l.widths...)
	return &f
}
