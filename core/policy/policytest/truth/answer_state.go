package truth

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// lastHeadWait returns the last record that explains why job k waits at the head of its queue, or
// nil.
func (s *sentenceCheck) lastHeadWait(k job.Index) (last *log.Record) {
	for _, r := range s.byJob[k] {
		if r.Kind == log.Hold && r.At <= s.at && (r.Code == log.Blocked || r.Code == log.TooFewProcs || r.Code == log.LacksResource) {
			last = r
		}
	}
	return last
}

// shadowStillCurrent reports whether the job of a record still has the shadow time in that record.
func (s *sentenceCheck) shadowStillCurrent(r *log.Record) bool {
	at, _ := s.shadow(r.Job)
	return at == r.X
}

// lastWait returns the last record that gives a reason why job k waits, or nil. With
// skipPastSlices, it skips waits for a slice that has already started.
func (s *sentenceCheck) lastWait(k job.Index, skipPastSlices bool) *log.Record {
	records := s.byJob[k]
	for i := len(records) - 1; i >= 0; i-- {
		if r := records[i]; r.Kind == log.Hold && r.At <= s.at && !(skipPastSlices && r.Code == log.AwaitsSlice && r.X <= s.at) {
			return r
		}
	}
	return nil
}

// lastRecord returns the last record of the given kind for job k up to the time asked about, or
// nil.
func (s *sentenceCheck) lastRecord(k job.Index, kind log.Kind) *log.Record {
	records := s.byJob[k]
	for i := len(records) - 1; i >= 0; i-- {
		if r := records[i]; r.Kind == kind && r.At <= s.at {
			return r
		}
	}
	return nil
}

// isWaiting reports whether a job waits at the time asked about.
func (s *sentenceCheck) isWaiting(k job.Index) bool {
	return k != job.None && s.submitted(k) && !s.jobs[k].started
}

// askedJobWaits reports whether submatch i names the job asked about and that job waits.
func (s *sentenceCheck) askedJobWaits(i int) bool {
	return s.jobAt(i) == s.asked && s.isWaiting(s.asked)
}

// namesAskedOrHead reports whether submatch 1 names the head of the queue, or the job asked about
// while that job waits.
func (s *sentenceCheck) namesAskedOrHead() bool {
	return s.askedJobWaits(1) || s.queueHead() == s.jobAt(1)
}

// queueHead returns the head of the queue, in the order that the queue had when the policy last
// acted.
func (s *sentenceCheck) queueHead() job.Index {
	defer func(now job.Time) { s.now = now }(s.now)
	s.now = s.lastEvent()
	return s.head()
}

// lastEvent returns the time of the last event up to the time asked about.
func (s *sentenceCheck) lastEvent() job.Time {
	last := job.Time(0)
	for k := range s.Log.Jobs {
		if submit := s.Log.Jobs[k].Submit; submit <= s.at {
			last = max(last, submit)
		}
		if state := &s.jobs[k]; state.done {
			last = max(last, state.end)
		}
	}
	for _, outage := range s.Log.Machine.Outages {
		for _, t := range []job.Time{outage.From, outage.To} {
			if t <= s.at {
				last = max(last, t)
			}
		}
	}
	return last
}

// outageAhead reports whether job k fits now, but an outage that starts at the given time prevents it from
// running until its estimated end.
func (s *sentenceCheck) outageAhead(k job.Index, from job.Time) bool {
	starts := slices.ContainsFunc(s.Log.Machine.Outages, func(outage cluster.Outage) bool { return outage.From == from })
	return starts && s.fitsNow(k) && from > s.at && from < s.at+s.estimatedRuntime(k) && !s.runningPlan().free(from).covers(s.demand(k))
}

// namesLackingResource reports whether the sentence names a resource that job k lacks, with the right
// numbers. Submatches i to i+2 are the demand of the job, the name of the resource and its free
// amount.
func (s *sentenceCheck) namesLackingResource(k job.Index, i int) bool {
	r := s.resourceAt(i + 1)
	return s.number(i) == s.demand(k)[r] && s.number(i+2) == s.free()[r] && s.number(i+2) >= 0 && s.number(i) > s.number(i+2)
}

// namesOverusedResource reports whether the sentence names a resource of which the running jobs use more
// than is available, with the right numbers. Submatches i to i+2 are the demand of job k, the name
// of the resource and the excess.
func (s *sentenceCheck) namesOverusedResource(k job.Index, i int) bool {
	r := s.resourceAt(i + 1)
	return s.number(i) == s.demand(k)[r] && s.number(i) > 0 && s.number(i+2) > 0 && s.number(i+2) == -s.free()[r]
}

// sliceEnd returns the end of the current slice, or job.Never.
func (s *sentenceCheck) sliceEnd() job.Time {
	if s.lastSlice.X == 1 && s.lastSlice.Y > s.at {
		return s.lastSlice.Y
	}
	return job.Never
}

// reservationBlocksStart reports whether the reservation in the sentence keeps the job from
// starting on the free resources. The reservation must begin before the job would end. When the
// reservation begins, too little must be free for the job. Only the running jobs, outages and
// reservations made before the job's own count.
func (s *sentenceCheck) reservationBlocksStart() bool {
	k, other, from := s.resourceAt(2), s.jobAt(4), s.number(7)
	promised := map[job.Index]int{}
	for i := range s.AnswerChecker.applied {
		if r := s.Log.Record(i); r.Kind == log.Promise || r.Kind == log.Move {
			promised[r.Job] = i
		}
	}
	p := s.runningPlan()
	for i := range s.jobs {
		if earlier := job.Index(i); earlier != s.asked && s.isWaiting(earlier) && s.jobs[i].plannedStart != unset && s.jobs[i].plannedStart <= from && promised[earlier] < promised[s.asked] {
			p.allocate(s.demand(earlier), s.jobs[i].plannedStart, s.jobs[i].plannedStart+s.estimatedRuntime(earlier))
		}
	}
	return s.number(1) == s.free()[k] && s.number(3) == s.estimatedRuntime(s.asked) && s.fitsNow(s.asked) && other != s.asked && s.isWaiting(other) && s.jobs[other].plannedStart == from &&
		promised[other] < promised[s.asked] && s.number(5) == s.demand(other)[k] && s.resourceAt(6) == k && from < s.at+s.estimatedRuntime(s.asked) && p.free(from)[k] < s.demand(s.asked)[k]
}
