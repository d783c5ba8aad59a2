// Package small generates small random workloads with many unusual events: jobs that are submitted
// or end at the same time, jobs that end early, full machines and long queues. Package refute uses
// them to search for counterexamples, and tests use them to check policies.
package small

import (
	"slices"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// NumberSource returns a random whole number from low to high, both inclusive. The given name
// labels the number, for example in the report of a failed test.
type NumberSource func(low, high int64, name string) int64

// Draw returns a random machine with 1 to maxProcs processors, and n rigid jobs in order of
// submission. In a third of the workloads, every job runs for its full estimate.
func Draw(number NumberSource, maxProcs, n int64) (cluster.Machine, []job.Job) {
	procs := number(1, maxProcs, "m")
	gap := []int64{0, 1, 3, 9}[number(0, 3, "gap")]
	longest := []int64{2, 6, 12, 30}[number(0, 3, "longest")]
	widest := number(1, procs, "widest")
	exact := number(0, 2, "exact") == 0
	now := int64(0)
	jobs := make([]job.Job, n)
	for i := range jobs {
		now += number(0, gap, "after")
		j := job.Job{ID: strconv.Itoa(i + 1)}
		j.Submit, j.Procs = now, int(number(1, widest, "q"))
		j.Estimate = number(1, longest, "e")
		j.Runtime = j.Estimate
		if !exact {
			j.Runtime = number(1, j.Estimate, "p")
		}
		jobs[i] = j
	}
	return cluster.Flat(int(procs)), jobs
}

// AddResources adds extra resources to a machine, and adds random requests for them to a random
// part of the jobs.
func AddResources(m *cluster.Machine, jobs []job.Job, resources int, number NumberSource) {
	if resources == 0 {
		return
	}
	for k := range resources {
		m.Resources = append(m.Resources, cluster.Resource{Name: "r" + strconv.Itoa(k+1), Capacity: number(0, 12, "capacity")})
	}
	for i := range jobs {
		if number(0, 3, "plain") == 0 {
			continue
		}
		var extra []int64
		for _, r := range m.Resources {
			extra = append(extra, number(0, r.Capacity, "amount"))
		}
		jobs[i].More = &job.More{Extra: extra}
	}
}

// MakeMoldable makes four fifths of the jobs moldable. These jobs request one processor, and run
// for their full estimates. It calls speedupOf for the speedup of a job with a given runtime on one
// processor.
func MakeMoldable(jobs []job.Job, procs int, number NumberSource, speedupOf func(work job.Time) *job.Speedup) {
	for i := range jobs {
		if j := &jobs[i]; number(0, 4, "moldable") > 0 {
			s := speedupOf(j.Estimate * number(1, int64(procs), "work"))
			if j.More == nil {
				j.More = &job.More{}
			}
			j.More.Speedup, j.Procs = s, 1
			j.Estimate = s.Seconds(1)
			j.Runtime = j.Estimate
		}
	}
}

// Table returns a random speedup, as a table of runtimes on up to procs+1 processors. In two thirds
// of the tables, an additional processor never saves more time than the previous one. In all tables, an
// additional processor may make the job slower.
func Table(work job.Time, procs int, number NumberSource) *job.Speedup {
	gains := make([]job.Time, number(0, int64(procs), "sizes"))
	for i := range gains {
		gains[i] = number(0, work/2, "gain") - work/8
	}
	if number(0, 2, "concave") > 0 {
		slices.Sort(gains)
		slices.Reverse(gains)
	}
	table := []job.Time{work}
	for i, g := range gains {
		table = append(table, max(1, table[i]-g))
	}
	return &job.Speedup{Table: table}
}

// AddOutages adds 1 to 4 random outages, which can overlap. It leaves out an outage that would make
// the machine invalid.
func AddOutages(m *cluster.Machine, number NumberSource) {
	for range number(1, 4, "outages") {
		from := number(0, 60, "from")
		b := cluster.Outage{From: from, To: from + number(1, 20, "length"), Procs: int(number(1, int64(m.Slots()), "procs"))}
		with := append(slices.Clip(m.Outages), b)
		if next := (cluster.Machine{Nodes: m.Nodes, Processors: 1, Cores: 1, Outages: with}); next.Validate() == nil {
			m.Outages = with
		}
	}
}

// Scaled returns a copy of the jobs in which all times are multiplied by factor.
func Scaled(jobs []job.Job, factor job.Time) []job.Job {
	out := append([]job.Job(nil), jobs...)
	for i := range out {
		j := &out[i]
		j.Submit *= factor
		j.Estimate *= factor
		j.Runtime *= factor
		if s := j.Speedup(); s != nil {
			j.More = &job.More{Extra: j.More.Extra, Speedup: scaled(*s, factor)}
		}
	}
	return out
}

// scaled returns a copy of a speedup in which all times are multiplied by factor.
func scaled(s job.Speedup, factor job.Time) *job.Speedup {
	s.L *= float64(factor)
	s.Table = slices.Clone(s.Table)
	for i := range s.Table {
		s.Table[i] *= factor
	}
	return &s
}
