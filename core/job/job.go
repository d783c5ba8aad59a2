// Package job defines the jobs of a workload: what a job requests, how long it runs, and which
// values are valid. It does not depend on machines, file formats or policies.
package job

import (
	"math"
)

// Time is an instant or a duration in whole seconds. Intervals are half open: a job that runs in
// [s,s+p) frees its processors at s+p, and another job may start at exactly s+p.
type Time = int64

// Never is later than every other time. It means that an event has not happened, or will not happen.
const Never Time = 1<<63 - 1

// RoundUp rounds a computed duration x up to whole seconds, at least 1. It first subtracts a small
// tolerance, because a floating-point error would otherwise round 3000*1.1 up to 3301.
func RoundUp(x float64) Time { return max(1, Time(math.Ceil(x-1e-6))) }

// Index is the position of a job in its workload. Jobs are sorted by submit time; ties keep the
// order of the input. In every tie between jobs, the lower index wins.
type Index = int32

// None is the index that means "no job".
const None Index = -1

// Request holds what a job requests. Scheduling policies see only this part of a job.
type Request struct {
	Submit   Time  // time of submission, >= 0
	Estimate Time  // upper limit of the runtime, as given by the user, >= 1
	Procs    int   // number of processes, >= 1; each occupies one slot of the machine
	More     *More // fields that few requests use; nil if this request uses none
}

// More holds the fields of a request that few workloads use.
type More struct {
	Extra   []int64  // amounts of the extra resources, in the order of the machine
	Speedup *Speedup // speedup curve; nil for a rigid job
	User    string
	Class   string  // application class
	SLnos   float64 // slowdown with two processes per node, up to MaxSlowdown; 0 if not given
	SLcrs   float64 // further slowdown with four processes per node, up to MaxSlowdown; 0 if not given
	NoLimit bool    `json:",omitempty"` // the job had no wall time limit; its estimate equals its runtime
}

// OnlyNoLimit is the value of Request.More for a job that had no wall time limit and uses none of
// the other fields of More. Many jobs share this value, so it must not be changed.
var OnlyNoLimit = &More{NoLimit: true}

// SetNoLimit records that the job had no wall time limit.
func (r *Request) SetNoLimit() {
	if r.More == nil {
		r.More = OnlyNoLimit
		return
	}
	m := *r.More
	m.NoLimit = true
	r.More = &m
}

// TextField describes a text field of a request. Its name is the same in scenario files, tables,
// logs and on the page.
type TextField struct {
	Name    string
	Pointer func(*More) *string // returns a pointer to the field
}

// TextFields lists the text fields of a request, in the order of the columns of a table.
var TextFields = []TextField{
	{"user", func(m *More) *string { return &m.User }},
	{"class", func(m *More) *string { return &m.Class }},
}

// TextFieldNamed returns the text field with the given name, or nil if there is none.
func TextFieldNamed(name string) *TextField {
	for i := range TextFields {
		if TextFields[i].Name == name {
			return &TextFields[i]
		}
	}
	return nil
}

// HasTextFields reports whether m has any text field that is not empty.
func (m *More) HasTextFields() bool {
	for i := range TextFields {
		if *TextFields[i].Pointer(m) != "" {
			return true
		}
	}
	return false
}

// Job is a request with an ID and an actual runtime. Policies may see only the request.
type Job struct {
	Request
	ID      string
	Runtime Time // actual runtime, 1 <= Runtime <= Estimate
	Killed  bool // the job was killed when it reached its estimate (overrun=kill)
}

// Extra returns how much of extra resource k the job requests.
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

// Unlimited reports whether the job had no wall time limit.
func (r *Request) Unlimited() bool { return r.More != nil && r.More.NoLimit }

// Demand holds an amount of every resource of a machine, such as the resources held by a running
// job.
type Demand struct {
	Procs int     // processors, at least 1 for a job
	Extra []int64 // amounts of the extra resources, in the order of the machine; missing entries count as 0
}

// Demand returns the resources that the job holds if it runs on the processors that it requested.
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

// Covers reports whether n is at least o for every resource.
func (n *Demand) Covers(o *Demand) bool {
	return n.Procs >= o.Procs && (o.Extra == nil || n.coversExtra(o))
}

// coversExtra reports whether n is at least o for every extra resource.
func (n *Demand) coversExtra(o *Demand) bool {
	for k, amount := range o.Extra {
		if n.Amount(k) < amount {
			return false
		}
	}
	return true
}
