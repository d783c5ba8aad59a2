package glomarc

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
)

// match is a group that could start, or, without candidates, a job alone with as
// many processes on a node as it tolerates (Case 5).
type match struct {
	code    log.Code // the case
	set     int      // its number in the record
	primary job.Index
	home    *unit   // of a primary that runs already (Case 3)
	homes   []*unit // of matched jobs that run already (Case 2)
	cands   []candidate
	group   gain.Group
	gain    float64

	// What roomFor finds of a group.
	need     job.Need
	unit     *unit // with its nodes
	foreseen forecast

	judged  bool // it has room and is fair
	refused bool // it has not, or is not
}

// candidate is a job that could be matched.
type candidate struct {
	job   job.Index
	class policy.Class
	home  *unit // of a running one
	gain.Member
}

// either starts the job alone as dense as it can be or one of the groups, whatever
// gains most; pairs come first if they are not to be compared.
func (s *step) either(dense, groups []match) bool {
	if s.pairs() && !s.comparing {
		return s.best(groups) || s.best(dense)
	}
	return s.best(append(dense, groups...))
}

// best starts the match that gains most of those that have room and are fair, and
// reports whether there is one. Of equals the first counts. Those that gain less
// are not judged.
func (s *step) best(all []match) bool {
	for {
		best := (*match)(nil)
		for i := range all {
			if m := &all[i]; !m.refused && (best == nil || m.gain > best.gain+gain.Near) {
				best = m
			}
		}
		if best == nil {
			s.choice(nil)
			return false
		}
		if s.good(best) && s.start(best) {
			s.choice(best)
			return true
		}
		best.refused = true
	}
}

// good reports whether a match has room and, of a group, is fair.
func (s *step) good(m *match) bool {
	if m.judged {
		return true
	}
	if m.code == log.CaseAlone {
		a := m.group.Primary
		return s.fits(s.need(m.primary, a.Nodes()), duration(&a))
	}
	return s.roomFor(m) && s.fair(m)
}

// roomFor finds nodes for a group.
func (s *step) roomFor(m *match) bool {
	m.need = s.needs(m)
	room := s.room()
	has := room.Has(m.need)
	if has {
		m.unit = s.place(m)
		m.foreseen = s.forecast(m.unit)
		has = s.fits(m.need, m.foreseen.last()-s.now) && s.opens(m.need)
	}
	if !has {
		why := log.Reason{Code: log.NotForLong, Other: job.None, Y: int64(m.need.Procs)}
		if m.need.Procs > room.Procs {
			why.Code = log.NoNodes
		}
		s.judged(m, why)
	}
	return has
}

// opens reports whether jobs of other types leave the extra resources of a need now:
// a group starts as a whole or not at all.
func (s *step) opens(n job.Need) bool {
	for k := range s.extra {
		if s.p.OpenExtra(k) < n.Of(k) {
			return false
		}
	}
	return true
}

// needs returns what a group takes that its jobs do not have already.
func (s *step) needs(m *match) (n job.Need) {
	wide, matched := m.group.Primary.Nodes(), m.group.Nodes()
	switch m.code {
	case log.CaseWaiting:
		n.Procs = max(wide, matched)
	case log.CaseRunning:
		n.Procs = max(0, wide-matched)
	case log.CaseJoin:
		n.Procs = max(0, matched-wide)
	}
	for k := range s.extra {
		sum := int64(0)
		if m.home == nil {
			sum = s.p.Job(m.primary).Extra(k)
		}
		for i := range m.cands {
			if m.cands[i].home == nil {
				sum += s.p.Job(m.cands[i].job).Extra(k)
			}
		}
		n.Extra = append(n.Extra, sum)
	}
	return n
}

// start starts a match.
func (s *step) start(m *match) bool {
	if m.code == log.CaseAlone {
		return s.startAlone(m.primary, &m.group.Primary)
	}
	u, length := m.unit, m.foreseen.last()-s.now
	of := m.homes
	if m.home != nil {
		of = append(of, m.home)
	}
	there := s.slotsOf(u)
	if m.home == nil {
		why := log.Reason{Code: log.Leads, Other: job.None, X: log.Millionths(m.gain)}
		claim := s.claim(&u.primary, there)
		if !s.p.Start(m.primary, claim, why) {
			return false
		}
		there = claim.Slots
	}
	s.startMatched(u, there)
	for i := range m.cands {
		s.p.Formed(log.Group, m.cands[i].job, log.Reason{Code: m.code, Other: m.primary, X: log.Millionths(m.gain), Y: int64(len(m.cands))})
	}
	s.enter(u, of)
	s.took(m.need, length)
	return true
}

// startMatched starts the matched jobs that do not run yet beside the primary.
func (s *step) startMatched(u *unit, there cluster.Set) {
	for i := range u.matched {
		if m := &u.matched[i]; !s.started(m.job) {
			why := log.Reason{Code: log.Grouped, Other: u.primary.job}
			if m.nodes.Common(u.primary.nodes) == nil {
				why.Code = log.GroupedApart
			}
			s.p.Start(m.job, s.claim(m, there), why)
		}
	}
}
