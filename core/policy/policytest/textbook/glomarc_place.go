package textbook

import "slices"

// free returns the nodes that no job runs on and no job of the view keeps, the lowest
// first.
func (m *matching) free(c int) (out []int) {
	for n := range m.machine.Nodes {
		used := false
		for j, x := range m.on {
			used = used || m.active(j) && (m.runs(j) || m.in(c, j)) && slices.Contains(x.nodes, n)
		}
		if !used {
			out = append(out, n)
		}
	}
	return out
}

// places returns the nodes of those that start with a match.
func (m *matching) places(c int, x *match) map[int][]int {
	free, at := m.free(c), map[int][]int{}
	line, own := free, m.nodesOf(x.primary)
	switch x.kind {
	case 2:
		line = nil
		for _, p := range x.matched {
			line = append(line, m.on[p.job].nodes...)
		}
		slices.Sort(line)
		at[x.primary.job] = slices.Concat(line, free)[:own]
		return at
	case 3:
		line = slices.Concat(slices.Sorted(slices.Values(m.on[x.primary.job].nodes)), free)
	default:
		at[x.primary.job] = slices.Clone(free[:own])
	}
	narrow := slices.Clone(x.matched)
	slices.SortStableFunc(narrow, func(p, q part) int { return m.nodesOf(p) - m.nodesOf(q) })
	from := 0
	for _, p := range narrow {
		at[p.job] = slices.Clone(line[from : from+m.nodesOf(p)])
		from += m.nodesOf(p)
	}
	return at
}

// begin starts a match.
func (m *matching) begin(c int, x *match, behind bool) {
	at := m.places(c, x)
	b := Began{At: m.now, Case: x.kind, Primary: x.primary.job, PerNode: x.primary.perNode, Gain: x.gain, Behind: behind}
	m.settle(x.primary, at)
	for _, p := range x.matched {
		m.settle(p, at)
		b.Matched = append(b.Matched, p.job)
	}
	if len(x.matched) > 0 {
		g := &group{x.primary.job, slices.Clone(b.Matched)}
		for _, j := range append([]int{g.primary}, g.matched...) {
			m.on[j].with = g
		}
	}
	m.Matched.Starts = append(m.Matched.Starts, b)
}

// settle starts a job on its nodes, unless it runs already; the last one may have
// fewer processes.
func (m *matching) settle(p part, at map[int][]int) {
	nodes, starts := at[p.job]
	if !starts {
		return
	}
	slices.Sort(nodes)
	m.world.start(p.job)
	j := &m.world.jobs[p.job]
	x := &onNodes{nodes: nodes, perNode: p.perNode, work: float64(j.Runtime), left: float64(j.Estimate)}
	left := j.Procs
	for _, n := range nodes {
		x.slots = append(x.slots, m.cores(n, min(left, p.perNode))...)
		left -= p.perNode
	}
	slices.Sort(x.slots)
	m.on[p.job] = x
	m.goOn(p.job)
}

// cores returns so many cores of a node for a job that starts there: the first ones,
// going round the processors, or where another job has a side of the node those
// of the other side.
func (m *matching) cores(node, count int) (out []int) {
	var spread []int
	for k := range m.machine.Cores {
		for p := range m.machine.Processors {
			lo, _ := m.machine.Slot(node, p, k)
			spread = append(spread, int(lo))
		}
	}
	first := spread[:m.half()]
	for j, x := range m.on {
		if m.runs(j) && overlap(x.slots, first) {
			return spread[m.half():][:count]
		}
	}
	return spread[:count]
}
