package explain

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Options limits the length of an answer.
type Options struct {
	MaxItems int // maximum number of sentences about other jobs in each list; Why replaces 0 by 20
}

// Why explains the state of job j at the given time. To ask several questions about the same log,
// create an Index and call its method Why.
func Why(l *log.Log, j job.Index, at job.Time, o Options) Answer {
	return NewIndex(l).Why(j, at, o)
}

// Why explains the state of job j at the given time.
func (x *Index) Why(j job.Index, at job.Time, o Options) Answer {
	if o.MaxItems <= 0 {
		o.MaxItems = 20
	}
	a := Answer{Job: j, At: at, State: x.State(j, at), clock: x.words.clock}
	a.Facts = x.facts(&a)
	switch a.State {
	case NotSubmitted:
		a.add(x.words.phrase("{j} is not submitted yet.", int64(j)))
	case Waiting:
		x.addWaiting(&a, o)
	default:
		x.addStart(&a)
	}
	x.addOvertakers(&a, o)
	x.addHistory(&a)
	return a
}

// add appends sentences to the answer.
func (a *Answer) add(s ...Sentence) { a.Sentences = append(a.Sentences, s...) }

// facts returns the properties of the job that are known at time a.At. If the job is submitted,
// starts or ends later, the last fact lists these events.
func (x *Index) facts(a *Answer) []Fact {
	q := &x.log.Jobs[a.Job]
	phrase := x.words.phrase
	facts := []Fact{{"state", phrase(a.State.String())}}
	var later Sentence
	addEvent := func(name string, at job.Time) bool {
		if at <= a.At {
			facts = append(facts, Fact{name, phrase("{t}", at)})
			return true
		}
		if later != nil {
			later = later.withText(", ")
		}
		later = append(later.withText(name), phrase(" at t = {t}", at)...)
		return false
	}
	addEvent("submitted", q.Submit)
	facts = append(facts, Fact{"requests", x.requestText(q)})
	for k, r := range x.log.Machine.Resources {
		if n := q.Extra(k); n > 0 {
			facts = append(facts, Fact{r.Name, phrase("{n}", n)})
		}
	}
	if p := x.firstPromise(a.Job); p != nil && p.At <= a.At {
		facts = append(facts, Fact{"promised", phrase("{t}", p.X)})
	}
	if s := x.startRecord(a.Job); s != nil && addEvent("started", s.At) {
		facts = append(facts, Fact{"waited", phrase("{d}", s.At-q.Submit)})
		if w := x.log.Layout(a.Job); int(w.Procs) != q.Procs || q.Speedup() != nil {
			facts = append(facts, Fact{"runs on", phrase("{n} processors", int64(w.Procs))})
		}
	}
	if f := x.finishRecord(a.Job); f != nil {
		addEvent("ended", f.At)
	}
	if later != nil {
		facts = append(facts, Fact{"later", later})
	}
	return facts
}

// requestText returns a phrase about the processors that a job requests, and its estimate. The data
// rules can change estimates, so the phrase does not say that the job requests the estimate.
func (x *Index) requestText(q *job.Job) Sentence {
	s := x.words.phrase("{n} processors (estimate {d}", int64(q.Procs), q.Estimate)
	if q.Speedup() != nil {
		s = s.withText("; moldable: the scheduler may choose more or fewer processors")
	}
	return s.withText(")")
}

// firstPromise returns the record of the first start time that was promised to job j, or nil if
// there is none.
func (x *Index) firstPromise(j job.Index) *log.Record {
	for _, i := range x.recordsOf(j) {
		if r := x.log.Record(int(i)); r.Kind == log.Promise {
			return r
		}
	}
	return nil
}
