package truth

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// lastGroup returns the last group that contains the job asked about, as primary or as matched job.
// It also returns the last record of that group. Jobs belong to the same group if they were matched with
// the same primary at the same time.
func (s *sentenceCheck) lastGroup() (primary job.Index, matched []job.Index, r *log.Record) {
	for i := s.AnswerChecker.applied - 1; i >= 0; i-- {
		record := s.Log.Record(i)
		if record.Kind == log.Group && (record.Job == s.asked || record.Other == s.asked) {
			r = record
			break
		}
	}
	if r == nil {
		return job.None, nil, nil
	}
	for _, record := range s.byTime[r.At] {
		if record.Kind == log.Group && record.Other == r.Other {
			matched = append(matched, record.Job)
			r = record
		}
	}
	return r.Other, matched, r
}

// inSameGroup reports whether job k is in the last group of the job asked about.
func (s *sentenceCheck) inSameGroup(k job.Index) bool {
	primary, matched, r := s.lastGroup()
	return r != nil && (k == primary || slices.Contains(matched, k))
}

// groupEnd returns when a group ends: when its primary ends or when its last matched job ends,
// whichever is first.
func (s *sentenceCheck) groupEnd(primary job.Index, matched []job.Index) (at job.Time) {
	end := func(k job.Index) job.Time {
		if !s.finalStates[k].done {
			return job.Never
		}
		return s.finalStates[k].end
	}
	for _, k := range matched {
		at = max(at, end(k))
	}
	return min(at, end(primary))
}

// groupSentence checks the sentence about the group that the job is or was in. The sentence gives the time
// at which the group was formed, its gain and its case, such as log.CaseWaiting.
func (s *sentenceCheck) groupSentence(text string) string {
	primary, matched, r := s.lastGroup()
	if r == nil {
		return ""
	}
	verb := "is"
	if s.groupEnd(primary, matched) <= s.at {
		verb = "was"
	}
	sentence := log.Record{Job: primary, Other: job.None, Code: r.Code}
	if text == fmt.Sprintf("It %s in the group formed at %d, which has a gain of %.3f. ", verb, r.At, float64(r.X)/1e6)+s.reasonText(&sentence) {
		return "group: " + log.Codes[r.Code].Name
	}
	return ""
}

// searchSentence checks a sentence about the result of a search for groups. The result concerns the
// job asked about or a set that contains it.
func (s *sentenceCheck) searchSentence(text string) string {
	match := searchPattern.FindStringSubmatch(text)
	if match == nil || !s.isWaiting(s.asked) {
		return ""
	}
	at, _ := strconv.ParseInt(match[1], 10, 64)
	if at > s.at {
		return ""
	}
	sets := map[int64]bool{} // by set number: whether the set contains the job
	for _, r := range s.byTime[at] {
		own := r.Job == s.asked
		switch r.Kind {
		case log.Choice:
			clear(sets)
		case log.Member:
			sets[r.X] = sets[r.X] || own
		case log.Candidate:
			if own && match[2] == sentenceAfterColon(s.reasonText(r)) {
				return "candidate: " + log.Codes[r.Code].Name
			}
		case log.GroupVerdict:
			if (own || sets[r.X]) && match[2] == s.reasonText(r) {
				return "set: " + log.Codes[r.Code].Name
			}
		case log.Gains:
			gain := strconv.FormatFloat(float64(r.Y)/1e6, 'f', 3, 64)
			if (own || sets[r.X]) && match[2] == fmt.Sprintf("Set %d has a gain of %s. ", r.X, gain)+s.reasonText(r) {
				return "set: " + log.Codes[r.Code].Name
			}
		}
	}
	return ""
}

// searchPattern matches a sentence that starts with a time. Sentences about the search for groups
// have this form.
var searchPattern = regexp.MustCompile(`^At (\d+): (.*)$`)
