package glomarc

import (
	"cmp"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Two jobs of a group share each processor of a node: the cores are taken in an
// order that goes round the processors, and each job has one half of it, its side
// (Zeng 2009, section 4.1).

// claim returns the slots of a member on its nodes, on the side that those of its
// partners, if any, leave.
func (s *step) claim(m *member, partners cluster.Set) sim.Claim {
	machine, left := s.p.Machine(), s.p.Job(m.job).Procs
	c := sim.Claim{PerNode: min(m.perNode, left)}
	for _, r := range m.nodes {
		for n := r.Lo; n < r.Hi; n++ {
			side := 0
			if partners.Common(core(machine, int(n), 0)) != nil {
				side = s.half()
			}
			here := min(m.perNode, left)
			left -= here
			c.Slots = fill(machine, c.Slots, int(n), side, here)
		}
	}
	return c
}

// half returns the cores of a side of a node.
func (s *step) half() int { return s.cores / 2 }

// core returns the slot of a core, by its place in the order that goes round the
// processors of a node.
func core(m *cluster.Machine, node, place int) cluster.Set {
	lo, hi := m.Slot(node, place%m.Processors, place/m.Processors)
	return cluster.Set{{Lo: lo, Hi: hi}}
}

// fill adds count cores of a node from a place in that order on.
func fill(m *cluster.Machine, slots cluster.Set, node, from, count int) cluster.Set {
	var here []cluster.Range
	for place := from; place < from+count; place++ {
		here = append(here, core(m, node, place)...)
	}
	slices.SortFunc(here, func(a, b cluster.Range) int { return cmp.Compare(a.Lo, b.Lo) })
	for _, r := range here {
		slots = slots.Append(r.Lo, r.Hi)
	}
	return slots
}

// place finds nodes for a match: the matched jobs side by side on those of the
// primary, the narrowest first, and what they exceed it by on free ones. If the
// matched jobs run already, the primary comes to their nodes.
func (s *step) place(m *match) *unit {
	u := &unit{primary: member{m.primary, m.group.Primary.PerNode, nil}}
	for i := range m.cands {
		c := &m.cands[i]
		u.matched = append(u.matched, member{c.job, c.PerNode, nil})
	}
	wide := m.group.Primary.Nodes()
	if m.code == log.CaseRunning {
		var all cluster.Set
		for i, h := range m.homes {
			u.matched[i].nodes = h.primary.nodes
			all = all.And(h.primary.nodes)
		}
		mine := all.Part(0, wide)
		u.primary.nodes = mine.And(s.open.Part(0, wide-mine.Count()))
		return u
	}
	extra := max(0, m.group.Nodes()-wide)
	if m.home != nil {
		u.primary.nodes = m.home.primary.nodes
		s.side(m, u, s.open.Part(0, extra))
		return u
	}
	all := s.open.Part(0, wide+extra)
	u.primary.nodes = all.Part(0, wide)
	s.side(m, u, all.Part(wide, extra))
	return u
}

// side puts the matched jobs side by side on the primary's nodes and then on the
// further ones.
func (s *step) side(m *match, u *unit, further cluster.Set) {
	order := make([]int, len(u.matched))
	wide := make([]int, len(u.matched))
	for i := range u.matched {
		order[i], wide[i] = i, m.cands[i].Nodes()
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(wide[a], wide[b]) })
	at, own := 0, u.primary.nodes.Count()
	for _, i := range order {
		here := u.primary.nodes.Part(at, min(wide[i], max(0, own-at)))
		u.matched[i].nodes = here.And(further.Part(max(0, at-own), wide[i]-here.Count()))
		at += wide[i]
	}
}

// slotsOf returns the slots that the jobs hold which run already.
func (s *step) slotsOf(u *unit) (slots cluster.Set) {
	for _, m := range u.members() {
		if s.started(m.job) {
			slots = slots.And(s.p.Slots(m.job))
		}
	}
	return slots
}
