package textbook

import (
	"math"
	"slices"
)

// match is what could start: a job alone (cases 4 and 5), or a group.
type match struct {
	kind    int // the case of the paper
	primary part
	matched []part
	life
}

// formation is a primary and the jobs that may be matched with it, one of which
// may be mandatory.
type formation struct {
	kind       int
	primary    part
	candidates []int
	must       int // -1: none
}

// chosen returns the group of a formation: of the sets in order, the first that fits
// and is fair (spec 6.4, step 7).
func (m *matching) chosen(c int, f formation, fits func(*match) bool) *match {
	sets := m.sets(f)
	if m.Variant != "cstws" && m.Variant != "nh" {
		sortByGain(sets)
	}
	for i := range sets {
		if x := &sets[i]; fits(x) {
			if i > 0 && near(x.gain, sets[i-1].gain) || i+1 < len(sets) && near(x.gain, sets[i+1].gain) {
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

// near reports whether two gains are equal but for rounding: a tie.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

// sortByGain puts the largest gain first; of equals, the one kept first.
func sortByGain(sets []match) {
	for i := range sets {
		for k := i; k > 0 && sets[k].gain > sets[k-1].gain+1e-9; k-- {
			sets[k], sets[k-1] = sets[k-1], sets[k]
		}
	}
}

func (m *matching) of(f formation, set []part) match {
	return match{f.kind, f.primary, set, m.life(f.primary, set)}
}

// sets returns the sets of matched jobs that are worth a group (steps 1 to 6).
func (m *matching) sets(f formation) (kept []match) {
	room := float64(m.nodesOf(f.primary))*(1+m.Exceed) + 1e-9
	var base []part
	if f.must >= 0 {
		p := m.inGroup(f.must)
		if !m.suits(f.primary, p) || float64(m.nodesOf(p)) > room {
			return nil
		}
		base = []part{p}
	}
	var suited []part
	for _, j := range f.candidates {
		if p := m.inGroup(j); j != f.must && m.suits(f.primary, p) {
			suited = append(suited, p)
		}
	}
	var sets [][]part
	switch m.Variant {
	case "cst", "cstws":
		sets = singles(base, suited)
	case "nh":
		sets = m.windows(base, suited, room)
	default:
		return m.byBlocks(f, base, suited, room)
	}
	for _, set := range sets {
		if x := m.of(f, set); float64(m.nodesOfAll(set)) <= room && x.gain >= m.MinGain-1e-9 {
			kept = append(kept, x)
		}
	}
	return kept
}

// singles returns each job as a set of its own.
func singles(base, suited []part) (sets [][]part) {
	if base != nil {
		return [][]part{base}
	}
	for _, p := range suited {
		sets = append(sets, []part{p})
	}
	return sets
}

// windows returns the sets of neighbours in a list, behind the mandatory job: from each
// job on as many as there is room for. The mandatory job by itself comes last.
func (m *matching) windows(base, list []part, room float64) (sets [][]part) {
	for from := range list {
		set := slices.Clone(base)
		for _, p := range list[from:] {
			if float64(m.nodesOfAll(set)+m.nodesOf(p)) > room {
				break
			}
			set = append(set, p)
		}
		if len(set) > len(base) {
			sets = append(sets, set)
		}
	}
	if base != nil {
		sets = append(sets, base)
	}
	return sets
}

// byBlocks returns the sets of the full search: windows of the first block, the best of
// them with jobs of the other blocks, each without those that do harm.
func (m *matching) byBlocks(f formation, base, suited []part, room float64) (kept []match) {
	var blocks [][]part
	for b := range slices.Chunk(suited, m.Block) {
		b = slices.Clone(b)
		if m.Variant != "ns" {
			slices.SortStableFunc(b, func(p, q part) int {
				switch d := m.leftOf(q.job) - m.leftOf(p.job); {
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
	first := []part(nil)
	if len(blocks) > 0 {
		first = blocks[0]
	}
	for _, set := range m.windows(base, first, room) {
		if x := m.of(f, set); x.gain >= m.MinGain-1e-9 {
			kept = append(kept, x)
		}
	}
	if len(kept) > 0 && len(blocks) > 1 && m.Variant != "fbo" {
		kept = append(kept, m.enlarged(f, kept, slices.Concat(blocks[1:]...), room)...)
	}
	for i := range kept {
		kept[i] = m.purified(f, kept[i])
	}
	return kept
}

// enlarged returns what the best set becomes by each further job that raises its gain.
func (m *matching) enlarged(f formation, kept []match, others []part, room float64) (out []match) {
	best := kept[0]
	for _, x := range kept {
		if x.gain > best.gain+1e-9 {
			best = x
		}
	}
	for _, p := range others {
		set := append(slices.Clone(best.matched), p)
		if float64(m.nodesOfAll(set)) > room {
			continue
		}
		if x := m.of(f, set); x.gain > best.gain+1e-9 {
			best = x
			out = append(out, x)
		}
	}
	return out
}

// purified returns a set without the jobs that slow the primary down most, as long as
// its gain does not fall.
func (m *matching) purified(f formation, x match) match {
	for len(x.matched) > 1 {
		worst := -1
		for i, p := range x.matched {
			if p.job != f.must && (worst < 0 || m.slow(f.primary, p) > m.slow(f.primary, x.matched[worst])+1e-9) {
				worst = i
			}
		}
		fewer := m.of(f, slices.Delete(slices.Clone(x.matched), worst, worst+1))
		if fewer.gain < x.gain-1e-9 {
			break
		}
		x = fewer
	}
	return x
}
