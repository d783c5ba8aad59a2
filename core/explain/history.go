package explain

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// historyFirst and historyLast bound a history: a job may be moved thousands
// of times.
const (
	historyFirst = 10
	historyLast  = 30
)

// history fills in what happened to the job of the answer, in order: up to the
// time asked about, and later.
func (x *Index) history(a *Answer) {
	all := x.records(a.Job)
	n := x.until(all, a.At)
	q := &x.log.Jobs[a.Job]
	submitted := Event{q.Submit, append(x.words.say("submitted; asks for "), x.asked(q)...)}
	past, later := &a.History, &a.Later
	if q.Submit > a.At {
		past = later
	}
	*past = append(*past, submitted)
	a.History = append(a.History, x.events(all[:n])...)
	a.Later = append(a.Later, x.events(all[n:])...)
}

// events returns the sentences of records of a job, without the middle of a long list.
func (x *Index) events(all []int32) (out []Event) {
	gap := len(all) - historyFirst - historyLast
	for i, k := range all {
		r := x.log.Record(int(k))
		switch {
		case gap > 1 && i == historyFirst:
			out = append(out, Event{r.At, x.words.say("({n} entries are left out)", int64(gap))})
		case gap > 1 && i > historyFirst && i < historyFirst+gap:
		default:
			out = append(out, Event{r.At, x.event(r)})
		}
	}
	return out
}

// event returns the sentence of one record.
func (x *Index) event(r *log.Record) Sentence {
	say := x.words.say
	switch r.Kind {
	case log.Start:
		return x.because("started", r)
	case log.Finish:
		return x.end("ended", r.Job, r.At)
	case log.Suspend:
		return x.because("taken off the machine", r)
	case log.Resume:
		return x.because("went on", r)
	case log.Reprice:
		return say("from now on does " + decimal(math.Float64frombits(uint64(r.X))) + " s of its work a second")
	case log.Promise:
		return say("promised to start at {t} at the latest", r.X)
	case log.Move:
		return x.moved(say("planned start moved"), r, nil)
	case log.Hold:
		return x.because("waits", r)
	case log.Size:
		return x.sized("runs on", r)
	case log.Resize:
		return x.resized(say("its size"), r)
	case log.Fair:
		return say("its fair start is {t}", r.X)
	case log.Group:
		return say("matched with {j} in a group that gains {r}", int64(r.Other), r.X)
	}
	return say(plain(log.Kinds[r.Kind].Name))
}

// Begin says that nothing has happened yet.
func (x *Index) Begin() Sentence { return x.words.say("Nothing has happened yet.") }

// Submission returns the sentence of the submission of job j.
func (x *Index) Submission(j job.Index) Sentence {
	q := &x.log.Jobs[j]
	return append(append(x.words.say("{j} is submitted; it asks for ", int64(j)), x.asked(q)...), x.words.say(".")...)
}

// Tell returns the sentence of a record among those of other jobs, so that it names
// its own.
func (x *Index) Tell(r *log.Record) Sentence {
	say, j := x.words.say, int64(r.Job)
	switch r.Kind {
	case log.Start:
		s := x.and(say("{j} starts.", j), r)
		if z := x.size(r.Job); z != nil {
			s = append(s.word(" "), x.sized("It runs on", z)...)
		}
		return s
	case log.Resize:
		return x.resized(say("The size of {j}", j), r).word(".")
	case log.Suspend:
		return x.and(say("{j} is taken off the machine.", j), r)
	case log.Resume:
		return x.and(say("{j} goes on.", j), r)
	case log.Finish:
		return append(say("{j} ends", j), x.end("", r.Job, r.At)...)
	case log.Promise:
		return say("{j} is promised to start at {t} at the latest.", j, r.X)
	case log.Move:
		return x.moved(say("The planned start of {j} moves", j), r, nil)
	case log.Hold, log.Node:
		return x.words.reason(r)
	case log.Fair:
		return say("The fair start of {j} is {t}.", j, r.X)
	case log.Group, log.Form, log.Candidate, log.Member, log.Gains, log.Purge, log.Judge:
		return x.words.step(r)
	case log.Scored:
		return say("With it jobs are planned {d} after their fair starts in all, and {d} before them.", r.X, r.Y)
	case log.Choice:
		return x.choice(r)
	}
	return append(say("{j}: ", j), x.event(r)...)
}

// and adds the reason of a record, in which its job is "it".
func (x *Index) and(s Sentence, r *log.Record) Sentence {
	if r.Code == log.NoReason {
		return s
	}
	why := x.words.reason(r)
	if why[0].Kind == JobName && why[0].Job == r.Job {
		why[0] = Part{Text: "It", Job: job.None}
	}
	return append(s.word(" "), why...)
}

// because adds the reason of a record, if it has one.
func (x *Index) because(what string, r *log.Record) Sentence {
	s := x.words.say(what)
	if r.Code == log.NoReason {
		return s
	}
	return append(s.word(": "), lower(x.words.reason(r))...)
}

// decimal returns a rate to three digits.
func decimal(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }

// plain makes a name safe inside a template.
func plain(name string) string { return strings.NewReplacer("{", "(", "}", ")").Replace(name) }

// choice tells how a search for a set of jobs ended.
func (x *Index) choice(r *log.Record) Sentence {
	if r.X == 0 {
		return x.words.say("Of {n} sets of jobs tried, none starts.", r.Y)
	}
	return x.words.say("Of {n} sets of jobs tried, number {n} of those kept starts.", r.Y, r.X)
}
