// Package job holds what a job is: what it asks for, what it really needs and
// what makes it valid. It knows no machine, no file format and no policy.
package job

import "math"

// Time is a moment or a duration in whole seconds. Intervals are half open,
// [a,b): a job that runs in [s,s+p) frees its processors at s+p, and another
// may start at exactly s+p.
type Time = int64

// Never is a moment after every other one.
const Never Time = 1<<63 - 1

// Seconds returns a duration that comes from a formula as time passes: rounded up to
// whole seconds, at least 1. The epsilon keeps 3000*1.1 at 3300.
func Seconds(x float64) Time { return max(1, Time(math.Ceil(x-1e-6))) }

// Index is a job's place in its workload: jobs are sorted by submit time,
// equal times in the order of the input, so a smaller index is the earlier
// job and breaks every tie.
type Index = int32

// None is the index of no job.
const None Index = -1

// Request is what a job asks for: all that a scheduling policy may know.
type Request struct {
	Submit   Time // moment of submission, >= 0
	Estimate Time // upper bound on the runtime given by the user, >= 1
	Procs    int  // processes, one processor each unless an allocation packs them, >= 1
	More     *More
}

// More holds the parts of a request that few workloads have.
type More struct {
	Extra   []int64  // amount of each extra resource of the machine, in its order
	Speedup *Speedup // how the runtime depends on the processors; nil for a rigid job
	User    string
	Class   string  // application class
	SLnos   float64 // slowdown of two processes per node, up to MaxSlowdown, 0 when not given
	SLcrs   float64 // further slowdown of four processes per node, as that
}

// Word is a part of a request that is a name. Scenario files, tables, logs and the page
// hold it under its own name.
type Word struct {
	Name string
	Of   func(*More) *string
}

// Words are the parts of a request that are names, in the order of a table's columns.
var Words = []Word{
	{"user", func(m *More) *string { return &m.User }},
	{"class", func(m *More) *string { return &m.Class }},
}

// WordNamed returns the word of a name, nil if there is none.
func WordNamed(name string) *Word {
	for i := range Words {
		if Words[i].Name == name {
			return &Words[i]
		}
	}
	return nil
}

// HasWords reports whether m has a name in any of Words.
func (m *More) HasWords() bool {
	for i := range Words {
		if *Words[i].Of(m) != "" {
			return true
		}
	}
	return false
}

// Job is a request together with what only the machine finds out.
type Job struct {
	Request
	ID      string
	Runtime Time // actual runtime, 1 <= Runtime <= Estimate
	Killed  bool // the job was cut at its estimate (overrun=kill)
}

// Extra returns the amount of extra resource k that the job asks for.
func (r *Request) Extra(k int) int64 {
	if r.More == nil || k >= len(r.More.Extra) {
		return 0
	}
	return r.More.Extra[k]
}

// Speedup returns the speedup curve of a moldable job, nil for a rigid one.
func (r *Request) Speedup() *Speedup {
	if r.More == nil {
		return nil
	}
	return r.More.Speedup
}
