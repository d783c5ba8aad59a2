package metrics

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// nodes counts the jobs on each node.
type nodes struct {
	m    *cluster.Machine
	jobs []int32
}

// newNodes returns nil where nodes say nothing of their own, as on single-core ones,
// and where the slots of a job are not known.
func newNodes(rows []schedule.Row, m *cluster.Machine) *nodes {
	if m.PerNode() == 1 {
		return nil
	}
	for i := range rows {
		if a := rows[i].Alloc; len(rows[i].Segments) > 0 && (len(a) == 0 || int(a[len(a)-1].Hi) > m.Slots()) {
			return nil
		}
	}
	return &nodes{m, make([]int32, m.Nodes)}
}

// change lets a job go on its nodes, by 1, or leave them, by -1, and returns how
// many nodes more are in use.
func (n *nodes) change(r *schedule.Row, by int32) (used int) {
	if n == nil {
		return 0
	}
	for k := range n.m.NodesOf(r.Alloc) {
		was := n.jobs[k]
		n.jobs[k] += by
		switch {
		case was == 0:
			used++
		case n.jobs[k] == 0:
			used--
		}
	}
	return used
}

// ByNode is the metrics that follow those of Table on machines with several cores on a node, where they say
// more than the utilization, which is that of the cores (Zeng 2009, 2 and 3).
var ByNode = []Metric{
	{"node-utilization", "Node utilization", "", "node-seconds in use by at least one job in [from,to) / (nodes times makespan)", zeng, 0,
		func(d *data) (float64, bool) { return d.ofNodes(d.load.nodes, d.makespan()) }},
	{"high-load-node-utilization", "Node utilization in high load", "", "node-seconds in use by at least one job in phases of high load / (nodes times their length)", zeng, 0,
		func(d *data) (float64, bool) { return d.ofNodes(d.load.highNodes, d.load.high) }},
	{"groups", "Groups", "", "groups of jobs that share nodes", zeng, 0,
		func(d *data) (float64, bool) { return float64(d.groups), d.groups > 0 }},
	{"jobs-per-group", "Jobs in a group", "", "jobs in groups, the primary ones included / groups", zeng, 0,
		func(d *data) (float64, bool) { return ratio(float64(d.members), float64(d.groups)) }},
	{"grouped-jobs", "Share of jobs in groups", "", "medium and long jobs that were in a group / medium and long jobs", zeng, 0,
		func(d *data) (float64, bool) { return d.grouped() }},
}

// grouped returns the share of the jobs that could be in a group, which short ones
// cannot, that ever were.
func (d *data) grouped() (float64, bool) {
	if d.groups == 0 {
		return 0, false
	}
	in, all := 0.0, 0.0
	for _, r := range d.jobs {
		if d.o.class(r.Estimate) != short {
			all++
			if r.Grouped {
				in++
			}
		}
	}
	return ratio(in, all)
}

// ofNodes returns node-seconds in use by those that the machine offers in a length of
// time.
func (d *data) ofNodes(used float64, length job.Time) (float64, bool) {
	if !d.load.byNode {
		return 0, false
	}
	return ratio(used, float64(d.m.Nodes)*float64(length))
}
