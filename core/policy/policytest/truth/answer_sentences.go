package truth

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// sentenceCheck holds the state of the check of one sentence.
type sentenceCheck struct {
	*AnswerChecker
	*checker
	asked job.Index // job that the question asks about
	at    job.Time  // time that the question asks about
	match []string  // the sentence and the submatches of its pattern
}

// number returns submatch i of the sentence as an integer.
func (s *sentenceCheck) number(i int) int64 {
	n, _ := strconv.ParseInt(s.match[i], 10, 64)
	return n
}

// jobAt returns the job that submatch i names, or job.None.
func (s *sentenceCheck) jobAt(i int) job.Index {
	if k, known := s.ids[s.match[i]]; known {
		return k
	}
	return job.None
}

// resourceAt returns the index of the resource that submatch i names, 0 for processors.
func (s *sentenceCheck) resourceAt(i int) int {
	for k, r := range s.Log.Machine.Resources {
		if s.match[i] == "of "+r.Name {
			return k + 1
		}
	}
	return 0
}

// checkSentences checks the sentences of the answer, except the one that says what held the job back;
// see checkHeldBack.
func (ac *AnswerChecker) checkSentences() {
	if len(ac.answer.Lines) == 0 {
		ac.fail("the answer contains no sentence")
	}
	for _, line := range ac.answer.Lines {
		if strings.HasPrefix(line.Text, heldBackPrefix) {
			continue // see checkHeldBack
		}
		text := toSingular.Replace(line.Text)
		pattern, ok := ac.matchSentence(text)
		if ac.sentenceCounts[pattern]++; !ok {
			ac.fail("%s (%s)", line.Text, pattern)
		}
	}
}

// heldBackPrefix begins the line about what held back a job that has started.
const heldBackPrefix = "What held it back, at t = "

// checkHeldBack checks that an answer about a job that started after a wait says what held it back.
// Each sentence about this must be true one second before the start.
func (ac *AnswerChecker) checkHeldBack() {
	a, text := ac.answer, ""
	for _, line := range ac.answer.Lines {
		if rest, ok := strings.CutPrefix(line.Text, heldBackPrefix); ok {
			text += rest
		}
	}
	before := ac.checker.firstStart[a.Job] - 1
	if ac.jobStatus() == "not submitted" || ac.jobStatus() == "waiting" || before < ac.runCase.Log.Jobs[a.Job].Submit {
		if text != "" {
			ac.fail("held back: unexpected %q", text)
		}
		return
	}
	reasons, ok := strings.CutPrefix(text, fmt.Sprintf("%d: ", before))
	if !ok {
		ac.fail("held back: expected what held the job back at %d, got %q", before, text)
		return
	}
	ac.restart()
	ac.applyUntil(before)
	ac.answer = &Answer{Job: a.Job, At: before, Brief: a.Brief}
	if ac.checker.inSlices {
		ac.checker.currentType = ac.checker.typeOf(a.Job)
	}
	sentence := ""
	for _, part := range strings.SplitAfter(strings.ToUpper(reasons[:1])+reasons[1:], ". ") {
		sentence += part
		if pattern, ok := ac.matchSentence(toSingular.Replace(strings.TrimSpace(sentence))); ok {
			ac.sentenceCounts["held back: "+pattern]++
			sentence = ""
		}
	}
	if sentence != "" {
		ac.fail("held back: %s", sentence)
	}
}

// matchSentence reports whether a sentence is true. It also returns a name for the kind of
// sentence. This is the pattern in patterns that the sentence matches. If there is none, it is the
// name returned by actionSentence or by one of the functions below it.
func (ac *AnswerChecker) matchSentence(text string) (pattern string, ok bool) {
	s := &sentenceCheck{AnswerChecker: ac, checker: ac.checker, asked: ac.answer.Job, at: ac.answer.At}
	for _, p := range patterns {
		if parts := p.pattern.FindStringSubmatch(text); parts != nil {
			s.match = parts
			return p.pattern.String(), p.isTrue(s)
		}
	}
	for _, match := range []func(*sentenceCheck, string) string{(*sentenceCheck).actionSentence, (*sentenceCheck).waitSentence, (*sentenceCheck).lackSentence, (*sentenceCheck).moveSentence, (*sentenceCheck).groupSentence, (*sentenceCheck).searchSentence} {
		if pattern := match(s, text); pattern != "" {
			return pattern, true
		}
	}
	return "unknown or untrue", false
}

// actionSentence checks a sentence about a started job: the reason for its start or size, its last
// suspension or resumption, or its end. Like the functions below, it returns a name for the
// sentence, or "" if it does not recognize the sentence as true.
func (s *sentenceCheck) actionSentence(text string) string {
	state := &s.jobs[s.asked]
	if !state.started {
		return ""
	}
	start, status := s.starts[s.asked], s.jobStatus()
	suspend, resume := s.lastRecord(s.asked, log.Suspend), s.lastRecord(s.asked, log.Resume)
	switch {
	case text == s.reasonText(start):
		return "start: " + log.Codes[start.Code].Name
	case status == "suspended" && suspend.Code != log.NoReason && text == s.reasonText(suspend):
		return "suspended: " + log.Codes[suspend.Code].Name
	case status == "running" && resume != nil && text == strings.TrimSuffix(fmt.Sprintf("It resumed at %d. It", resume.At)+strings.TrimPrefix(s.reasonText(resume), "Job "+s.jobID(s.asked)), " It"):
		return "resumed: " + log.Codes[resume.Code].Name
	case status == "done" && text == fmt.Sprintf("It ended at %d", state.end)+s.endText(s.asked):
		return "ended"
	}
	if r := s.lastRecord(s.asked, log.Size); r != nil && text == toSingular.Replace("It runs on"+s.sizeText(r)) {
		return "size: " + log.Codes[r.Code].Name
	}
	return ""
}

// waitSentence checks a sentence that gives a recorded reason to wait. Usually this is the reason
// recorded last for the job asked about. With time slices, it can also be the reason why the head
// of the queue waits, or the reason recorded for a job ahead of the job asked about that guests
// keep from starting.
func (s *sentenceCheck) waitSentence(text string) string {
	if !s.isWaiting(s.asked) {
		return ""
	}
	for k := range s.jobs {
		r := s.lastWait(job.Index(k), job.Index(k) == s.asked)
		if r == nil || !s.isWaiting(job.Index(k)) {
			continue
		}
		sentence := s.reasonWithTime(r)
		applies := job.Index(k) == s.asked && (s.inSlices || r.Code != log.Blocked || s.queueHead() == s.asked && s.shadowStillCurrent(r))
		headOfType := s.inSlices && s.lastHeadWait(job.Index(k)) != nil && s.queueHead() == job.Index(k)
		if headOfType && text == s.reasonWithTime(s.lastHeadWait(job.Index(k))) {
			return "waits: " + log.Codes[s.lastHeadWait(job.Index(k)).Code].Name
		}
		heldUp := r.Code == log.HeldByOther && job.Index(k) < s.asked && s.typeOf(job.Index(k)) == s.typeOf(s.asked)
		if text == sentence && (applies || heldUp) {
			return "waits: " + log.Codes[r.Code].Name
		}
	}
	return ""
}

// reasonWithTime returns the sentence of a record, with the time of the record.
func (s *sentenceCheck) reasonWithTime(r *log.Record) string {
	if strings.Contains(sentenceOf(r.Code), "{at}") {
		return s.reasonText(r)
	}
	return fmt.Sprintf("As recorded at t = %d, ", r.At) + sentenceAfterColon(s.reasonText(r))
}

// lackSentence checks a sentence that says that the job needs more of an extra resource than is
// free.
func (s *sentenceCheck) lackSentence(text string) string {
	k := s.free().firstLacking(s.demand(s.asked))
	if k > 0 && s.isWaiting(s.asked) && text == fmt.Sprintf("Job %s does not fit: it needs more of %s than is free (%d).", s.jobID(s.asked), s.Log.Machine.Resources[k-1].Name, max(0, s.free()[k])) {
		return "lacks"
	}
	return ""
}

// moveSentence checks a sentence about the last move of the planned start of the job.
func (s *sentenceCheck) moveSentence(text string) string {
	if r := s.lastRecord(s.asked, log.Move); r != nil && s.submitted(s.asked) && text == "Its planned start last"+s.moveText(r, fmt.Sprintf(" at t = %d", r.At)) {
		return "moved: " + log.Codes[r.Code].Name
	}
	return ""
}
