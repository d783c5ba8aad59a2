package explain

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// historyFirst and historyLast are the numbers of first and last events that a long history shows. It
// omits the events between them, because a planned start may move thousands of times.
const (
	historyFirst = 10
	historyLast  = 30
)

// addHistory adds the events of the job to the answer, in order of time.
func (x *Index) addHistory(a *Answer) {
	records := x.records(a.Job)
	n := x.countUntil(records, a.At)
	q := &x.log.Jobs[a.Job]
	submitted := Event{q.Submit, append(x.words.say("submitted; requests "), x.requestText(q)...)}
	list := &a.History
	if q.Submit > a.At {
		list = &a.Later
	}
	*list = append(*list, submitted)
	a.History = append(a.History, x.historyEvents(records[:n])...)
	a.Later = append(a.Later, x.historyEvents(records[n:])...)
}

// historyEvents returns the events for the records of a job. If there are many, it omits those in the
// middle.
func (x *Index) historyEvents(records []int32) (out []Event) {
	gap := len(records) - historyFirst - historyLast
	for i, k := range records {
		r := x.log.Record(int(k))
		switch {
		case gap > 1 && i == historyFirst:
			out = append(out, Event{r.At, x.words.say("({n} entries omitted)", int64(gap))})
		case gap > 1 && i > historyFirst && i < historyFirst+gap:
		default:
			out = append(out, Event{r.At, x.eventText(r)})
		}
	}
	return out
}

// eventText returns the text of a record for the history of its job. The text does not name the job.
func (x *Index) eventText(r *log.Record) Sentence {
	say := x.words.say
	switch r.Kind {
	case log.Start:
		return x.colonReason("started", r)
	case log.Finish:
		return x.endText("ended", r.Job, r.At)
	case log.Suspend:
		return x.colonReason("suspended", r)
	case log.Resume:
		return x.colonReason("resumed", r)
	case log.Reprice:
		return say("now runs at " + decimal(math.Float64frombits(uint64(r.X))) + " s of work per second")
	case log.Promise:
		return say("promised to start by {t}", r.X)
	case log.Move:
		return x.moveText(say("planned start moved"), r, nil)
	case log.Hold:
		return x.colonReason("waits", r)
	case log.Size:
		return x.sizeText("runs on", r)
	case log.Resize:
		return x.resizeText(say("its planned size"), r)
	case log.Fair:
		return say("its fair start is {t}", r.X)
	case log.Group:
		return say("matched with {j} in a group that gains {r}", int64(r.Other), r.X)
	}
	return say(escapeBraces(log.Kinds[r.Kind].Name))
}

// BeforeFirstEvent returns the sentence for the time before the first event.
func (x *Index) BeforeFirstEvent() Sentence { return x.words.say("Nothing has happened yet.") }

// SubmissionText returns a sentence about the submission of job j.
func (x *Index) SubmissionText(j job.Index) Sentence {
	q := &x.log.Jobs[j]
	return append(append(x.words.say("{j} is submitted; it requests ", int64(j)), x.requestText(q)...), x.words.say(".")...)
}

// RecordText returns a sentence about a record. The sentence names the job, so it can be part of a list
// about many jobs.
func (x *Index) RecordText(r *log.Record) Sentence {
	say, j := x.words.say, int64(r.Job)
	switch r.Kind {
	case log.Start:
		s := x.withReason(say("{j} starts.", j), r)
		if z := x.sizeRecord(r.Job); z != nil {
			s = append(s.word(" "), x.sizeText("It runs on", z)...)
		}
		return s
	case log.Resize:
		return x.resizeText(say("The planned size of {j}", j), r).word(".")
	case log.Suspend:
		return x.withReason(say("{j} is suspended.", j), r)
	case log.Resume:
		return x.withReason(say("{j} resumes.", j), r)
	case log.Finish:
		return append(say("{j} ends", j), x.endText("", r.Job, r.At)...)
	case log.Promise:
		return say("{j} is promised to start by {t}.", j, r.X)
	case log.Move:
		return x.moveText(say("The planned start of {j} moves", j), r, nil)
	case log.Hold, log.Node:
		return x.words.reason(r)
	case log.Fair:
		return say("The fair start of {j} is {t}.", j, r.X)
	case log.Group, log.Form, log.Candidate, log.Member, log.Gains, log.Purge, log.Judge:
		return x.words.stepSentence(r)
	case log.Scored:
		return say("With this set, jobs are planned to start {d} after their fair starts in total, and {d} before them.", r.X, r.Y)
	case log.Choice:
		return x.choiceText(r)
	}
	return append(say("{j}: ", j), x.eventText(r)...)
}

// withReason appends the sentence with the reason of a record to s. That sentence calls the job "it".
func (x *Index) withReason(s Sentence, r *log.Record) Sentence {
	if r.Code == log.NoReason {
		return s
	}
	why := x.words.reason(r)
	if why[0].Kind == JobName && why[0].Job == r.Job {
		why[0] = Part{Text: "It", Job: job.None}
	}
	return append(s.word(" "), why...)
}

// colonReason returns the text what. If the record has a reason, a colon and the reason follow.
func (x *Index) colonReason(what string, r *log.Record) Sentence {
	s := x.words.say(what)
	if r.Code == log.NoReason {
		return s
	}
	return append(s.word(": "), lowerFirst(x.words.reason(r))...)
}

// decimal returns a number with three significant digits.
func decimal(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }

// escapeBraces replaces braces in a name by brackets, because in a template they would mark a
// placeholder.
func escapeBraces(name string) string { return strings.NewReplacer("{", "(", "}", ")").Replace(name) }

// choiceText returns a sentence about the result of a search for a set of jobs.
func (x *Index) choiceText(r *log.Record) Sentence {
	if r.X == 0 {
		return x.words.say("Tried {n} sets of jobs; none starts.", r.Y)
	}
	return x.words.say("Tried {n} sets of jobs; kept set number {n} starts.", r.Y, r.X)
}
