package glomarc

import (
	"cmp"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// option holds what the policy could start next: a group, or a job alone with four processes per
// node (Case 5).
type option struct {
	code    log.Code // the case of the thesis (Case 1, 2, 3 or 5)
	number  int      // number of the set in the log records, from 1
	primary candidate
	matched []candidate // empty for a job alone
	group   gain.Group  // primary and matched, as used in the formulas; unset for a job alone
	gain    float64     // U_gain
	placed  *placement  // nil until isAcceptable has found that the group fits and is fair
}

// formation holds the state of the search for the groups of one primary A.
type formation struct {
	s        *state
	code     log.Code    // the case of the thesis (Case 1, 2 or 3)
	primary  *candidate  // A
	required []candidate // the one job that each set must contain; nil if there is none
	limit    float64     // maximum number of nodes of the matched jobs of a set
}

// formGroups returns the groups that the primary a can form with sets of the given jobs. Each group
// has at least the gain MIN_UTILGAIN (the knob min-gain). Each set contains the job requiredJob, unless
// requiredJob is job.None. In variants that take the first acceptable group, it returns only this group.
func (s *state) formGroups(code log.Code, a *candidate, jobs []candidate, requiredJob job.Index) []option {
	s.recordPrimary(code, a)
	if code == log.CaseWaiting && a.Nodes() > s.freeNodes.Count() {
		return nil
	}
	f := formation{s: s, code: code, primary: a, limit: gain.NodeLimit(a.Nodes(), s.g.matchedExceedPrim)}
	f.required, jobs = s.preselect(a, jobs, requiredJob)
	if requiredJob != job.None && (f.required == nil || !f.withinLimit(f.required, 0)) {
		return nil
	}
	switch {
	case s.g.onlyPairs():
		return f.withMinGain(f.singleJobSets(jobs))
	case s.g.variant == nh:
		return f.withMinGain(f.windowSets(jobs))
	}
	n := min(s.g.blockSize, len(jobs))
	groups := f.withMinGain(f.windowSets(s.sortBlock(jobs[:n])))
	if s.g.variant != fbo {
		groups = f.addLaterJobs(groups, jobs[n:])
	}
	f.purify(groups)
	return groups
}

// preselect returns the jobs that can be matched with the primary a. Such a job has the same type
// as the primary. The two jobs slow each other down by at most MAX_SL, and the matched job ends at
// most MAX_MATCHED_LONGER_PRIM after the primary (see gain.Limits). If the job requiredJob can be
// matched, preselect returns it separately from the other jobs.
func (s *state) preselect(a *candidate, jobs []candidate, requiredJob job.Index) (required, others []candidate) {
	var suited []int // indices in jobs
	for i := range jobs {
		c := &jobs[i]
		if c.class != a.class || c.job == a.job {
			continue
		}
		pair := s.pairWith(a, c)
		fit := s.g.Fit(pair, 0)
		s.recordCandidate(c, a, pair, fit)
		switch {
		case fit != gain.Suited:
		case c.job == requiredJob:
			required = []candidate{*c}
		default:
			suited = append(suited, i)
		}
	}
	others = make([]candidate, len(suited)) // filled by index, because append would copy these large elements whenever the slice grows
	for k, i := range suited {
		others[k] = jobs[i]
	}
	return required, others
}

// sortBlock sorts a block of candidates by decreasing work left, except in the variant ns, and returns it.
func (s *state) sortBlock(block []candidate) []candidate {
	if s.g.variant != ns {
		slices.SortStableFunc(block, func(a, b candidate) int { return cmp.Compare(b.Left, a.Left) })
	}
	return block
}

// singleJobSets returns a set of one job for each job that is within the node limit. If there is a required
// job, it returns only the set of that job.
func (f *formation) singleJobSets(jobs []candidate) (sets [][]candidate) {
	if f.required != nil {
		return [][]candidate{f.required}
	}
	for i := range jobs {
		if set := jobs[i : i+1]; f.withinLimit(set, 0) {
			sets = append(sets, set)
		}
	}
	return sets
}

// windowSets returns sets of consecutive jobs in a block, each with as many jobs as the node limit
// allows. If there is a required job, each set also contains that job, and the last set contains only
// that job.
func (f *formation) windowSets(block []candidate) (sets [][]candidate) {
	nodeCounts := make([]int, len(block))
	for i := range block {
		nodeCounts[i] = block[i].Nodes()
	}
	for _, w := range gain.Windows(nodeCounts, f.limit-nodeCount(f.required)) {
		sets = append(sets, slices.Concat(f.required, block[w.From:w.To]))
	}
	if f.required != nil {
		sets = append(sets, f.required)
	}
	return sets
}

// withMinGain forms a group from each set, and returns the groups that gain enough (at least the knob
// min-gain). In variants that take the first acceptable group, it returns only this group.
func (f *formation) withMinGain(sets [][]candidate) (groups []option) {
	for _, set := range sets {
		o := f.newOption(set)
		if o.gain < f.s.g.minUtilGain-gain.Tolerance {
			f.s.recordSet(&o, log.TooLittleGain)
			continue
		}
		f.s.recordSet(&o, log.EnoughGain)
		if !f.s.g.takesFirst() {
			groups = append(groups, o)
		} else if f.s.isAcceptable(&o) {
			return []option{o}
		}
	}
	return groups
}

// addLaterJobs tries to add more jobs to the group with the largest gain. It goes through laterJobs block by block, and
// adds a job if this raises the gain and stays within the node limit. It returns the given groups and each improved
// group.
func (f *formation) addLaterJobs(groups []option, laterJobs []candidate) []option {
	if len(groups) == 0 {
		return nil
	}
	best := groups[largestGain(groups)]
	for block := range slices.Chunk(laterJobs, f.s.g.blockSize) {
		if !f.withinLimit(best.matched, 1) {
			break
		}
		for _, c := range f.s.sortBlock(block) {
			if !f.withinLimit(best.matched, c.Nodes()) {
				continue
			}
			if o := f.newOption(append(slices.Clone(best.matched), c)); o.gain > best.gain+gain.Tolerance {
				f.s.recordSet(&o, log.JobAdded)
				groups = append(groups, o)
				best = o
			}
		}
	}
	return groups
}

// purify removes from each group the matched job that slows the primary down most, and repeats this
// as long as the gain does not fall.
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
		purified := f.newOption(set)
		purified.number = o.number
		f.s.recordPurged(&purified, o.matched)
		*o = purified
	}
}

// newOption returns the group that consists of the primary and a set of jobs.
func (f *formation) newOption(set []candidate) option {
	o := option{code: f.code, primary: *f.primary, matched: set}
	o.group.Primary = f.primary.Job
	for i := range set {
		o.group.Matched = append(o.group.Matched, set[i].Member)
	}
	o.gain = o.group.Gain().U
	return o
}

// withinLimit reports whether the nodes of a set, plus the given number of further nodes, are within the
// node limit.
func (f *formation) withinLimit(set []candidate, further int) bool {
	return nodeCount(set)+float64(further) <= f.limit+gain.Tolerance
}

// nodeCount returns the number of nodes that the jobs of a set need together.
func nodeCount(set []candidate) (sum float64) {
	for i := range set {
		sum += float64(set[i].Nodes())
	}
	return sum
}
