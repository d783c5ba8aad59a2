package glomarc

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// unit is started jobs that have nodes together: one alone, or a primary and the
// jobs matched with it.
type unit struct {
	primary member
	matched []member
}

// member is a job of a unit.
type member struct {
	job     job.Index
	perNode int         // processes on each node, PPN
	nodes   cluster.Set // by their numbers
}

// alone reports whether the unit is a single job.
func (u *unit) alone() bool { return len(u.matched) == 0 }

// members yields the primary, then the matched jobs, by their places in the unit.
func (u *unit) members() func(func(int, *member) bool) {
	return func(yield func(int, *member) bool) {
		if !yield(0, &u.primary) {
			return
		}
		for i := range u.matched {
			if !yield(1+i, &u.matched[i]) {
				return
			}
		}
	}
}

// find returns the place of job j in the unit, -1 if it is not there.
func (u *unit) find(j job.Index) int {
	for i, m := range u.members() {
		if m.job == j {
			return i
		}
	}
	return -1
}

// has reports whether job j is in the unit.
func (u *unit) has(j job.Index) bool { return u.find(j) >= 0 }

// nodes returns the nodes of all its jobs. Those of matched jobs are apart.
func (u *unit) nodes() cluster.Set {
	all := u.primary.nodes
	for i := range u.matched {
		all = all.And(u.matched[i].nodes.Without(all))
	}
	return all
}

// without returns what is left of the unit when job j ends: a group ends with its
// primary, and who survives it is on its own (Zeng 2009, section 4.6).
func (u *unit) without(j job.Index) (left []*unit) {
	if u.primary.job == j {
		for _, m := range u.matched {
			left = append(left, &unit{primary: m})
		}
		return left
	}
	c := &unit{primary: u.primary}
	for _, m := range u.matched {
		if m.job != j {
			c.matched = append(c.matched, m)
		}
	}
	return []*unit{c}
}

// leave takes the job j, which has ended, out of its unit.
func (g *Glomarc) leave(j job.Index) {
	for _, u := range g.units {
		if u.has(j) {
			g.unbound = g.unbound.And(u.nodes())
			g.replace([]*unit{u}, u.without(j))
			return
		}
	}
}

// enter adds a unit in the place of those of which it is made.
func (g *Glomarc) enter(u *unit, of []*unit) { g.replace(of, []*unit{u}) }

// replace puts units in the place of others.
func (g *Glomarc) replace(of, by []*unit) {
	var units []*unit
	for _, u := range g.units {
		if !slices.Contains(of, u) {
			units = append(units, u)
		}
	}
	g.units = append(units, by...)
	for _, u := range by {
		g.unbound = g.unbound.Without(u.nodes())
	}
}
