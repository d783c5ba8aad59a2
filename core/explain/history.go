package explain

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// historyFirst and historyLast are the numbers of events shown at the beginning and at the end of a
// long history. The events between them are left out, because a planned start may change thousands
// of times.
const (
	historyFirst = 10
	historyLast  = 30
)

// addHistory adds the events of the job to the answer, in order of time: its submission, the job
// behind which it waits, and the records about it.
func (x *Index) addHistory(a *Answer) {
	records := x.recordsOf(a.Job)
	n := x.countUntil(records, a.At)
	q := &x.log.Jobs[a.Job]
	submitted := Event{q.Submit, append(x.words.phrase("submitted; requests "), x.requestText(q)...)}
	list := &a.History
	if q.Submit > a.At {
		list = &a.Later
	}
	*list = append(*list, submitted)
	if head := x.headAtSubmission(a.Job); head != job.None {
		*list = append(*list, Event{q.Submit, x.words.phrase("waits behind {j}, which is first in the queue", int64(head))})
	}
	a.History = append(a.History, x.historyEvents(records[:n])...)
	a.Later = append(a.Later, x.historyEvents(records[n:])...)
}

// headAtSubmission returns the job that was first in the queue when job j was submitted. It returns
// job.None if the log does not say which job was first, or if job j was first itself or started at
// once. It also returns job.None if job j has a record of that time, because this record says more.
// With time slices, it always returns job.None, because each type of job has its own queue.
func (x *Index) headAtSubmission(j job.Index) job.Index {
	at := x.log.Jobs[j].Submit
	head := x.headReason(j, at)
	if head == nil || head.Job == j || len(x.slices) > 0 || x.State(j, at) != Waiting || x.countUntil(x.recordsOf(j), at) > 0 {
		return job.None
	}
	return head.Job
}

// historyEvents returns an event for each record of a job. With more than historyFirst +
// historyLast + 1 records, one event replaces the events in the middle and says how many were
// omitted.
func (x *Index) historyEvents(records []int32) (out []Event) {
	gap := len(records) - historyFirst - historyLast
	for i, k := range records {
		r := x.log.Record(int(k))
		switch {
		case gap > 1 && i == historyFirst:
			out = append(out, Event{r.At, x.words.phrase("({n} entries omitted)", int64(gap))})
		case gap > 1 && i > historyFirst && i < historyFirst+gap:
		default:
			out = append(out, Event{r.At, x.eventText(r)})
		}
	}
	return out
}

// eventText returns the phrase that describes a record in the history of its job. The phrase does
// not name the job.
func (x *Index) eventText(r *log.Record) Sentence {
	phrase := x.words.phrase
	switch r.Kind {
	case log.Start:
		return x.reasonAfterColon("started", r)
	case log.Finish:
		return x.endText("ended", r.Job, r.At)
	case log.Suspend:
		return x.reasonAfterColon("suspended", r)
	case log.Resume:
		return x.reasonAfterColon("resumed", r)
	case log.RateChange:
		return phrase("now runs at " + decimal(math.Float64frombits(uint64(r.X))) + " s of work per second")
	case log.Promise:
		return phrase("promised to start by {t}", r.X)
	case log.Move:
		return x.moveText(phrase("planned start moved"), r, nil)
	case log.Hold:
		return x.reasonAfterColon("waits", r)
	case log.Size:
		return x.sizeText("runs on", r)
	case log.Resize:
		return x.resizeText(phrase("its planned size"), r)
	case log.Fair:
		return phrase("its fair start is {t}", r.X)
	case log.Group:
		return phrase("matched with {j} in a group with a gain of {r}", int64(r.Other), r.X)
	}
	return x.RecordText(r) // other kinds: attempts of a search, and records without a job
}

// BeforeFirstEvent returns the sentence to show for the time before the first event.
func (x *Index) BeforeFirstEvent() Sentence { return x.words.phrase("Nothing has happened yet.") }

// SubmissionText returns a sentence about the submission of job j.
func (x *Index) SubmissionText(j job.Index) Sentence {
	q := &x.log.Jobs[j]
	return append(append(x.words.phrase("{j} is submitted; it requests ", int64(j)), x.requestText(q)...), x.words.phrase(".")...)
}

// RecordText returns a sentence about a record. The sentence names the job, so that it can be part
// of a list about many jobs.
func (x *Index) RecordText(r *log.Record) Sentence {
	phrase, j := x.words.phrase, int64(r.Job)
	switch r.Kind {
	case log.Start:
		s := x.withReason(phrase("{j} starts.", j), r)
		if z := x.sizeRecord(r.Job); z != nil {
			s = append(s.withText(" "), x.sizeText("It runs on", z)...)
		}
		return s
	case log.Resize:
		return x.resizeText(phrase("The planned size of {j}", j), r).withText(".")
	case log.Suspend:
		return x.withReason(phrase("{j} is suspended.", j), r)
	case log.Resume:
		return x.withReason(phrase("{j} resumes.", j), r)
	case log.Finish:
		return append(phrase("{j} ends", j), x.endText("", r.Job, r.At)...)
	case log.Promise:
		return phrase("{j} is promised to start by {t}.", j, r.X)
	case log.Move:
		return x.moveText(phrase("The planned start of {j} moves", j), r, nil)
	case log.Hold, log.SetTried:
		return x.words.reason(r)
	case log.Fair:
		return phrase("The fair start of {j} is {t}.", j, r.X)
	case log.Group, log.PrimaryTried, log.Candidate, log.Member, log.Gains, log.Purge, log.GroupVerdict:
		return x.words.stepSentence(r)
	case log.Scored:
		return phrase("With this set, the late jobs would start a total of {d} after their fair starts, and the early jobs a total of {d} before theirs.", r.X, r.Y)
	case log.Choice:
		return x.choiceText(r)
	case log.RateChange:
		return phrase("{j} now runs at "+decimal(math.Float64frombits(uint64(r.X)))+" s of work per second.", j)
	case log.Size:
		return append(phrase("{j} ", j), x.sizeText("runs on", r)...)
	case log.Slice:
		if r.X == 0 {
			return phrase("The time slice for " + log.ViewName(r.View) + " jobs ends.")
		}
		return phrase("The time slice for "+log.ViewName(r.View)+" jobs begins; it ends at {t}.", r.Y)
	case log.OutageEdge:
		return x.outageText(r)
	}
	return phrase("The policy has examined {n} steps of its plan so far.", r.X) // log.Effort
}

// outageText returns a sentence about an outage that begins or ends.
func (x *Index) outageText(r *log.Record) Sentence {
	o := &x.log.Machine.Outages[r.Y]
	if r.X == 0 {
		return x.words.phrase("An outage of {n} processors ends.", int64(o.Procs))
	}
	return x.words.phrase("An outage of {n} processors begins; it ends at {t}.", int64(o.Procs), o.To)
}

// withReason appends a sentence with the reason in a record to s. The sentence calls the job "It".
// If the record has no reason, withReason returns s.
func (x *Index) withReason(s Sentence, r *log.Record) Sentence {
	if r.Code == log.NoReason {
		return s
	}
	why := x.words.reason(r)
	if why[0].Kind == JobName && why[0].Job == r.Job {
		why[0] = Part{Text: "It", Job: job.None}
	}
	return append(s.withText(" "), why...)
}

// reasonAfterColon returns the given prefix as a sentence. If the record contains a reason, a colon and this reason
// follow.
func (x *Index) reasonAfterColon(prefix string, r *log.Record) Sentence {
	s := x.words.phrase(prefix)
	if r.Code == log.NoReason {
		return s
	}
	return append(s.withText(": "), lowerFirst(x.words.reason(r))...)
}

// decimal formats a number with three significant digits.
func decimal(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }

// escapeBraces replaces the braces in a name with round brackets, because braces enclose the
// placeholders of a template.
func escapeBraces(name string) string { return strings.NewReplacer("{", "(", "}", ")").Replace(name) }

// choiceText returns a sentence about how many sets of jobs a policy tried, and which of them starts.
func (x *Index) choiceText(r *log.Record) Sentence {
	if r.X == 0 {
		return x.words.phrase("Tried {n} sets of jobs; none starts.", r.Y)
	}
	set := "set number {n} starts"
	if r.Code == log.FairSet || r.Code == log.UtilizationSet { // these numbers count only the sets that the search kept
		set = "of the sets that the search kept, number {n} starts"
	}
	return x.words.phrase("Tried {n} sets of jobs; "+set+".", r.Y, r.X)
}
