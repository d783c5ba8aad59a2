package refute

import (
	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/small"
)

// Features selects what random workloads may contain besides rigid jobs on a machine with
// single-processor nodes.
type Features struct {
	Resources bool // extra resources
	Outages   bool // outages of the machine
	Moldable  bool // moldable jobs, with tables of runtimes
}

// units lists factors by which the times of a workload are multiplied. Each workload uses one of
// the factors. Some policies treat jobs differently only if the jobs run for minutes or hours.
// Counterexamples for these policies need large factors.
var units = []job.Time{1, 1, 1, 1, 60, 600}

// draw returns random workload number i of the given seed. The workload has at most maxProcs
// processors and between minJobs and maxJobs jobs.
func (f Features) draw(seed uint32, i uint64, maxProcs, minJobs, maxJobs int) *workload {
	source := draw.Stream(seed, i)
	number := func(low, high int64, _ string) int64 { return low + int64(source.IntN(int(high-low+1))) }
	w := &workload{}
	w.machine, w.jobs = small.Draw(number, int64(maxProcs), number(int64(minJobs), int64(maxJobs), "jobs"))
	if f.Resources {
		small.AddResources(&w.machine, w.jobs, int(number(1, 2, "resources")), number)
	}
	if procs := w.machine.Slots(); f.Moldable {
		small.MakeMoldable(w.jobs, procs, number, func(work job.Time) *job.Speedup { return small.Table(work, procs, number) })
	}
	w.jobs = small.Scaled(w.jobs, units[number(0, int64(len(units)-1), "unit")])
	if f.Outages {
		small.AddOutages(&w.machine, number)
	}
	return w
}
