package metrics

import (
	"cmp"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// nodes knows how many nodes are in use: those on which at least one job runs.
// It is nil where that says nothing of its own, on single-core nodes, and where
// the slots of a job are not known.
type nodes struct {
	m      *cluster.Machine
	rows   []schedule.Row
	events []nodeEvent
	jobs   []int32 // on each node
	used   int
}

// nodeEvent is a job that goes on its nodes, or leaves them.
type nodeEvent struct {
	at  job.Time
	row int32
	by  int32 // 1 or -1
}

func newNodes(rows []schedule.Row, m *cluster.Machine) *nodes {
	if m.PerNode() == 1 {
		return nil
	}
	n := &nodes{m: m, rows: rows, jobs: make([]int32, m.Nodes)}
	for i := range rows {
		for _, g := range rows[i].Segments {
			if len(rows[i].Alloc) == 0 || int(rows[i].Alloc[len(rows[i].Alloc)-1].Hi) > m.Slots() {
				return nil
			}
			n.events = append(n.events, nodeEvent{g.From, int32(i), 1}, nodeEvent{g.To, int32(i), -1})
		}
	}
	slices.SortFunc(n.events, func(a, b nodeEvent) int { return cmp.Compare(a.at, b.at) })
	return n
}

// advance brings it to the moment at and returns the nodes in use from then on.
func (n *nodes) advance(at job.Time) int {
	if n == nil {
		return 0
	}
	for ; len(n.events) > 0 && n.events[0].at <= at; n.events = n.events[1:] {
		e := n.events[0]
		for k := range n.m.NodesOf(n.rows[e.row].Alloc) {
			was := n.jobs[k] > 0
			n.jobs[k] += e.by
			if is := n.jobs[k] > 0; is && !was {
				n.used++
			} else if was && !is {
				n.used--
			}
		}
	}
	return n.used
}

// byNode is the metrics of machines with several cores on a node, where they say
// more than the utilization, which is that of the cores (Zeng 2009, 2 and 3).
var byNode = []Metric{
	{"node-utilization", "Node utilization", "", "node-seconds in use by at least one job in [from,to) / (nodes times makespan)", zeng, 0,
		func(d *data) (float64, bool) { return d.ofNodes(d.load.nodes, d.makespan()) }},
	{"high-load-node-utilization", "Node utilization in high load", "", "node-seconds in use by at least one job in phases of high load / (nodes times their length)", zeng, 0,
		func(d *data) (float64, bool) { return d.ofNodes(d.load.highNodes, d.load.high) }},
}

// ofNodes is node-seconds in use by those that the machine offers in a length of
// time.
func (d *data) ofNodes(used float64, length job.Time) (float64, bool) {
	if !d.load.byNode {
		return 0, false
	}
	return ratio(used, float64(d.m.Nodes)*float64(length))
}
