// Package speed says how fast a running job makes progress: work done per
// second, where the work of a job is its runtime alone on one processor per
// process. It keeps no state and no time: the engine integrates progress.
package speed

import "backfill-lab/core/job"

// Job is a running (or imagined) job as a model sees it.
type Job struct {
	Index   job.Index
	Request *job.Request
	Procs   int // processes it runs with
	PerNode int // processes on each of its nodes, 0 when not arranged by node
}

// Model is the physics of running jobs. Rate must be a pure function: the
// engine and the policies that plan with it share it.
type Model interface {
	// Rate is the work that j does in a second beside the given neighbours,
	// each of which has a node in common with it. It is greater than 0.
	Rate(j Job, beside []Job) float64
	// Shared reports whether neighbours matter; if not, beside stays empty.
	Shared() bool
}

// Rigid is the model in which every job does one second of work a second, and
// a moldable job does as much as its speedup says.
type Rigid struct{}

func (Rigid) Shared() bool { return false }

func (Rigid) Rate(j Job, _ []Job) float64 {
	if s := j.Request.Speedup(); s != nil {
		return s.At(j.Procs)
	}
	return 1
}

// Contention is the model of nodes that two jobs share (Zeng 2009, section
// 4.2): a job is slowed down by its own processes on a node and by the worst
// of its neighbours. A moldable job keeps its speedup otherwise.
type Contention struct {
	// Cos is the slowdown of job i next to job j, at least 0.9.
	Cos func(i, j job.Index) float64
}

func (Contention) Shared() bool { return true }

func (c Contention) Rate(j Job, beside []Job) float64 {
	worst := 0.0
	for _, n := range beside {
		worst = max(worst, c.Cos(j.Index, n.Index))
	}
	slow := Self(j)
	if worst > 0 {
		slow = float64(worst * slow)
	}
	return Rigid{}.Rate(j, nil) / slow
}

// Self returns the slowdown of a job that runs alone by its own processes per node.
func Self(j Job) float64 {
	if j.Request.More == nil {
		return 1
	}
	return Own(j.Request.More.SLnos, j.Request.More.SLcrs, j.PerNode)
}

// Own returns the slowdown of a job with so many processes on each node by these: SL_nos
// where several share the node, and beyond that SL_crs where they share its
// processors (Zeng 2009, section 4.2). A slowdown of 0 is not given and slows
// nothing down.
func Own(nos, crs float64, perNode int) float64 {
	slow := 1.0
	if perNode > 1 && nos > 0 {
		slow = nos
	}
	if perNode > 2 && crs > 0 {
		slow = float64(slow * crs)
	}
	return slow
}

// Seconds returns the time that work takes at rate, in whole seconds.
func Seconds(work, rate float64) job.Time { return job.Seconds(work / rate) }
