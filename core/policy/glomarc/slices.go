package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// otherSlice holds the capacity that the jobs of one type leave free in their slice. Jobs of other
// types can use it as guests.
type otherSlice struct {
	left       policy.LeftoverCapacity // capacity that guests can use, over time
	now, until job.Time                // wall-clock times: now, and when the guests must leave
}

// has reports whether the leftover capacity covers the demand n from now on, for the given length
// in seconds or until the end of the slice if that is earlier.
func (v *otherSlice) has(n job.Demand, length job.Time) bool {
	return v.left.Has(n, min(v.until, v.now+length))
}

// take subtracts the demand n from the leftover capacity from now on, for the given length in seconds.
func (v *otherSlice) take(n job.Demand, length job.Time) { v.left.Take(n, v.now, v.now+length) }

// Fill implements sim.Filler. It backfills jobs, alone or in groups, in the slice of another type.
// These jobs delay neither planned starts of their own type nor jobs of the slice's type.
func (g *Glomarc) Fill(p *sim.Pass, idle *sim.Idle) {
	s := g.applyEvents(p)
	s.otherSlice = newOtherSlice(idle)
	idle.DelaysChecked = true
	s.backfill(0)
	s.recordPlanned()
}

// Recall implements sim.Filler. It selects the preempted jobs that continue in the slice of another
// type. All jobs of a group continue, or none.
func (g *Glomarc) Recall(p *sim.Pass, idle *sim.Idle) {
	s := g.applyEvents(p)
	v := newOtherSlice(idle)
	free := idleNodes(p.Machine(), p.FreeSlots())
	var resumed []job.Index
	for _, j := range idle.Preempted {
		i := slices.IndexFunc(s.running, func(r runningUnit) bool { return r.primary.job == j })
		if i < 0 {
			continue
		}
		r := &s.running[i]
		nodes := r.nodes()
		n, length := job.Demand{Procs: nodes.Count(), Extra: s.extrasOf(r.unit)}, r.lastEnd()-s.now
		if nodes.Intersect(free).Count() == nodes.Count() && v.has(n, length) {
			v.take(n, length)
			for _, m := range r.members() {
				resumed = append(resumed, m.job)
			}
		}
	}
	idle.Preempted, idle.DelaysChecked = resumed, true
}

// extrasOf returns the amounts of the extra resources that a unit holds.
func (s *state) extrasOf(u *unit) []int64 {
	sum := make([]int64, len(s.freeExtra))
	for _, m := range u.members() {
		for k := range sum {
			sum[k] += s.p.Job(m.job).Extra(k)
		}
	}
	return sum
}

// newOtherSlice returns the capacity that the slice's type leaves free. It subtracts the running jobs
// and the planned starts of that type, and the guests that already run.
func newOtherSlice(idle *sim.Idle) *otherSlice {
	p := idle.Machine
	v := &otherSlice{now: p.Now(), until: idle.Until}
	v.left.Reset(policy.WholeCapacity(p.Machine(), p.Machine().Nodes), v.now, v.until)
	owner := idle.Owner.(*Glomarc)
	toWall := v.now - idle.OwnerPass.Now()
	for _, u := range owner.units {
		for _, h := range forecastOf(idle.OwnerPass, u).holds {
			v.left.Take(h.demand, v.now, h.until+toWall)
		}
	}
	for i := range owner.queue {
		c := &owner.queue[i]
		if start := owner.planned[c.job]; start != job.Never {
			demand := policy.DemandOf(p, c.job, int32(c.alone.Nodes()))
			v.left.Take(demand, start+toWall, start+toWall+timeAlone(&c.alone))
		}
	}
	v.takeGuests(idle)
	return v
}

// takeGuests subtracts the resources that the running guests hold. Each node is held until the last
// guest on it ends.
func (v *otherSlice) takeGuests(idle *sim.Idle) {
	p := idle.Machine
	until := map[int]job.Time{}
	var nodes []int
	for j := range p.Running() {
		if idle.OwnerPass.Owns(j) {
			continue
		}
		held, length := idle.Holds(j)
		end := v.now + length
		for n := range p.Machine().NodesOf(p.Slots(j)) {
			if _, seen := until[n]; !seen {
				nodes = append(nodes, n)
			}
			until[n] = max(until[n], end)
		}
		if len(p.Machine().Resources) > 0 {
			v.left.Take(job.Demand{Extra: held.Extra}, v.now, end)
		}
	}
	for _, n := range nodes {
		v.left.Take(job.Demand{Procs: 1}, v.now, until[n])
	}
}
