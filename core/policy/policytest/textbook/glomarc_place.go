package textbook

import "slices"

// freeNodes returns the nodes on which jobs of type c (virtual machine c, see slicedSim) may start, in
// ascending order. No job runs on these nodes, and no preempted job of type c is bound to them.
func (m *sharedSim) freeNodes(c int) (out []int) {
	for n := range m.machine.Nodes {
		used := false
		for j, x := range m.started {
			used = used || m.active(j) && (m.runs(j) || m.belongsTo(c, j)) && slices.Contains(x.nodes, n)
		}
		if !used {
			out = append(out, n)
		}
	}
	return out
}

// placement returns the nodes of each job that starts with option x. Matched jobs are placed on the
// nodes of the primary and then on free nodes. The job with the fewest nodes is placed first. In
// case 2, the primary is placed on the nodes of the running matched jobs and then on free nodes.
func (m *sharedSim) placement(c int, x *option) map[int][]int {
	free, nodes := m.freeNodes(c), map[int][]int{}
	order, primaryNodes := free, m.nodeCount(x.primary)
	switch x.caseNumber {
	case 2:
		order = nil
		for _, p := range x.matched {
			order = append(order, m.started[p.job].nodes...)
		}
		slices.Sort(order)
		nodes[x.primary.job] = slices.Concat(order, free)[:primaryNodes]
		return nodes
	case 3:
		order = slices.Concat(slices.Sorted(slices.Values(m.started[x.primary.job].nodes)), free)
	default:
		nodes[x.primary.job] = slices.Clone(free[:primaryNodes])
	}
	narrow := slices.Clone(x.matched)
	slices.SortStableFunc(narrow, func(p, q member) int { return m.nodeCount(p) - m.nodeCount(q) })
	from := 0
	for _, p := range narrow {
		nodes[p.job] = slices.Clone(order[from : from+m.nodeCount(p)])
		from += m.nodeCount(p)
	}
	return nodes
}

// startOption starts the jobs of option x and records the start. It records the start as a backfill
// if backfilled is true.
func (m *sharedSim) startOption(c int, x *option, backfilled bool) {
	nodes := m.placement(c, x)
	b := GroupStart{At: m.now, Case: x.caseNumber, Primary: x.primary.job, PerNode: x.primary.perNode, Gain: x.gain, Backfilled: backfilled}
	m.startMember(x.primary, nodes)
	for _, p := range x.matched {
		m.startMember(p, nodes)
		b.Matched = append(b.Matched, p.job)
	}
	if len(x.matched) > 0 {
		g := &group{x.primary.job, slices.Clone(b.Matched)}
		for _, j := range append([]int{g.primary}, g.matched...) {
			m.started[j].group = g
		}
	}
	m.GlomarcResult.Starts = append(m.GlomarcResult.Starts, b)
}

// startMember starts a job on its nodes in placement. If placement has no nodes for the job, the
// job has already started, and startMember does nothing. The last node may get fewer processes than
// the others.
func (m *sharedSim) startMember(p member, placement map[int][]int) {
	nodes, starts := placement[p.job]
	if !starts {
		return
	}
	slices.Sort(nodes)
	m.simulation.start(p.job)
	j := &m.simulation.jobs[p.job]
	x := &startedJob{nodes: nodes, perNode: p.perNode, runtimeLeft: float64(j.Runtime), estimateLeft: float64(j.Estimate)}
	unplaced := j.Procs
	for _, n := range nodes {
		x.slots = append(x.slots, m.coresFor(n, min(unplaced, p.perNode))...)
		unplaced -= p.perNode
	}
	slices.Sort(x.slots)
	m.started[p.job] = x
	m.resumeJob(p.job)
}

// coresFor selects count cores of a node for a new job. It takes one core of each processor in turn. If
// another job runs on the first half of the cores in this order, coresFor selects from the second half.
func (m *sharedSim) coresFor(node, count int) (out []int) {
	var spread []int // cores of the node, one of each processor in turn
	for k := range m.machine.Cores {
		for p := range m.machine.Processors {
			lo, _ := m.machine.Slot(node, p, k)
			spread = append(spread, int(lo))
		}
	}
	first := spread[:m.coresPerSide()]
	for j, x := range m.started {
		if m.runs(j) && overlap(x.slots, first) {
			return spread[m.coresPerSide():][:count]
		}
	}
	return spread[:count]
}
