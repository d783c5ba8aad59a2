package glomarc

import (
	"cmp"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// start starts an option. It returns false if the wrapper policy with the time slices (sim.Host)
// refuses, or if a job alone (Case 5) does not fit.
func (s *state) start(o *option) bool {
	if o.code == log.CaseAlone {
		return s.startAlone(&o.primary, 4)
	}
	u := o.placed.unit
	partners := s.slotsOf(u)
	if o.primary.unit == nil {
		why := log.Reason{Code: log.Leads, Other: job.None, X: log.Millionths(o.gain)}
		claim := s.claim(&u.primary, partners)
		if !s.p.Start(o.primary.job, claim, why) {
			return false
		}
		partners = claim.Slots
	}
	s.startMatched(u, partners)
	for i := range o.matched {
		s.p.RecordDecision(log.Group, o.matched[i].job, log.Reason{Code: o.code, Other: o.primary.job, X: log.Millionths(o.gain), Y: int64(len(o.matched))})
	}
	s.updateAfterStart(u, o.placed.absorbed, o.placed.demand, o.placed.lastEnd()-s.now)
	return true
}

// startMatched starts the waiting matched jobs of a unit. The argument primarySlots holds the slots of the primary. On
// a node that a matched job shares with the primary, the matched job gets the half that the primary leaves free.
func (s *state) startMatched(u *unit, primarySlots cluster.Set) {
	for i := range u.matched {
		if m := &u.matched[i]; !hasStarted(s.p, m.job) {
			why := log.Reason{Code: log.Grouped, Other: u.primary.job}
			if m.nodes.Intersect(u.primary.nodes) == nil {
				why.Code = log.GroupedApart
			}
			s.p.Start(m.job, s.claim(m, primarySlots), why)
		}
	}
}

// startAlone tries to start a waiting job alone on its nodes, with perNode processes on each, and
// reports whether it started.
func (s *state) startAlone(j *candidate, perNode int) bool {
	a := j.alone.WithPerNode(perNode)
	demand, length := s.demandOn(j.job, a.Nodes()), timeAlone(&a)
	if !s.fits(demand, length) {
		return false
	}
	m := member{j.job, perNode, s.freeNodes.Slice(0, a.Nodes())}
	packed := int64(min(perNode, a.Procs))
	why := log.Reason{Code: log.HeadAlone, Other: job.None, X: packed, Y: int64(s.freeNodes.Count())}
	switch {
	case s.plan != nil:
		why = log.Reason{Code: log.BackfilledAlone, Other: job.None, X: packed, Y: s.now + length}
	case j.job != s.g.queue[0].job:
		why = log.Reason{Code: log.FirstFit, Other: job.None, X: int64(s.p.Free())}
	}
	if !s.p.Start(j.job, s.claim(&m, nil), why) {
		return false
	}
	s.updateAfterStart(&unit{primary: m}, nil, demand, length)
	return true
}

// Two jobs of a group share each processor of a node. Cores are numbered round-robin over the
// processors: first core 0 of each processor, then core 1 of each. One of the two jobs gets the
// lower half of these numbers, and the other job the upper half (Zeng 2009, section 4.1).

// placeGroup returns the unit of a group with its nodes. Matched jobs are placed on the primary's
// nodes, the narrowest job first. Jobs that do not fit there are placed on free nodes. In Case 2
// the primary is placed on the nodes of the matched jobs, which already run, and then on free
// nodes.
func (s *state) placeGroup(o *option) *unit {
	u := &unit{primary: member{job: o.primary.job, perNode: o.primary.PerNode}}
	for i := range o.matched {
		u.matched = append(u.matched, member{job: o.matched[i].job, perNode: o.matched[i].PerNode})
	}
	primaryCount := o.primary.Nodes()
	extraCount := max(0, o.group.Nodes()-primaryCount)
	switch o.code {
	case log.CaseWaiting:
		all := s.freeNodes.Slice(0, primaryCount+extraCount)
		u.primary.nodes = all.Slice(0, primaryCount)
		placeMatched(u, o, all.Slice(primaryCount, extraCount))
	case log.CaseRunning:
		var shared cluster.Set
		for i := range o.matched {
			u.matched[i].nodes = o.matched[i].unit.primary.nodes
			shared = shared.Union(u.matched[i].nodes)
		}
		shared = shared.Slice(0, primaryCount)
		u.primary.nodes = shared.Union(s.freeNodes.Slice(0, primaryCount-shared.Count()))
	case log.CaseJoin:
		u.primary.nodes = o.primary.unit.primary.nodes
		placeMatched(u, o, s.freeNodes.Slice(0, extraCount))
	}
	return u
}

// placeMatched places the matched jobs one after another, the narrowest first. It uses the
// primary's nodes first, and then the nodes in extraNodes.
func placeMatched(u *unit, o *option, extraNodes cluster.Set) {
	order := make([]int, len(u.matched))  // indexes of the matched jobs, the narrowest first
	counts := make([]int, len(u.matched)) // number of nodes of each matched job
	for i := range u.matched {
		order[i], counts[i] = i, o.matched[i].Nodes()
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts[a], counts[b]) })
	used, own := 0, u.primary.nodes.Count()
	for _, i := range order {
		shared := u.primary.nodes.Slice(used, min(counts[i], max(0, own-used)))
		u.matched[i].nodes = shared.Union(extraNodes.Slice(max(0, used-own), counts[i]-shared.Count()))
		used += counts[i]
	}
}

// claim returns the slots that a member takes on its nodes. If other jobs of the group have slots of a node
// (partnerSlots), the member takes the other half of that node.
func (s *state) claim(m *member, partnerSlots cluster.Set) sim.Claim {
	machine, left := s.p.Machine(), s.p.Job(m.job).Procs
	c := sim.Claim{PerNode: min(m.perNode, left)}
	for _, r := range m.nodes {
		for node := r.Lo; node < r.Hi; node++ {
			first := 0
			if partnerSlots.Intersect(coreSlot(machine, int(node), 0)) != nil {
				first = halfNode(machine)
			}
			count := min(m.perNode, left)
			left -= count
			c.Slots = appendCores(c.Slots, machine, int(node), first, count)
		}
	}
	return c
}

// appendCores appends the slots of some cores of a node to slots. The cores have the numbers from
// first to first+count-1, in the numbering that coreSlot describes.
func appendCores(slots cluster.Set, m *cluster.Machine, node, first, count int) cluster.Set {
	var cores []cluster.Range
	for number := first; number < first+count; number++ {
		cores = append(cores, coreSlot(m, node, number)...)
	}
	slices.SortStableFunc(cores, func(a, b cluster.Range) int { return cmp.Compare(a.Lo, b.Lo) })
	for _, r := range cores {
		slots = slots.Append(r.Lo, r.Hi)
	}
	return slots
}

// coreSlot returns the slot of the core with the given number on a node. Cores are numbered
// round-robin over the processors: first core 0 of each processor, then core 1 of each.
func coreSlot(m *cluster.Machine, node, number int) cluster.Set {
	lo, hi := m.Slot(node, number%m.Processors, number/m.Processors)
	return cluster.Set{{Lo: lo, Hi: hi}}
}

// slotsOf returns the slots of the running jobs in a unit.
func (s *state) slotsOf(u *unit) (slots cluster.Set) {
	for _, m := range u.members() {
		if hasStarted(s.p, m.job) {
			slots = slots.Union(s.p.Slots(m.job))
		}
	}
	return slots
}
