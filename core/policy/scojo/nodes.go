package scojo

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/sim"
)

// choose takes procs of the open slots: the lowest, or those to which the
// fewest suspended jobs of other types are bound, which leaves these more room
// to be guests.
func (s *Scojo) choose(p *sim.Pass, open *cluster.Free, procs int) cluster.Set {
	if !s.leastShared {
		return open.Lowest(procs, nil)
	}
	bound := make([]uint8, p.Machine().Slots()) // one job of each type at most
	for j := range p.Suspended() {
		for _, r := range p.Slots(j) {
			for k := r.Lo; k < r.Hi; k++ {
				bound[k]++
			}
		}
	}
	most, fewer := fewest(bound, open.Set(), procs)
	var out cluster.Set
	for _, r := range open.Set() {
		for k := r.Lo; k < r.Hi; k++ {
			if bound[k] > most || bound[k] == most && fewer == 0 {
				continue
			}
			if bound[k] == most {
				fewer--
			}
			out = out.Append(k, k+1)
		}
	}
	return out
}

// fewest says how many bindings the slots to take have at most, and how many
// of those with just as many are needed.
func fewest(bound []uint8, open cluster.Set, procs int) (most uint8, last int) {
	var have [classes + 1]int
	for _, r := range open {
		for k := r.Lo; k < r.Hi; k++ {
			have[bound[k]]++
		}
	}
	last = procs
	for last > have[most] {
		last -= have[most]
		most++
	}
	return most, last
}
