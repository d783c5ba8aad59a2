package slowdown

import (
	"math"

	"backfill-lab/core/speed"
)

// SelfLimits limits how many processes of one job a scheduler places on a node. Processes on the
// same node slow each other down. Each field is the highest accepted slowdown factor, at least 1.
type SelfLimits struct {
	Four float64 // limit for four processes per node; MAX_SL in Zeng 2009
	Two  float64 // limit for two processes per node; SELF_SL_2 in Zeng 2009
}

// ThesisLimits holds the limits of Zeng 2009, section 5.1.
var ThesisLimits = SelfLimits{Four: 1.25, Two: 1.12}

// ProcsPerNode returns PPN, the number of processes per node of a job that runs alone on its nodes
// (Zeng 2009, formula 11). Each node has the given number of cores. A job above the limit for two
// processes may still be within the limit for four.
func (l *SelfLimits) ProcsPerNode(procs int, nos, crs float64, cores int) int {
	switch {
	case procs > 1 && cores >= 4 && speed.ProcessSlowdown(nos, crs, 4) <= l.Four:
		return 4
	case procs > 1 && cores >= 2 && speed.ProcessSlowdown(nos, crs, 2) <= l.Two:
		return 2
	}
	return 1
}

// GrownSize returns the size of a job of procs processes after its workload moves from single-core
// to multi-core nodes. Zeng 2009, formula 7, computes this size as procs*PPN, divided by the
// slowdown of the job by its own processes. PPN is the result of ProcsPerNode. If procs is a power
// of two, the size is rounded to the nearest power of two on the logarithmic scale. So the fraction
// of powers of two among the sizes does not change. The size is at most nodes*PPN, because a larger
// job could never start.
func GrownSize(procs int, nos, crs float64, nodes, cores int) int {
	perNode := ThesisLimits.ProcsPerNode(procs, nos, crs, cores)
	if perNode == 1 {
		return min(procs, nodes)
	}
	size := float64(procs*perNode) / speed.ProcessSlowdown(nos, crs, perNode)
	n := int(math.Round(size))
	if procs&(procs-1) == 0 {
		n = powerOfTwo(size)
	}
	return min(n, nodes*perNode)
}

// powerOfTwo returns the power of two that is nearest to x on the logarithmic scale. The argument x
// must be at least 1. The midpoint between n and 2n is the square root of 2*n*n.
func powerOfTwo(x float64) int {
	n := 1
	for float64(x*x) >= float64(2*n*n) {
		n *= 2
	}
	return n
}
