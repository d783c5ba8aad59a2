package truth

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// checkHolders checks the list of running jobs. If the job waits, the list must be complete, correct
// and sorted by estimated end, or by the end of the time slice if that is earlier. Otherwise it must
// be empty.
func (ac *AnswerChecker) checkHolders() {
	answer, j := ac.answer, ac.checker
	if ac.jobStatus() != "waiting" {
		if len(answer.Holders) > 0 || answer.MoreHolders > 0 {
			ac.fail("the answer lists running jobs, although the job does not wait")
		}
		return
	}
	running, short := j.running(anyJob), j.free().firstLacking(j.demand(answer.Job))
	sliceEnd := job.Never
	if j.inSlices && j.lastSlice.X == 1 && j.lastSlice.Y > j.now {
		sliceEnd = j.lastSlice.Y
	}
	until := func(k job.Index) job.Time { return min(sliceEnd, j.estimatedEnd(k)) }
	slices.SortStableFunc(running, func(p, q job.Index) int { return cmp.Or(cmp.Compare(until(p), until(q)), cmp.Compare(p, q)) })
	if len(answer.Holders)+answer.MoreHolders != len(running) {
		ac.fail("%d jobs are on the machine, not %d and %d more", len(running), len(answer.Holders), answer.MoreHolders)
		return
	}
	var want []Line
	for _, k := range running[:len(answer.Holders)] {
		s := fmt.Sprintf("Job %s holds %d processors", ac.checker.jobID(k), j.demand(k)[0])
		if short > 0 {
			s += fmt.Sprintf(" and %d of %s", j.demand(k)[short], ac.runCase.Log.Machine.Resources[short-1].Name)
		}
		if until(k) == sliceEnd {
			s += fmt.Sprintf(" until the time slice ends at %d.", sliceEnd)
		} else {
			s += fmt.Sprintf(" until %d, its estimated end.", until(k))
		}
		want = append(want, Line{"", s})
	}
	ac.compareLines("holders", answer.Holders, want)
}

// checkOvertakers checks the list of jobs that were submitted later but started first. The
// list must be complete, sorted by start, and give the right reasons.
func (ac *AnswerChecker) checkOvertakers() {
	answer, until := ac.answer, ac.answer.At+1
	if r := ac.starts[answer.Job]; r != nil {
		until = min(until, r.At)
	}
	var want []Line
	for k, r := range ac.starts {
		if k > int(answer.Job) && r != nil && r.At < until && r.At >= ac.runCase.Log.Jobs[answer.Job].Submit {
			want = append(want, Line{"", fmt.Sprintf("At %d: ", r.At) + sentenceAfterColon(ac.reasonText(r))})
		}
	}
	if len(answer.Overtakers)+answer.MoreOvertakers != len(want) {
		ac.fail("%d jobs overtook it, not %d and %d more", len(want), len(answer.Overtakers), answer.MoreOvertakers)
		return
	}
	for _, line := range answer.Overtakers {
		i := slices.IndexFunc(want, func(w Line) bool { return w.Text == toSingular.Replace(line.Text) })
		if i < 0 {
			ac.fail("%s is untrue", line.Text)
			return
		}
		ac.sentenceCounts["overtakers"]++
		want = slices.Delete(want, i, i+1)
	}
	startTimeOf := func(line Line) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(strings.SplitN(line.Text, ":", 2)[0], "At "))
		return n
	}
	if !slices.IsSortedFunc(answer.Overtakers, func(p, q Line) int { return startTimeOf(p) - startTimeOf(q) }) {
		ac.fail("the overtaking jobs are not sorted by start")
	}
}

// countDuringWait returns three numbers of jobs: the jobs submitted earlier that still waited when
// the job asked about was submitted, how many of them started before this job, and the jobs
// submitted later that started before this job.
func (s *sentenceCheck) countDuringWait() (waited, earlier, later int64) {
	submit, start := s.Log.Jobs[s.asked].Submit, s.firstStart[s.asked]
	for k, r := range s.starts {
		waits := s.Log.Jobs[k].Submit <= submit && (r == nil || r.At > submit)
		first := r != nil && r.At < start
		switch {
		case k < int(s.asked) && waits:
			waited++
			if first {
				earlier++
			}
		case k > int(s.asked) && first:
			later++
		}
	}
	return waited, earlier, later
}

// listsEndedJobs reports whether a sentence correctly lists the jobs that ended when the job asked
// about started. The list omits the job that the reason for the start names. It names at most three
// jobs and gives the number of the others.
func (s *sentenceCheck) listsEndedJobs() bool {
	at, parts, ended, named := s.number(1), strings.Split(s.match[2], "; "), 0, 0
	for i := range s.jobs {
		if k := &s.jobs[i]; !k.done || k.end != at || s.firstStart[i] == at || s.starts[s.asked].Other == job.Index(i) {
			continue
		}
		ended++
		if slices.Contains(parts, fmt.Sprintf("job %s ended and released %d processor", s.jobID(job.Index(i)), s.jobs[i].procs)) {
			named++
		}
	}
	if rest := fmt.Sprintf("%d more job ended", ended-3); ended > 3 && parts[len(parts)-1] == rest {
		return at == s.firstStart[s.asked] && named == 3 && len(parts) == 4
	}
	return at == s.firstStart[s.asked] && named == ended && len(parts) == ended
}
