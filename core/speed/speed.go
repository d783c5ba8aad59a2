// Package speed computes the rate of progress of a running job, in seconds of work per second. The
// work of a rigid job is its runtime with one process per node and without other jobs on its nodes.
// The work of a moldable job is its runtime on one processor. The engine integrates the rates over
// time.
package speed

import "backfill-lab/core/job"

// Job describes a running or hypothetical job for a model.
type Job struct {
	Index   job.Index
	Request *job.Request
	Procs   int // number of processes
	PerNode int // processes per node; 0 if the job is not placed by node
}

// Model computes the rates of running jobs. The engine and the policies share one model, so Rate
// must be a pure function.
type Model interface {
	// Rate returns the rate of j while it shares nodes with the given co-scheduled jobs.
	// The rate is greater than 0.
	Rate(j Job, coscheduled []Job) float64
	// Shared reports whether other jobs on the same nodes affect the rate. If it returns false, the
	// engine calls Rate without co-scheduled jobs.
	Shared() bool
}

// Rigid is the model without contention. A rigid job has rate 1. The rate of a moldable job is its
// speedup.
type Rigid struct{}

func (Rigid) Shared() bool { return false }

func (Rigid) Rate(j Job, _ []Job) float64 {
	if s := j.Request.Speedup(); s != nil {
		return s.At(j.Procs)
	}
	return 1
}

// Contention is the model of shared nodes of Zeng 2009, section 4.2. A job is slowed down by its
// own processes on a node, and by the co-scheduled job that slows it down most. The speedup of a
// moldable job also applies.
type Contention struct {
	// Cos returns the slowdown of job i when co-scheduled with job j, at least 0.9.
	Cos func(i, j job.Index) float64
}

func (Contention) Shared() bool { return true }

func (c Contention) Rate(j Job, coscheduled []Job) float64 {
	worst := 0.0
	for _, other := range coscheduled {
		worst = max(worst, c.Cos(j.Index, other.Index))
	}
	slowdown := SelfSlowdown(j)
	if worst > 0 {
		slowdown = float64(worst * slowdown)
	}
	return Rigid{}.Rate(j, nil) / slowdown
}

// SelfSlowdown returns the factor by which the processes of job j on the same node slow each other
// down.
func SelfSlowdown(j Job) float64 {
	if j.Request.More == nil {
		return 1
	}
	return ProcessSlowdown(j.Request.More.SLnos, j.Request.More.SLcrs, j.PerNode)
}

// ProcessSlowdown returns the slowdown of a job by its own processes, with perNode of them on each node
// (Zeng 2009, section 4.2). With two per node, the slowdown is nos. With more, processes also share
// processors, and the slowdown is nos times crs. A nos or crs of 0 means unknown and counts as 1.
func ProcessSlowdown(nos, crs float64, perNode int) float64 {
	slowdown := 1.0
	if perNode > 1 && nos > 0 {
		slowdown = nos
	}
	if perNode > 2 && crs > 0 {
		slowdown = float64(slowdown * crs)
	}
	return slowdown
}

// Seconds returns the time that the given work takes at the given rate, rounded up to whole
// seconds. It is at least 1.
func Seconds(work, rate float64) job.Time { return job.RoundUp(work / rate) }
