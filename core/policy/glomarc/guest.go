package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// visit is what the jobs of another type leave of the nodes in their slice.
type visit struct {
	left       policy.Spare
	now, until job.Time // on the wall
}

// has reports whether there is room for n, for that long or until all have to
// leave.
func (v *visit) has(n job.Need, length job.Time) bool {
	return v.left.Has(n, min(v.until, v.now+length))
}

func (v *visit) take(n job.Need, length job.Time) { v.left.Take(n, v.now, v.now+length) }

// Fill starts jobs, alone or in new groups, that delay none of their own type nor
// of that whose time it is.
func (g *Glomarc) Fill(p *sim.Pass, idle *sim.Idle) {
	s := g.look(p)
	s.guest = newVisit(idle)
	idle.Weighed = true
	s.backfill(0)
	s.tell()
}

// Recall lets preempted jobs go on, a group as a whole.
func (g *Glomarc) Recall(p *sim.Pass, idle *sim.Idle) {
	s := g.look(p)
	v := newVisit(idle)
	free := idleNodes(p.Machine(), p.FreeSlots())
	var on []job.Index
	for _, j := range idle.Preempted {
		i := slices.IndexFunc(s.units, func(u *unit) bool { return u.primary.job == j })
		if i < 0 {
			continue
		}
		u, f := s.units[i], &s.see()[i]
		nodes := u.nodes()
		n, length := job.Need{Procs: nodes.Count(), Extra: s.extras(u)}, f.last()-s.now
		if nodes.Common(free).Count() == nodes.Count() && v.has(n, length) {
			v.take(n, length)
			for _, m := range u.members() {
				on = append(on, m.job)
			}
		}
	}
	idle.Preempted, idle.Weighed = on, true
}

// extras returns what a unit holds of the extra resources.
func (s *step) extras(u *unit) []int64 {
	sum := make([]int64, len(s.extra))
	for _, m := range u.members() {
		for k := range sum {
			sum[k] += s.p.Job(m.job).Extra(k)
		}
	}
	return sum
}

// newVisit returns the machine without what runs and is planned of the jobs whose time
// it is, and without the guests that are there.
func newVisit(idle *sim.Idle) *visit {
	p := idle.Whole
	v := &visit{now: p.Now(), until: idle.Until}
	v.left.Begin(policy.Whole(p.Machine(), p.Machine().Nodes), v.now, v.until)
	owner := idle.Owner.(*Glomarc)
	s := owner.step(idle.Own)
	later := v.now - s.now
	for _, f := range s.see() {
		for _, h := range f.holds {
			v.left.Take(h.need, v.now, h.until+later)
		}
	}
	for j := range idle.Own.Waiting() {
		if at := owner.planned[j]; at != job.Never {
			a := s.spaced(j)
			v.left.Take(s.need(j, a.Nodes()), at+later, at+later+duration(&a))
		}
	}
	v.guests(idle)
	return v
}

// guests takes what the jobs of other types hold that run already: a node until the
// last job on it has ended.
func (v *visit) guests(idle *sim.Idle) {
	p := idle.Whole
	until := map[int]job.Time{}
	var nodes []int
	for j := range p.Running() {
		if idle.Own.Owns(j) {
			continue
		}
		end := v.now + p.Remaining(j)
		for n := range p.Machine().NodesOf(p.Slots(j)) {
			if _, seen := until[n]; !seen {
				nodes = append(nodes, n)
			}
			until[n] = max(until[n], end)
		}
		if len(p.Machine().Resources) > 0 {
			v.left.Take(job.Need{Extra: policy.NeedOf(p, j, 0).Extra}, v.now, end)
		}
	}
	for _, n := range nodes {
		v.left.Take(job.Need{Procs: 1}, v.now, until[n])
	}
}
