// Package job defines a job of a workload: what it requests, how long it runs, and
// the rules that make it valid. It knows nothing of machines, file formats or policies.
package job

import (
	"math"
)

// Time is an instant or a duration in whole seconds. Intervals are half open,
// [a,b): a job that runs in [s,s+p) frees its processors at s+p, and another
// job may start at exactly s+p.
type Time = int64

// Never is later than every other time. It stands for an event that has not happened.
const Never Time = 1<<63 - 1

// Seconds rounds a computed duration up to whole seconds, and returns at least 1.
// The epsilon keeps floating-point noise from rounding 3000*1.1 up to 3301.
func Seconds(x float64) Time { return max(1, Time(math.Ceil(x-1e-6))) }

// Index is a job's position in its workload. Jobs are sorted by submit time, and jobs
// with equal times keep their input order. The smaller index wins every tie.
type Index = int32

// None is the index that stands for "no job".
const None Index = -1

// Request holds what a job asks for, which is all that a scheduling policy may see.
type Request struct {
	Submit   Time // time of submission, >= 0
	Estimate Time // upper bound on the runtime given by the user, >= 1
	Procs    int  // processes, >= 1; one processor each, unless the allocation puts several on a node
	More     *More
}

// More holds the parts of a request that few workloads have.
type More struct {
	Extra   []int64  // amounts of the machine's extra resources, in the machine's order
	Speedup *Speedup // speedup curve; nil for a rigid job
	User    string
	Class   string  // application class
	SLnos   float64 // slowdown with two processes per node, up to MaxSlowdown; 0 if not given
	SLcrs   float64 // further slowdown with four processes per node, up to MaxSlowdown; 0 if not given
}

// TextField describes a text field of a request. Scenario files, tables, logs and the page
// all use the same field name.
type TextField struct {
	Name string
	Of   func(*More) *string
}

// TextFields lists the text fields of a request, in the order of a table's columns.
var TextFields = []TextField{
	{"user", func(m *More) *string { return &m.User }},
	{"class", func(m *More) *string { return &m.Class }},
}

// TextFieldNamed returns the text field called name, or nil if there is none.
func TextFieldNamed(name string) *TextField {
	for i := range TextFields {
		if TextFields[i].Name == name {
			return &TextFields[i]
		}
	}
	return nil
}

// HasTextFields reports whether any text field of m is set.
func (m *More) HasTextFields() bool {
	for i := range TextFields {
		if *TextFields[i].Of(m) != "" {
			return true
		}
	}
	return false
}

// Job is a request together with its ID and its actual runtime, which policies must not see.
type Job struct {
	Request
	ID      string
	Runtime Time // actual runtime, 1 <= Runtime <= Estimate
	Killed  bool // the job was killed when it reached its estimate (overrun=kill)
}

// Extra returns how much of extra resource k the job asks for.
func (r *Request) Extra(k int) int64 {
	if r.More == nil || k >= len(r.More.Extra) {
		return 0
	}
	return r.More.Extra[k]
}

// Speedup returns the speedup curve of a moldable job, or nil for a rigid job.
func (r *Request) Speedup() *Speedup {
	if r.More == nil {
		return nil
	}
	return r.More.Speedup
}

// Demand holds an amount of every resource of a machine. It describes what a running job
// occupies.
type Demand struct {
	Procs int     // processors, at least 1 for a job
	Extra []int64 // amounts of the extra resources, in the machine's order; missing entries count as 0
}

// Demand returns what the job occupies when it runs with the processors it requested.
func (r *Request) Demand() Demand {
	if r.More == nil {
		return Demand{Procs: r.Procs}
	}
	return Demand{r.Procs, r.More.Extra}
}

// Amount returns the amount of extra resource k.
func (n *Demand) Amount(k int) int64 {
	if k >= len(n.Extra) {
		return 0
	}
	return n.Extra[k]
}

// Covers reports whether n has at least as much as o of every resource.
func (n *Demand) Covers(o *Demand) bool {
	return n.Procs >= o.Procs && (o.Extra == nil || n.coversExtra(o))
}

func (n *Demand) coversExtra(o *Demand) bool {
	for k, amount := range o.Extra {
		if n.Amount(k) < amount {
			return false
		}
	}
	return true
}
