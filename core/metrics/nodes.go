package metrics

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// nodeCounts counts the jobs on each node.
type nodeCounts struct {
	m    *cluster.Machine
	jobs []int32 // jobs[k] is the number of jobs on node k
}

// newNodeCounts returns counts that are all zero. It returns nil if nodes have a single core, or if
// the slots of a job that ran are unknown or do not exist on the machine.
func newNodeCounts(rows []schedule.Row, m *cluster.Machine) *nodeCounts {
	if m.SlotsPerNode() == 1 {
		return nil
	}
	for i := range rows {
		if a := rows[i].Alloc; len(rows[i].Segments) > 0 && (len(a) == 0 || int(a[len(a)-1].Hi) > m.Slots()) {
			return nil
		}
	}
	return &nodeCounts{m, make([]int32, m.Nodes)}
}

// update adds delta to the count of each node that the job uses: 1 when the job starts or resumes,
// -1 when it stops. It returns by how much the number of nodes in use changes. If n is nil, it
// returns 0.
func (n *nodeCounts) update(r *schedule.Row, delta int32) (change int) {
	if n == nil {
		return 0
	}
	for k := range n.m.NodesOf(r.Alloc) {
		was := n.jobs[k]
		n.jobs[k] += delta
		switch {
		case was == 0:
			change++
		case n.jobs[k] == 0:
			change--
		}
	}
	return change
}

// NodeTable lists the metrics about nodes (Zeng 2009, sections 2 and 3). Compute appends them to
// the metrics in Table if nodes have several cores.
var NodeTable = []Metric{
	{"node-utilization", "Node utilization", "", "Share of the nodes on which some job runs, on average.",
		"node-seconds in use by at least one job in [from,to) / (nodes times makespan)", zeng, 0,
		func(d *inputs) (float64, bool) { return d.nodeShare(d.load.nodeSeconds, d.makespan()) }},
	{"high-load-node-utilization", "Node utilization in high load", "", "Share of the nodes on which some job runs while many jobs wait.",
		"node-seconds in use by at least one job in phases of high load / (nodes times the length of these phases)", zeng, 0,
		func(d *inputs) (float64, bool) { return d.nodeShare(d.load.highNodeSeconds, d.load.highLength) }},
	{"groups", "Groups", "", "Number of groups of jobs that shared nodes.",
		"groups of jobs that share nodes", zeng, 0,
		func(d *inputs) (float64, bool) { return float64(d.groups), d.groups > 0 }},
	{"jobs-per-group", "Jobs in a group", "", "How many jobs share nodes in a group, on average.",
		"jobs in groups, including primaries / groups", zeng, 0,
		func(d *inputs) (float64, bool) { return ratio(float64(d.members), float64(d.groups)) }},
	{"grouped-jobs", "Share of jobs in groups", "", "Share of the medium and long jobs that were ever in a group.",
		"medium and long jobs that were in a group / medium and long jobs", zeng, 0,
		func(d *inputs) (float64, bool) { return d.groupedShare() }},
}

// groupedShare returns the fraction of medium and long jobs that were in a group at some time.
// Short jobs cannot join a group.
func (d *inputs) groupedShare() (float64, bool) {
	if d.groups == 0 {
		return 0, false
	}
	grouped, all := 0.0, 0.0
	for _, r := range d.jobs {
		if d.o.class(r.Estimate) != short {
			all++
			if r.Grouped {
				grouped++
			}
		}
	}
	return ratio(grouped, all)
}

// nodeShare divides nodeSeconds by the node-seconds that the machine offers in a period of the
// given length, in seconds.
func (d *inputs) nodeShare(nodeSeconds float64, length job.Time) (float64, bool) {
	if !d.load.byNode {
		return 0, false
	}
	return ratio(nodeSeconds, float64(d.m.Nodes)*float64(length))
}
