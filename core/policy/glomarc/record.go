package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// full reports whether the formation of groups is recorded.
func (s *step) full() bool { return s.p.Level() >= log.Full }

// noteForm records that a primary is tried.
func (f *former) noteForm() {
	if f.full() {
		f.p.Formed(log.Form, f.base.primary, log.Reason{Code: f.base.code, Other: job.None,
			X: int64(f.base.group.Primary.Nodes()), Y: int64(f.open.Count())})
	}
}

// fits is the reasons for which candidates suit or not.
var fits = [...]log.Code{gain.Suited: log.Suited, gain.SlowedDown: log.SlowedDown, gain.SlowsPrimary: log.SlowsPrimary, gain.RunsLonger: log.RunsLonger}

// noteCandidate records what becomes of a candidate.
func (f *former) noteCandidate(c *candidate, g *gain.Group, fit gain.Fit) {
	if f.full() {
		f.p.Formed(log.Candidate, c.job, log.Reason{Code: fits[fit], Other: f.base.primary, X: log.Millionths(g.Slow(0)), Y: log.Millionths(g.Burden(0))})
	}
}

// noteSet gives a set its number and records what it gains.
func (s *step) noteSet(m *match, code log.Code) {
	s.sets++
	m.set = s.sets
	if !s.full() {
		return
	}
	for i := range m.cands {
		s.p.Formed(log.Member, m.cands[i].job, log.Reason{Other: job.None, X: int64(m.set)})
	}
	s.p.Formed(log.Gains, m.primary, log.Reason{Code: code, Other: job.None, X: int64(m.set), Y: signed(m.gain)})
}

// signed returns a gain, which can be a loss, in millionths.
func signed(u float64) int64 {
	if u < 0 {
		return -log.Millionths(-u)
	}
	return log.Millionths(u)
}

// notePurged records who was taken out of a set.
func (f *former) notePurged(m *match, was []candidate) {
	if !f.full() {
		return
	}
	for _, c := range was {
		if !slices.ContainsFunc(m.cands, func(x candidate) bool { return x.job == c.job }) {
			f.p.Formed(log.Purge, c.job, log.Reason{Other: job.None, X: int64(m.set), Y: signed(m.gain)})
		}
	}
}

// judged records what becomes of a group.
func (s *step) judged(m *match, why log.Reason) {
	if s.full() {
		why.X = int64(m.set)
		s.p.Formed(log.Judge, m.primary, why)
	}
}

// choice records which of the sets of a job starts, if there were any.
func (s *step) choice(m *match) {
	if s.sets == 0 {
		return
	}
	if m == nil {
		s.p.Choice(0, s.sets, log.NoReason)
	} else {
		s.p.Choice(m.set, s.sets, m.code)
	}
	s.sets = 0
}
