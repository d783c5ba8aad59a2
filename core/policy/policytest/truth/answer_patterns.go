package truth

import (
	"regexp"
	"slices"
	"strings"

	"backfill-lab/core/log"
)

// patterns holds the sentences that an answer may contain. The function isTrue reports whether the
// sentence is true at the time that the question asks about. The patterns are in the singular (see
// toSingular).
var patterns = []struct {
	pattern *regexp.Regexp
	isTrue  func(s *sentenceCheck) bool
}{
	// Sentences about a waiting job.
	{sentencePattern("Job J is not submitted yet."), func(s *sentenceCheck) bool { return s.jobAt(1) == s.asked && !s.submitted(s.asked) }},
	{sentencePattern("Job J waits."), func(s *sentenceCheck) bool { return s.askedJobWaits(1) && s.at == s.Log.Jobs[s.asked].Submit }},
	{sentencePattern("Job J has waited N s so far."), func(s *sentenceCheck) bool {
		return s.askedJobWaits(1) && s.number(2) > 0 && s.number(2) == s.at-s.Log.Jobs[s.asked].Submit
	}},
	{sentencePattern("Job J is moldable; as currently planned, it will run on N processor for N s."), func(s *sentenceCheck) bool {
		return s.askedJobWaits(1) && int64(s.jobs[s.asked].procs) == s.number(2) && s.estimatedRuntime(s.asked) == s.number(3)
	}},
	{sentencePattern("It needs N R and N is free."), func(s *sentenceCheck) bool { return s.jobStatus() == "waiting" && s.namesLackingResource(s.asked, 1) }},
	{sentencePattern("Job J needs N R and N is free."), func(s *sentenceCheck) bool { return s.namesAskedOrHead() && s.namesLackingResource(s.jobAt(1), 2) }},
	{sentencePattern("It needs N R, but the running jobs already use N more than are available."), func(s *sentenceCheck) bool { return s.jobStatus() == "waiting" && s.namesOverusedResource(s.asked, 1) }},
	{sentencePattern("Job J needs N R, but the running jobs already use N more than are available."), func(s *sentenceCheck) bool { return s.namesAskedOrHead() && s.namesOverusedResource(s.jobAt(1), 2) }},
	{sentencePattern("Job J does not fit: only N processor is free."), func(s *sentenceCheck) bool {
		return s.askedJobWaits(1) && s.number(2) == s.free()[0] && s.number(2) < s.demand(s.asked)[0]
	}},
	{sentencePattern("Job J would fit, but may still be running at N, when an outage takes processor that it needs."), func(s *sentenceCheck) bool {
		return s.isWaiting(s.jobAt(1)) && (s.jobAt(1) == s.asked || s.jobAt(1) == s.queueHead()) && s.outageAhead(s.jobAt(1), s.number(2))
	}},
	{sentencePattern("Job J waits behind job J, which is first in the queue and does not fit."), func(s *sentenceCheck) bool {
		return s.askedJobWaits(1) && s.queueHead() == s.jobAt(2) && s.jobAt(2) != s.asked && !s.fitsNow(s.jobAt(2))
	}},
	{sentencePattern("Job J waits behind job J, which is first in the queue."), func(s *sentenceCheck) bool {
		return s.askedJobWaits(1) && s.queueHead() == s.jobAt(2) && s.jobAt(2) != s.asked
	}},
	{sentencePattern("Job J waits behind job J, which is first in the queue and has an estimated start of N."), func(s *sentenceCheck) bool {
		at, _ := s.shadow(s.jobAt(2))
		return s.askedJobWaits(1) && s.queueHead() == s.jobAt(2) && s.jobAt(2) != s.asked && at == s.number(3)
	}},
	{sentencePattern("Job J waits behind job J, which is first in the queue of its type."), func(s *sentenceCheck) bool {
		return s.askedJobWaits(1) && s.inSlices && s.queueHead() == s.jobAt(2) && s.jobAt(2) != s.asked
	}},
	{sentencePattern("Enough processor is free now, but by its estimate, it would run until N. At N, it would still need N R, but the first job in the queue leaves only N."), func(s *sentenceCheck) bool {
		at, spare := s.shadow(s.queueHead())
		k := s.resourceAt(4)
		return s.fitsNow(s.asked) && s.number(1) == s.at+s.estimatedRuntime(s.asked) && s.number(2) == at && s.number(1) > at &&
			s.number(3) == s.demand(s.asked)[k] && s.number(5) == max(0, spare[k]) && s.number(3) > s.number(5)
	}},
	{sentencePattern("N processor is free, enough for it without delaying job J; the log does not say why it was not started."), func(s *sentenceCheck) bool {
		at, spare := s.shadow(s.queueHead())
		return s.number(1) == s.free()[0] && s.queueHead() == s.jobAt(2) && s.fitsNow(s.asked) && (s.at+s.estimatedRuntime(s.asked) <= at || spare.covers(s.demand(s.asked)))
	}},
	{sentencePattern("N processor is free, enough for it; the log does not say why it was not started."), func(s *sentenceCheck) bool {
		return s.number(1) == s.free()[0] && s.free().covers(s.demand(s.asked)) && s.jobStatus() == "waiting"
	}},
	{sentencePattern("This log does not record the sizes that are planned for moldable jobs."), func(s *sentenceCheck) bool { return s.answer.Brief && s.jobStatus() == "waiting" }},
	{sentencePattern("At N, job J got a reservation from N. This log does not record how reservations move afterwards."), func(s *sentenceCheck) bool {
		return s.answer.Brief && s.askedJobWaits(2) && slices.ContainsFunc(s.byJob[s.asked], func(r *log.Record) bool {
			return r.Kind == log.Promise && r.At == s.number(1) && r.X == s.number(3) && r.At <= s.answer.At
		})
	}},
	{sentencePattern("Job J holds a reservation from N."), func(s *sentenceCheck) bool { return s.askedJobWaits(1) && s.jobs[s.asked].plannedStart == s.number(2) }},
	{sentencePattern("Job J holds a reservation from N: at its submission, this was the earliest start that delayed no earlier job."), func(s *sentenceCheck) bool {
		return s.askedJobWaits(1) && s.jobs[s.asked].plannedStart == s.number(2) && s.jobs[s.asked].lastMove.At == unset
	}},
	{sentencePattern("N R is free now, but the job may run for N s, and job J holds a reservation of N R from N."), (*sentenceCheck).reservationBlocksStart},
	{sentencePattern("Job J waits for a time slice of its type, or for idle processor in a slice of another type."), func(s *sentenceCheck) bool {
		return s.askedJobWaits(1) && s.inSlices && s.currentSliceType() != s.typeOf(s.asked)
	}},
	{sentencePattern("Job J waits behind job J, which was submitted earlier and is itself blocked."), func(s *sentenceCheck) bool {
		return s.askedJobWaits(1) && s.inSlices && s.jobAt(2) < s.asked && s.typeOf(s.jobAt(2)) == s.typeOf(s.asked) && s.isWaiting(s.jobAt(2))
	}},

	// Sentences about a started job.
	{sentencePattern("Job J started at N, N s after its submission."), func(s *sentenceCheck) bool {
		return s.jobAt(1) == s.asked && s.jobs[s.asked].started && s.number(2) == s.firstStart[s.asked] && s.number(3) > 0 && s.number(3) == s.number(2)-s.Log.Jobs[s.asked].Submit
	}},
	{sentencePattern("Job J started at N, as soon as it was submitted."), func(s *sentenceCheck) bool {
		return s.jobAt(1) == s.asked && s.jobs[s.asked].started && s.number(2) == s.firstStart[s.asked] && s.number(2) == s.Log.Jobs[s.asked].Submit
	}},
	{sentencePattern("When it was submitted, 1 earlier job was still waiting. That job started before it."), func(s *sentenceCheck) bool {
		waited, earlier, _ := s.countDuringWait()
		return s.jobs[s.asked].started && waited == 1 && earlier == 1
	}},
	{sentencePattern("When it was submitted, N earlier jobs were still waiting; N of them started before it."), func(s *sentenceCheck) bool {
		waited, earlier, _ := s.countDuringWait()
		return s.jobs[s.asked].started && s.number(1) == waited && s.number(2) == earlier
	}},
	{sentencePattern("N job submitted later started before it."), func(s *sentenceCheck) bool {
		_, _, later := s.countDuringWait()
		return s.jobs[s.asked].started && s.number(1) == later
	}},
	{sentencePattern("Its promised start was N; it started N s early."), func(s *sentenceCheck) bool {
		return s.number(1) == s.firstPromise() && s.number(2) > 0 && s.number(1)-s.number(2) == s.firstStart[s.asked]
	}},
	{sentencePattern("Its promised start was N; it started N s late."), func(s *sentenceCheck) bool {
		return s.number(1) == s.firstPromise() && s.number(2) > 0 && s.number(1)+s.number(2) == s.firstStart[s.asked]
	}},
	{sentencePattern("Its promised start was N; it started on time."), func(s *sentenceCheck) bool {
		return s.number(1) == s.firstPromise() && s.number(1) == s.firstStart[s.asked]
	}},
	{sentencePattern("Job J ended at N, N s before its estimate, and released N processor."), func(s *sentenceCheck) bool {
		l := &s.jobs[s.jobAt(1)]
		return l.done && l.end == s.number(2) && l.estimatedEnd-l.end == s.number(3) && int64(l.procs) == s.number(4) && s.starts[s.asked].Other == s.jobAt(1)
	}},
	{regexp.MustCompile(`^At (\d+), (job \S+ ended and released \d+ processor.*)\.$`), (*sentenceCheck).listsEndedJobs},
	{sentencePattern("Also at t = N, the planned start of job J moved from N to N."), func(s *sentenceCheck) bool {
		return s.number(1) == s.firstStart[s.asked] && slices.ContainsFunc(s.byTime[s.number(1)], func(r *log.Record) bool {
			return r.Kind == log.Move && r.Job == s.jobAt(2) && r.Job != s.asked && r.X == s.number(3) && r.Y == s.number(4)
		})
	}},
	{sentencePattern("According to its estimate, it ends at N."), func(s *sentenceCheck) bool {
		return s.jobs[s.asked].running && s.number(1) == s.estimatedEnd(s.asked) && (!s.inSlices || s.number(1) <= s.sliceEnd())
	}},
	{sentencePattern("According to its estimate, it needs N s more; the time slice ends at N."), func(s *sentenceCheck) bool {
		return s.jobs[s.asked].running && s.number(1) == s.estimatedEnd(s.asked)-s.at && s.number(2) == s.sliceEnd() && s.estimatedEnd(s.asked) > s.number(2)
	}},
	{sentencePattern("It was suspended at N and will resume on the same processor."), func(s *sentenceCheck) bool {
		r := s.lastRecord(s.asked, log.Suspend)
		return s.jobStatus() == "suspended" && r != nil && r.At == s.number(1)
	}},

	// Sentences about a group of jobs that share nodes.
	{sentencePattern("Job J of the group runs at F s of work per second."), func(s *sentenceCheck) bool {
		l := &s.jobs[s.jobAt(1)]
		return s.inSameGroup(s.jobAt(1)) && l.running && s.match[2] == formatRate(l.rate)
	}},
	{sentencePattern("Job J of the group is not running."), func(s *sentenceCheck) bool { return s.inSameGroup(s.jobAt(1)) && !s.jobs[s.jobAt(1)].running }},
	{sentencePattern("The group ended at N: by then, its primary job or all its other jobs had ended."), func(s *sentenceCheck) bool {
		primary, matched, _ := s.lastGroup()
		return len(matched) > 0 && s.groupEnd(primary, matched) == s.number(1) && s.number(1) <= s.at
	}},
}

// sentencePattern returns the pattern for a sentence. In the sentence, J stands for a job, N for an
// integer, F for a decimal number and R for a resource.
func sentencePattern(sentence string) *regexp.Regexp {
	pattern := regexp.QuoteMeta(sentence)
	pattern = regexp.MustCompile(`\bN\b`).ReplaceAllString(pattern, `(-?\d+)`)
	pattern = regexp.MustCompile(`\bF\b`).ReplaceAllString(pattern, `(-?[\d.]+(?:e-?\d+)?)`)
	pattern = regexp.MustCompile(`\bJ\b`).ReplaceAllString(pattern, `(\S+?)`)
	pattern = regexp.MustCompile(`\bR\b`).ReplaceAllString(pattern, `(processor|of \S+)`)
	return regexp.MustCompile("^" + pattern + "$")
}

// toSingular rewrites sentences to the singular and the present tense, so that one pattern matches
// all forms of a sentence.
var toSingular = strings.NewReplacer("processors were", "processor is", "processor was", "processor is", "processors are", "processor is",
	"processors stay", "processor stays", "processors", "processor", " are free", " is free",
	" were free", " is free", " was free", " is free", "processes", "process", "nodes", "node", " jobs submitted", " job submitted", " more jobs ended", " more job ended")
