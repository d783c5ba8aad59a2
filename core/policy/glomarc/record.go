package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// recordsSearch reports whether the log level includes the records about how groups are formed.
func (s *state) recordsSearch() bool { return s.p.Level() >= log.Full }

// recordPrimary records that the policy forms groups with primary a.
func (s *state) recordPrimary(code log.Code, a *candidate) {
	if s.recordsSearch() {
		s.p.RecordDecision(log.PrimaryTried, a.job, log.Reason{Code: code, Other: job.None, X: int64(a.Nodes()), Y: int64(s.freeNodes.Count())})
	}
}

// fitCodes holds, for each result of Limits.Fit, the code to record.
var fitCodes = [...]log.Code{gain.Suited: log.Suited, gain.SlowedDown: log.SlowedDown, gain.SlowsPrimary: log.SlowsPrimary, gain.RunsLonger: log.RunsLonger}

// recordCandidate records whether job c could be matched with primary a.
func (s *state) recordCandidate(c, a *candidate, pair *gain.Group, fit gain.Fit) {
	if s.recordsSearch() {
		s.p.RecordDecision(log.Candidate, c.job, log.Reason{Code: fitCodes[fit], Other: a.job, X: log.Millionths(pair.MatchedSlowdown(0)), Y: log.Millionths(pair.PrimarySlowdown(0))})
	}
}

// recordSet numbers a set and records its jobs and its gain.
func (s *state) recordSet(o *option, code log.Code) {
	s.setCount++
	o.number = s.setCount
	if !s.recordsSearch() {
		return
	}
	for i := range o.matched {
		s.p.RecordDecision(log.Member, o.matched[i].job, log.Reason{Other: job.None, X: int64(o.number)})
	}
	s.p.RecordDecision(log.Gains, o.primary.job, log.Reason{Code: code, Other: job.None, X: int64(o.number), Y: signedMillionths(o.gain)})
}

// signedMillionths returns a gain, which may be negative, in millionths.
func signedMillionths(u float64) int64 {
	if u < 0 {
		return -log.Millionths(-u)
	}
	return log.Millionths(u)
}

// recordPurged records which jobs purify removed from a set. The argument purified is the set after
// the removal, and oldMatched holds the matched jobs before the removal.
func (s *state) recordPurged(purified *option, oldMatched []candidate) {
	if !s.recordsSearch() {
		return
	}
	for _, c := range oldMatched {
		if !slices.ContainsFunc(purified.matched, func(m candidate) bool { return m.job == c.job }) {
			s.p.RecordDecision(log.Purge, c.job, log.Reason{Other: job.None, X: int64(purified.number), Y: signedMillionths(purified.gain)})
		}
	}
}

// recordVerdict records whether a group fits and is fair, or why not.
func (s *state) recordVerdict(o *option, why log.Reason) {
	if s.recordsSearch() {
		why.X = int64(o.number)
		s.p.RecordDecision(log.GroupVerdict, o.primary.job, why)
	}
}

// recordChoice records that the policy starts option o, one of the sets recorded since the last
// choice. If o is nil, it records that none of these sets starts.
func (s *state) recordChoice(o *option) {
	switch {
	case s.setCount == 0:
	case o == nil:
		s.p.RecordDecision(log.Choice, job.None, log.Reason{Other: job.None, Y: int64(s.setCount)})
	default:
		s.p.RecordDecision(log.Choice, job.None, log.Reason{Code: o.code, Other: job.None, X: int64(o.number), Y: int64(s.setCount)})
	}
	s.setCount = 0
}
