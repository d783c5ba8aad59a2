package textbook

import (
	"slices"

	"backfill-lab/core/job"
)

// turn ends and begins slices, and reports whether any did.
func (m *matching) turn() (any bool) {
	if m.now%m.Interval == 0 {
		m.preemptAll()
		m.layOutNodes()
		any = true
	}
	for c := range m.slice {
		if m.now == m.slice[c][0] || m.now == m.slice[c][0]+m.Overhead {
			m.preemptAll()
			any = true
		}
	}
	return any
}

// inSlices is what starts in time slices (spec 4.3) in which each type is matched by
// itself, and groups are preempted and resumed as one.
func (m *matching) inSlices() {
	own := m.present()
	if own >= 0 {
		m.resumeUnits(own, func([]int) bool { return true })
	}
	for c := range m.slice {
		m.meet(c)
	}
	if own < 0 {
		return
	}
	m.step(own)
	if m.NonType {
		m.fillNodes(own)
	}
}

func (m *matching) preemptAll() {
	for j := range m.on {
		if m.runs(j) {
			m.halt(j)
		}
	}
}

// units returns the individuals and groups of a type that are preempted, each with its
// primary first, in the order of these.
func (m *matching) units(c int) (out [][]int) {
	for j, x := range m.on {
		if m.in(c, j) && m.active(j) && !m.runs(j) && (x.with == nil || x.with.primary == j) {
			unit := []int{j}
			if x.with != nil {
				unit = append(unit, x.with.matched...)
			}
			out = append(out, unit)
		}
	}
	return out
}

// resumeUnits lets the units of a type go on whose nodes are free, if they may.
func (m *matching) resumeUnits(c int, may func(unit []int) bool) {
	for _, unit := range m.units(c) {
		if m.idleNodes(unit) && may(unit) {
			for _, j := range unit {
				m.goOn(j)
			}
		}
	}
}

func (m *matching) idleNodes(unit []int) bool {
	for k, x := range m.on {
		if m.runs(k) && overlap(x.nodes, m.nodesOfUnit(unit)) {
			return false
		}
	}
	return true
}

func (m *matching) nodesOfUnit(unit []int) (nodes []int) {
	for _, j := range unit {
		nodes = append(nodes, m.on[j].nodes...)
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// fillNodes lets jobs of other types run on what the slice leaves idle: those
// that are preempted, then those that wait.
func (m *matching) fillNodes(own int) {
	there := m.leaves(own)
	for c := range m.slice {
		if c != own {
			m.resumeUnits(c, func(unit []int) bool {
				ends, last := m.running(c, nil), job.Time(0)
				for _, j := range unit {
					last = max(last, ends[j])
				}
				box := m.stay(&job.Job{Request: job.Request{Procs: len(m.nodesOfUnit(unit)), Estimate: last}})
				if !there.fits(box, 0) {
					return false
				}
				there.take(box, 0)
				return true
			})
		}
	}
	for c := range m.slice {
		if c != own {
			m.Steps++
			m.backfill(c, there)
		}
	}
}

// stay returns a rectangle as far as the slice lets it.
func (m *matching) stay(box *job.Job) *job.Job {
	short := *box
	short.Estimate = min(box.Estimate, m.slice[m.present()][1]-m.now)
	return &short
}

// leaves returns the plan of the type of the slice, and the guests that run.
func (m *matching) leaves(own int) *plan {
	p := m.plan(own, nil)
	for _, j := range m.queueOf(own) {
		p.take(m.box(m.solo(4, j, m.perNode(j))), m.planned[j])
	}
	for c := range m.slice {
		if c == own {
			continue
		}
		until := make([]job.Time, m.machine.Nodes)
		for j, end := range m.running(c, nil) {
			if m.runs(j) {
				for _, n := range m.on[j].nodes {
					until[n] = max(until[n], end)
				}
			}
		}
		for _, end := range until {
			p.take(m.stay(&job.Job{Request: job.Request{Procs: 1, Estimate: end}}), 0)
		}
	}
	return p
}

// layOutNodes lays out the interval that begins now (spec 4.1); the short slice
// lasts as long as the short jobs need that are there.
func (m *matching) layOutNodes() {
	const short = 0
	need := job.Time(0)
	for _, end := range m.running(short, nil) {
		need = max(need, end)
	}
	p := m.plan(short, nil)
	for _, j := range m.queueOf(short) {
		if m.world.jobs[j].Submit < m.now {
			box := m.box(m.solo(4, j, m.perNode(j)))
			at := p.first(box)
			p.take(box, at)
			need = max(need, at+box.Estimate)
		}
	}
	length := job.Time(0)
	switch {
	case need > 0 && m.ShortSlice < 0:
		length = m.Overhead + min(m.sliced.ShortMax, need)
	case need > 0:
		length = m.ShortSlice
	}
	m.slice = m.layout(m.now, length)
}
