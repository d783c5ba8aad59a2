package slowdown

import (
	"math"

	"backfill-lab/core/policy/glomarc/gain"
)

// Grown returns the size of a job that is to fill nodes of several cores as it filled
// those of one: S*PPN divided by its own slowdown there, formula 7, where PPN is
// the processes per node that formula 11 gives it. A power of two becomes the
// nearest one, by the logarithm, so that there are as many of them as before. It
// is at most what so many nodes hold at that PPN, as more could never start.
func Grown(procs int, nos, crs float64, nodes, cores int) int {
	j := gain.Job{Procs: procs, Nos: nos, Crs: crs}
	j.PerNode = gain.Paper.PerNode(j, cores)
	if j.PerNode == 1 {
		return min(procs, nodes)
	}
	// Self of a job of few processes is that of fewer on a node; the formula is about PPN.
	j.Procs = max(procs, j.PerNode)
	size := float64(procs*j.PerNode) / j.Self()
	n := int(math.Round(size))
	if procs&(procs-1) == 0 {
		n = powerOfTwo(size)
	}
	return min(n, nodes*j.PerNode)
}

// powerOfTwo returns the power of two nearest to x >= 1 on the scale of logarithms: x*x
// tells on which side of the middle x is.
func powerOfTwo(x float64) int {
	n := 1
	for float64(x*x) >= float64(2*n*n) {
		n *= 2
	}
	return n
}
