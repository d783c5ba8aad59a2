// Package gain implements the formulas of group matchmaking (Zeng 2009, chapter 4): how many
// processes of a job to place on a node, how much the jobs of a group slow each other down, and the
// utilization gain of a group. It does not depend on the engine, so that log readers can use it
// too.
package gain

import (
	"backfill-lab/core/job"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/speed"
)

// Job holds the properties of a job that the formulas need.
type Job struct {
	Procs    int     // processes, S
	PerNode  int     // PPN, processes on each of its nodes
	Nos, Crs float64 // SL_nos and SL_crs, slowdowns by its own processes; 0 means unknown and counts as 1
	Left     float64 // T, work left: seconds that the job needs alone with one process on each node
}

// NewJob returns a job that has not started, with one process on each node. Its work left is its
// estimate.
func NewJob(q *job.Request) Job {
	j := Job{Procs: q.Procs, PerNode: 1, Left: float64(q.Estimate)}
	if q.More != nil {
		j.Nos, j.Crs = q.More.SLnos, q.More.SLcrs
	}
	return j
}

// WithPerNode returns the job with perNode processes on each node.
func (j Job) WithPerNode(perNode int) Job {
	j.PerNode = perNode
	return j
}

// Nodes returns the number of nodes that the job needs.
func (j *Job) Nodes() int { return (j.Procs + j.PerNode - 1) / j.PerNode }

// usedPerNode returns the number of processes that the job actually runs on a node. It is less than
// PPN only if the job has fewer processes than PPN.
func (j *Job) usedPerNode() int { return min(j.PerNode, j.Procs) }

// OwnSlowdown returns the slowdown of the job by its own processes: 1 with PPN 1, SL_nos with
// PPN 2, SL_nos*SL_crs with PPN 4 (Zeng 2009, section 4.2).
func (j *Job) OwnSlowdown() float64 { return speed.ProcessSlowdown(j.Nos, j.Crs, j.usedPerNode()) }

// OwnGain returns the utilization gain of the job alone on its nodes, compared with one process on
// each node.
func (j *Job) OwnGain() float64 { return float64(j.usedPerNode())/j.OwnSlowdown() - 1 }

// Limits holds the largest slowdowns that a scheduler accepts, and the longest time that a matched job
// may run after the primary has ended.
type Limits struct {
	MaxSlowdown     float64 // MAX_SL, for any job in a group, and for a job alone with four processes on a node
	MaxSelfSlowdown float64 // SELF_SL_2, for a job with two of its processes on a node
	MaxLonger       float64 // MAX_MATCHED_LONGER_PRIM: seconds that a matched job may run after the primary
}

// ThesisLimits holds the limits of Zeng 2009, section 5.1.
var ThesisLimits = Limits{MaxSlowdown: slowdown.ThesisLimits.Four, MaxSelfSlowdown: slowdown.ThesisLimits.Two, MaxLonger: 3000}

// PerNode returns the number of processes per node (PPN) of a job that runs alone on its nodes
// (Zeng 2009, formula 11). Each node has the given number of cores.
func (l *Limits) PerNode(j Job, cores int) int {
	self := slowdown.SelfLimits{Four: l.MaxSlowdown, Two: l.MaxSelfSlowdown}
	return self.ProcsPerNode(j.Procs, j.Nos, j.Crs, cores)
}

// PerNodeInGroup returns the processes per node of a job in a group, one or two. It applies formula
// 11 to nodes of two cores, since each job gets half of a node, which has four cores in the thesis.
func (l *Limits) PerNodeInGroup(j Job) int { return l.PerNode(j, 2) }

// ToleratesTwoProcesses reports whether a job is slowed down by at most l.MaxSlowdown with two of
// its processes on a node. Such a job may start with two processes per node if it does not fit with
// one.
func (l *Limits) ToleratesTwoProcesses(j Job, cores int) bool {
	return j.Procs > 1 && cores >= 2 && speed.ProcessSlowdown(j.Nos, j.Crs, 2) <= l.MaxSlowdown
}
