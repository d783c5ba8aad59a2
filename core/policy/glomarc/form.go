package glomarc

import (
	"cmp"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// ask says which groups are asked for.
type ask struct {
	code    log.Code // the case
	primary job.Index
	home    *unit       // of a primary that runs already
	of      []candidate // those that could be matched with it, if they are of its type
	which   func(job.Index) bool
	must    job.Index // the job that each set has to have, job.None if there is none
}

// former forms the groups of a primary (spec 6.4).
type former struct {
	*step
	base  match       // without candidates
	room  float64     // nodes that matched jobs may have
	must  []candidate // the job that each set has to have, if there is one
	cands []candidate // the others, as they are looked at
	out   []match
}

// form returns the groups that are asked for: the sets of candidates that gain enough.
func (s *step) form(a ask) []match {
	f := former{step: s, base: match{code: a.code, primary: a.primary, home: a.home}}
	primary := s.primary(a.primary, a.home)
	f.base.group.Primary, f.room = primary, gain.Room(primary.Nodes(), s.exceed)
	f.noteForm()
	if a.code == log.CaseWaiting && primary.Nodes() > s.open.Count() {
		return nil // whatever is matched with it
	}
	f.preselect(&a)
	if a.must != job.None && (f.must == nil || f.nodes(f.must) > f.room+gain.Near) {
		return nil
	}
	f.sets()
	return f.out
}

// preselect finds who could be matched at all (step 1).
func (f *former) preselect(a *ask) {
	c := f.class(a.primary)
	for i := range a.of {
		x := &a.of[i]
		if x.class != c || x.job == a.primary || !a.which(x.job) {
			continue
		}
		y := *x
		y.Suffers, y.Causes = f.cos(x.job, a.primary), f.cos(a.primary, x.job)
		switch {
		case !f.suits(&y):
		case y.job == a.must:
			f.must = []candidate{y}
		default:
			f.cands = append(f.cands, y)
		}
	}
}

// primary returns the primary as groups see it.
func (s *step) primary(a job.Index, home *unit) gain.Job {
	if home != nil {
		return s.job(a, home.primary.perNode)
	}
	return s.shared(a)
}

// shared returns a waiting job as it is in a group.
func (s *step) shared(j job.Index) gain.Job {
	g := s.job(j, 1)
	g.PerNode = min(s.Shared(g), s.half())
	return g
}

// suits reports whether a candidate could be matched at all.
func (f *former) suits(c *candidate) bool {
	g := gain.Group{Primary: f.base.group.Primary, Matched: []gain.Member{c.Member}}
	fit := f.Fit(&g, 0)
	f.noteCandidate(c, &g, fit)
	return fit == gain.Suited
}

// sets makes the sets as the variant does.
func (f *former) sets() {
	switch {
	case f.pairs():
		f.single()
	case f.variant == nh:
		f.windows(f.cands)
	default:
		blocks := f.blocks()
		if len(blocks) == 0 {
			blocks = append(blocks, nil)
		}
		f.windows(blocks[0])
		if f.variant != fbo {
			f.widen(blocks[1:])
		}
		f.purify()
	}
}

// single makes a set of each candidate.
func (f *former) single() {
	if f.must != nil {
		f.keep(f.must)
		return
	}
	for i := range f.cands {
		if c := f.cands[i : i+1]; f.nodes(c) <= f.room+gain.Near && f.keep(c) {
			return
		}
	}
}

// blocks cuts the candidates into blocks, each with the longest jobs first.
func (f *former) blocks() [][]candidate {
	var out [][]candidate
	for rest := f.cands; len(rest) > 0; rest = rest[len(out[len(out)-1]):] {
		b := rest[:min(f.block, len(rest))]
		if f.variant != ns {
			slices.SortStableFunc(b, func(x, y candidate) int { return cmp.Compare(y.Left, x.Left) })
		}
		out = append(out, b)
	}
	return out
}

// windows keeps the sets of neighbours in the block, each with the mandatory job, and
// then the mandatory job by itself.
func (f *former) windows(block []candidate) {
	nodes := make([]int, len(block))
	for i := range block {
		nodes[i] = block[i].Nodes()
	}
	for _, w := range gain.Windows(nodes, f.room-f.nodes(f.must)) {
		if f.keep(with(f.must, block[w.From:w.To]...)) {
			return
		}
	}
	if f.must != nil {
		f.keep(f.must)
	}
}

// keep keeps a set if it gains enough, and reports whether it is the one to take.
func (f *former) keep(set []candidate) bool {
	m := f.match(set)
	if m.gain < f.least-gain.Near {
		f.noteSet(&m, log.TooLittle)
		return false
	}
	f.noteSet(&m, log.Window)
	if !f.first() {
		f.out = append(f.out, m)
		return false
	}
	if !f.good(&m) {
		return false
	}
	m.judged = true
	f.out = append(f.out, m)
	return true
}

// with returns a set with more candidates.
func with(set []candidate, more ...candidate) []candidate {
	return append(append([]candidate(nil), set...), more...)
}

// match returns the group with a set of candidates.
func (f *former) match(set []candidate) match {
	m := f.base
	m.cands = set
	for _, c := range set {
		m.group.Matched = append(m.group.Matched, c.Member)
		if c.home != nil {
			m.homes = append(m.homes, c.home)
		}
	}
	m.gain = m.group.Gain().U
	return m
}

// widen adds candidates of the further blocks to the best set as long as they fit
// and raise its gain.
func (f *former) widen(blocks [][]candidate) {
	if len(f.out) == 0 {
		return
	}
	best := f.out[0]
	for _, m := range f.out {
		if m.gain > best.gain+gain.Near {
			best = m
		}
	}
	for _, b := range blocks {
		for _, c := range b {
			set := with(best.cands, c)
			if f.nodes(set) > f.room+gain.Near {
				continue
			}
			if m := f.match(set); m.gain > best.gain+gain.Near {
				f.noteSet(&m, log.Widened)
				f.out = append(f.out, m)
				best = m
			}
		}
	}
}

// purify takes those out of the sets that do more harm than good.
func (f *former) purify() {
	for i := range f.out {
		m := &f.out[i]
		stay := m.group.Purify(len(f.must))
		if len(stay) == len(m.cands) {
			continue
		}
		set := m.set
		was := m.cands
		*m = f.match(pick(was, stay))
		m.set = set
		f.notePurged(m, was)
	}
}

func pick(all []candidate, places []int) (out []candidate) {
	for _, i := range places {
		out = append(out, all[i])
	}
	return out
}

// nodes returns the nodes of a set.
func (f *former) nodes(set []candidate) (sum float64) {
	for i := range set {
		sum += float64(set[i].Nodes())
	}
	return sum
}
