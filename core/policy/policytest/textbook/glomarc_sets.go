package textbook

import (
	"math"
	"slices"
)

// option describes a possible start: of a job alone (cases 4 and 5), or of a group.
type option struct {
	caseNumber int // number of the case in Zeng 2009, chapter 4, as listed at GroupStart
	primary    member
	matched    []member
	forecast
}

// formation describes the search for a group: the primary and the candidates to match
// with it.
type formation struct {
	caseNumber int // see option
	primary    member
	candidates []int
	required   int // job that each set must contain; -1 if there is none
}

// firstFair returns the first group of a formation that fits and is fair, or nil. It tries the
// groups in order of decreasing gain, except in the variants cstws and nh, which try the groups in
// the order in which they were formed.
func (m *sharedSim) firstFair(c int, f formation, fits func(*option) bool) *option {
	sets := m.groupsWithGain(f)
	if m.Variant != "cstws" && m.Variant != "nh" {
		sortByGain(sets)
	}
	for i := range sets {
		if x := &sets[i]; fits(x) {
			if i > 0 && equalGains(x.gain, sets[i-1].gain) || i+1 < len(sets) && equalGains(x.gain, sets[i+1].gain) {
				m.Ties++
			}
			if m.isFair(c, x) {
				return x
			}
			m.Unfair++
		}
	}
	return nil
}

// equalGains reports whether two gains are equal up to rounding.
func equalGains(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

// sortByGain sorts the groups by decreasing gain. Ties keep their order.
func sortByGain(sets []option) {
	for i := range sets {
		for k := i; k > 0 && sets[k].gain > sets[k-1].gain+1e-9; k-- {
			sets[k], sets[k-1] = sets[k-1], sets[k]
		}
	}
}

// newOption returns the group that consists of the primary of a formation and a set of matched
// jobs.
func (m *sharedSim) newOption(f formation, set []member) option {
	return option{f.caseNumber, f.primary, set, m.forecast(f.primary, set)}
}

// groupsWithGain returns the groups of a formation that have enough gain. It applies every
// condition except fairness and free nodes.
func (m *sharedSim) groupsWithGain(f formation) (kept []option) {
	maxNodes := float64(m.nodeCount(f.primary))*(1+m.ExceedPrimary) + 1e-9
	var required []member
	if f.required >= 0 {
		p := m.asMember(f.required)
		if !m.suitable(f.primary, p) || float64(m.nodeCount(p)) > maxNodes {
			return nil
		}
		required = []member{p}
	}
	var suited []member
	for _, j := range f.candidates {
		if p := m.asMember(j); j != f.required && m.suitable(f.primary, p) {
			suited = append(suited, p)
		}
	}
	var sets [][]member
	switch m.Variant {
	case "cst", "cstws":
		sets = singleJobSets(required, suited)
	case "nh":
		sets = m.windowSets(required, suited, maxNodes)
	default:
		return m.groupsByBlocks(f, required, suited, maxNodes)
	}
	for _, set := range sets {
		if x := m.newOption(f, set); float64(m.totalNodeCount(set)) <= maxNodes && x.gain >= m.MinGain-1e-9 {
			kept = append(kept, x)
		}
	}
	return kept
}

// singleJobSets returns one set for each suited job. If a job is required, it returns only the set
// that consists of this job.
func singleJobSets(required, suited []member) (sets [][]member) {
	if required != nil {
		return [][]member{required}
	}
	for _, p := range suited {
		sets = append(sets, []member{p})
	}
	return sets
}

// windowSets returns sets of consecutive jobs of a list. For each job of the list, it returns the
// set of this job and as many of the next jobs as fit on maxNodes nodes. A required job comes first
// in each set, and the last set contains only the required job.
func (m *sharedSim) windowSets(required, list []member, maxNodes float64) (sets [][]member) {
	for from := range list {
		set := slices.Clone(required)
		for _, p := range list[from:] {
			if float64(m.totalNodeCount(set)+m.nodeCount(p)) > maxNodes {
				break
			}
			set = append(set, p)
		}
		if len(set) > len(required) {
			sets = append(sets, set)
		}
	}
	if required != nil {
		sets = append(sets, required)
	}
	return sets
}

// groupsByBlocks returns the groups of the variants that divide the suited jobs into blocks. It builds
// sets of consecutive jobs from the first block. Except in the variant fbo, it then adds jobs of the
// later blocks to the best set. Last, it purifies each group (see purifiedGroup).
func (m *sharedSim) groupsByBlocks(f formation, required, suited []member, maxNodes float64) (kept []option) {
	var blocks [][]member
	for b := range slices.Chunk(suited, m.BlockSize) {
		b = slices.Clone(b)
		if m.Variant != "ns" {
			slices.SortStableFunc(b, func(p, q member) int {
				switch d := m.workLeft(q.job) - m.workLeft(p.job); {
				case d > 1e-9:
					return 1
				case d < -1e-9:
					return -1
				}
				return 0
			})
		}
		blocks = append(blocks, b)
	}
	first := []member(nil)
	if len(blocks) > 0 {
		first = blocks[0]
	}
	for _, set := range m.windowSets(required, first, maxNodes) {
		if x := m.newOption(f, set); x.gain >= m.MinGain-1e-9 {
			kept = append(kept, x)
		}
	}
	if len(kept) > 0 && len(blocks) > 1 && m.Variant != "fbo" {
		kept = append(kept, m.enlargedGroups(f, kept, slices.Concat(blocks[1:]...), maxNodes)...)
	}
	for i := range kept {
		kept[i] = m.purifiedGroup(f, kept[i])
	}
	return kept
}

// enlargedGroups adds the other jobs to the best group, one after the other, if they fit and raise
// its gain. It returns the group after each addition.
func (m *sharedSim) enlargedGroups(f formation, kept []option, others []member, maxNodes float64) (out []option) {
	best := kept[0]
	for _, x := range kept {
		if x.gain > best.gain+1e-9 {
			best = x
		}
	}
	for _, p := range others {
		set := append(slices.Clone(best.matched), p)
		if float64(m.totalNodeCount(set)) > maxNodes {
			continue
		}
		if x := m.newOption(f, set); x.gain > best.gain+1e-9 {
			best = x
			out = append(out, x)
		}
	}
	return out
}

// purifiedGroup returns group x without the matched jobs that slow the primary down most. It
// removes one job after the other, as long as the gain does not fall. It never removes the required
// job or the last matched job.
func (m *sharedSim) purifiedGroup(f formation, x option) option {
	for len(x.matched) > 1 {
		worst := -1
		for i, p := range x.matched {
			if p.job != f.required && (worst < 0 || m.groupSlowdown(f.primary, p) > m.groupSlowdown(f.primary, x.matched[worst])+1e-9) {
				worst = i
			}
		}
		fewer := m.newOption(f, slices.Delete(slices.Clone(x.matched), worst, worst+1))
		if fewer.gain < x.gain-1e-9 {
			break
		}
		x = fewer
	}
	return x
}
