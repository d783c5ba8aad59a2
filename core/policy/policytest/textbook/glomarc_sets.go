package textbook

import (
	"math"
	"slices"
)

// option holds what could start next: a job alone (cases 4 and 5) or a group.
type option struct {
	caseNumber int // see GroupStart
	primary    member
	matched    []member
	forecast
}

// formation describes the search for a group: the primary and the candidates to match
// with it.
type formation struct {
	caseNumber int
	primary    member
	candidates []int
	required   int // job that each set must contain; -1 if there is none
}

// firstFair returns the first group of a formation that fits and is fair, or nil. Groups
// are tried by decreasing gain, except in the variants cstws and nh.
func (m *sharedSim) firstFair(c int, f formation, fits func(*option) bool) *option {
	sets := m.candidateSets(f)
	if m.Variant != "cstws" && m.Variant != "nh" {
		sortByGain(sets)
	}
	for i := range sets {
		if x := &sets[i]; fits(x) {
			if i > 0 && tied(x.gain, sets[i-1].gain) || i+1 < len(sets) && tied(x.gain, sets[i+1].gain) {
				m.Ties++
			}
			if m.fair(c, x) {
				return x
			}
			m.Unfair++
		}
	}
	return nil
}

// tied reports whether two gains are equal up to rounding.
func tied(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

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

// candidateSets returns the groups of a formation that have enough gain. It applies every
// condition except fairness and free nodes.
func (m *sharedSim) candidateSets(f formation) (kept []option) {
	maxNodes := float64(m.nodesOf(f.primary))*(1+m.ExceedPrimary) + 1e-9
	var required []member
	if f.required >= 0 {
		p := m.asMember(f.required)
		if !m.suitable(f.primary, p) || float64(m.nodesOf(p)) > maxNodes {
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
		sets = singles(required, suited)
	case "nh":
		sets = m.windows(required, suited, maxNodes)
	default:
		return m.byBlocks(f, required, suited, maxNodes)
	}
	for _, set := range sets {
		if x := m.newOption(f, set); float64(m.nodesOfAll(set)) <= maxNodes && x.gain >= m.MinGain-1e-9 {
			kept = append(kept, x)
		}
	}
	return kept
}

// singles returns sets of one job. If a job is required, the only set consists of it.
func singles(required, suited []member) (sets [][]member) {
	if required != nil {
		return [][]member{required}
	}
	for _, p := range suited {
		sets = append(sets, []member{p})
	}
	return sets
}

// windows returns sets of consecutive jobs of a list. There is one set for each first job, with as
// many jobs as fit on maxNodes. If a job is required, each set starts with it, and the last set
// contains nothing else.
func (m *sharedSim) windows(required, list []member, maxNodes float64) (sets [][]member) {
	for from := range list {
		set := slices.Clone(required)
		for _, p := range list[from:] {
			if float64(m.nodesOfAll(set)+m.nodesOf(p)) > maxNodes {
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

// byBlocks returns the groups of the full search. It builds windows of the first block, and
// extends the best one with jobs of the later blocks. It then purifies each group.
func (m *sharedSim) byBlocks(f formation, required, suited []member, maxNodes float64) (kept []option) {
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
	for _, set := range m.windows(required, first, maxNodes) {
		if x := m.newOption(f, set); x.gain >= m.MinGain-1e-9 {
			kept = append(kept, x)
		}
	}
	if len(kept) > 0 && len(blocks) > 1 && m.Variant != "fbo" {
		kept = append(kept, m.enlarged(f, kept, slices.Concat(blocks[1:]...), maxNodes)...)
	}
	for i := range kept {
		kept[i] = m.purified(f, kept[i])
	}
	return kept
}

// enlarged adds to the best group each further job that fits and raises its gain. It returns each
// improved group.
func (m *sharedSim) enlarged(f formation, kept []option, others []member, maxNodes float64) (out []option) {
	best := kept[0]
	for _, x := range kept {
		if x.gain > best.gain+1e-9 {
			best = x
		}
	}
	for _, p := range others {
		set := append(slices.Clone(best.matched), p)
		if float64(m.nodesOfAll(set)) > maxNodes {
			continue
		}
		if x := m.newOption(f, set); x.gain > best.gain+1e-9 {
			best = x
			out = append(out, x)
		}
	}
	return out
}

// purified removes the matched job that slows the primary down most, repeatedly, as long
// as the gain does not fall. It keeps the required job and at least one job.
func (m *sharedSim) purified(f formation, x option) option {
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
