package glomarc

import (
	"cmp"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// option holds what could start next: a group, or a job alone with PPN 4 (Case 5).
type option struct {
	code    log.Code // the case
	number  int      // number of the set in the log
	primary candidate
	matched []candidate
	group   gain.Group
	gain    float64    // U_gain
	placed  *placement // nil until acceptable has found that the group fits and is fair
}

// formation holds the search for the groups of one primary A.
type formation struct {
	s        *state
	code     log.Code    // the case
	primary  *candidate  // A
	required []candidate // the job that each set must contain; nil if there is none
	limit    float64     // maximum number of nodes of the matched jobs of a set
}

// form returns the groups of primary a with sets of the given jobs whose gain is at least
// MIN_UTILGAIN. Each set contains the job must, unless must is job.None.
func (s *state) form(code log.Code, a *candidate, jobs []candidate, must job.Index) []option {
	s.recordPrimary(code, a)
	if code == log.CaseWaiting && a.Nodes() > s.free.Count() {
		return nil
	}
	f := formation{s: s, code: code, primary: a, limit: gain.NodeLimit(a.Nodes(), s.g.matchedExceedPrim)}
	f.required, jobs = s.preselect(a, jobs, must)
	if must != job.None && (f.required == nil || !f.within(f.required)) {
		return nil
	}
	switch {
	case s.g.pairs():
		return f.keep(f.singles(jobs))
	case s.g.variant == nh:
		return f.keep(f.windows(jobs))
	}
	n := min(s.g.blockSize, len(jobs))
	groups := f.keep(f.windows(s.sorted(jobs[:n])))
	if s.g.variant != fbo {
		groups = f.widen(groups, jobs[n:])
	}
	f.purify(groups)
	return groups
}

// preselect returns the jobs that can be matched with primary a. Such a job has the type of a. The
// two jobs slow each other down by at most MAX_SL, and the job ends at most MAX_MATCHED_LONGER_PRIM
// after a. The job must is returned separately.
func (s *state) preselect(a *candidate, jobs []candidate, must job.Index) (required, others []candidate) {
	for i := range jobs {
		if jobs[i].class != a.class || jobs[i].job == a.job {
			continue
		}
		c := jobs[i]
		c.Suffers, c.Causes = slCos(s.p, c.job, a.job), slCos(s.p, a.job, c.job)
		pair := gain.Group{Primary: a.Job, Matched: []gain.Member{c.Member}}
		fit := s.g.Fit(&pair, 0)
		s.recordCandidate(&c, a, &pair, fit)
		switch {
		case fit != gain.Suited:
		case c.job == must:
			required = []candidate{c}
		default:
			others = append(others, c)
		}
	}
	return required, others
}

// sorted sorts a block by decreasing work left, except in the variant ns, and returns it.
func (s *state) sorted(block []candidate) []candidate {
	if s.g.variant != ns {
		slices.SortStableFunc(block, func(a, b candidate) int { return cmp.Compare(b.Left, a.Left) })
	}
	return block
}

// singles returns the sets of one job that are within the limit. If there is a required job, the
// only set consists of it.
func (f *formation) singles(jobs []candidate) (sets [][]candidate) {
	if f.required != nil {
		return [][]candidate{f.required}
	}
	for i := range jobs {
		if set := jobs[i : i+1]; f.within(set) {
			sets = append(sets, set)
		}
	}
	return sets
}

// windows returns sets of consecutive jobs in a block, each with as many jobs as fit. If there is a
// required job, each set also contains it, and the last set contains nothing else.
func (f *formation) windows(block []candidate) (sets [][]candidate) {
	wide := make([]int, len(block))
	for i := range block {
		wide[i] = block[i].Nodes()
	}
	for _, w := range gain.Windows(wide, f.limit-nodes(f.required)) {
		sets = append(sets, slices.Concat(f.required, block[w.From:w.To]))
	}
	if f.required != nil {
		sets = append(sets, f.required)
	}
	return sets
}

// keep returns the groups of the sets with a gain of at least MIN_UTILGAIN. For variants that take
// the first acceptable group, it returns only this group.
func (f *formation) keep(sets [][]candidate) (groups []option) {
	for _, set := range sets {
		o := f.option(set)
		if o.gain < f.s.g.minUtilGain-gain.Tolerance {
			f.s.recordSet(&o, log.TooLittle)
			continue
		}
		f.s.recordSet(&o, log.Window)
		if !f.s.g.takesFirst() {
			groups = append(groups, o)
		} else if f.s.acceptable(&o) {
			return []option{o}
		}
	}
	return groups
}

// widen adds jobs of the later blocks to the best group, one at a time, if they fit and raise its
// gain. It returns the given groups and each improved group.
func (f *formation) widen(groups []option, later []candidate) []option {
	if len(groups) == 0 {
		return nil
	}
	best := groups[largest(groups)]
	for block := range slices.Chunk(later, f.s.g.blockSize) {
		for _, c := range f.s.sorted(block) {
			set := append(slices.Clone(best.matched), c)
			if !f.within(set) {
				continue
			}
			if o := f.option(set); o.gain > best.gain+gain.Tolerance {
				f.s.recordSet(&o, log.Widened)
				groups = append(groups, o)
				best = o
			}
		}
	}
	return groups
}

// purify repeatedly removes from each group the matched job that slows the primary down most, as
// long as the gain does not fall.
func (f *formation) purify(groups []option) {
	for i := range groups {
		o := &groups[i]
		stay := o.group.Purify(len(f.required))
		if len(stay) == len(o.matched) {
			continue
		}
		var set []candidate
		for _, k := range stay {
			set = append(set, o.matched[k])
		}
		purified := f.option(set)
		purified.number = o.number
		f.s.recordPurged(&purified, o.matched)
		*o = purified
	}
}

// option returns the group that consists of the primary and a set of jobs.
func (f *formation) option(set []candidate) option {
	o := option{code: f.code, primary: *f.primary, matched: set}
	o.group.Primary = f.primary.Job
	for i := range set {
		o.group.Matched = append(o.group.Matched, set[i].Member)
	}
	o.gain = o.group.Gain().U
	return o
}

// within reports whether the number of nodes of a set is within the limit.
func (f *formation) within(set []candidate) bool { return nodes(set) <= f.limit+gain.Tolerance }

// nodes returns the number of nodes that the jobs of a set need together.
func nodes(set []candidate) (sum float64) {
	for i := range set {
		sum += float64(set[i].Nodes())
	}
	return sum
}
