package glomarc

import (
	"iter"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// unit holds a started job that runs alone, or a group: a started primary and the jobs matched with
// it.
type unit struct {
	primary member
	matched []member // empty for a job alone
}

// member holds one job of a unit.
type member struct {
	job     job.Index
	perNode int         // processes on each node, PPN
	nodes   cluster.Set // numbers of its nodes
}

// alone reports whether the unit consists of a single job.
func (u *unit) alone() bool { return len(u.matched) == 0 }

// members yields the primary and then the matched jobs, each with its index in the unit.
func (u *unit) members() iter.Seq2[int, *member] {
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

// find returns the index of job j in the unit, or -1.
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

// nodes returns the nodes of all jobs of the unit. Two matched jobs never have a node in common.
func (u *unit) nodes() cluster.Set {
	all := u.primary.nodes
	for i := range u.matched {
		all = all.Union(u.matched[i].nodes.Without(all))
	}
	return all
}

// without returns the units that remain when job j of the unit ends. A group ends when its primary
// ends. Each matched job that still runs then becomes a separate unit (Zeng 2009, section 4.6).
func (u *unit) without(j job.Index) (left []*unit) {
	if u.primary.job == j {
		for _, m := range u.matched {
			left = append(left, &unit{primary: m})
		}
		return left
	}
	rest := &unit{primary: u.primary}
	for _, m := range u.matched {
		if m.job != j {
			rest.matched = append(rest.matched, m)
		}
	}
	return []*unit{rest}
}

// removeEnded removes job j, which has ended, from its unit.
func (g *Glomarc) removeEnded(j job.Index) {
	for _, u := range g.units {
		if u.has(j) {
			g.unbound = g.unbound.Union(u.nodes())
			g.replaceUnits([]*unit{u}, u.without(j))
			return
		}
	}
}

// replaceUnits removes the units in old from the list of units, and appends those in replacements.
func (g *Glomarc) replaceUnits(old, replacements []*unit) {
	var units []*unit // a new list, because clones use the old one
	for _, u := range g.units {
		if !slices.Contains(old, u) {
			units = append(units, u)
		}
	}
	g.units = append(units, replacements...)
	for _, u := range replacements {
		g.unbound = g.unbound.Without(u.nodes())
	}
}
