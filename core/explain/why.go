package explain

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Options bounds an answer.
type Options struct {
	Most int // sentences about other jobs in each list, 0 = 20
}

// Why answers one question about a log. For several make an index.
func Why(l *log.Log, j job.Index, at job.Time, o Options) Answer {
	return NewIndex(l).Why(j, at, o)
}

// Why says why job j is where it is at the moment at.
func (x *Index) Why(j job.Index, at job.Time, o Options) Answer {
	if o.Most <= 0 {
		o.Most = 20
	}
	a := Answer{Job: j, At: at, State: x.State(j, at)}
	a.Facts = x.facts(j, a.State)
	switch a.State {
	case NotSubmitted:
		a.add(x.words.say("{j} is not submitted until {t}.", int64(j), x.log.Jobs[j].Submit))
	case Waiting:
		x.waiting(&a, o)
	default:
		x.started(&a)
	}
	x.overtakers(&a, o)
	a.History = x.history(j)
	return a
}

func (a *Answer) add(s ...Sentence) { a.Sentences = append(a.Sentences, s...) }

// facts is what is known of a job, whatever the moment.
func (x *Index) facts(j job.Index, now State) []Fact {
	q := &x.log.Jobs[j]
	say := x.words.say
	facts := []Fact{
		{"state", say(now.String())},
		{"submitted", say("{t}", q.Submit)},
		{"asks for", x.asked(q)},
	}
	for k, r := range x.log.Machine.Resources {
		if n := q.Extra(k); n > 0 {
			facts = append(facts, Fact{r.Name, say("{n}", n)})
		}
	}
	if p := x.promise(j); p != nil {
		facts = append(facts, Fact{"promised", say("{t}", p.X)})
	}
	s := x.start(j)
	if s == nil {
		return facts
	}
	facts = append(facts, Fact{"started", say("{t}", s.At)}, Fact{"waited", say("{d}", s.At-q.Submit)})
	if w := x.log.Width(j); int(w.Procs) != q.Procs || q.Speedup() != nil {
		facts = append(facts, Fact{"runs on", say("{n} processors", int64(w.Procs))})
	}
	if f := x.last(j, job.Never, func(r *log.Record) bool { return r.Kind == log.Finish }); f != nil {
		facts = append(facts, Fact{"ended", say("{t}", f.At)})
	}
	return facts
}

// asked is what a job asks for.
func (x *Index) asked(q *job.Job) Sentence {
	s := x.words.say("{n} processors for {d}", int64(q.Procs), q.Estimate)
	if q.Speedup() != nil {
		s = s.word(", or fewer or more: it is moldable")
	}
	return s
}

// promise is the first promise that job j was given.
func (x *Index) promise(j job.Index) *log.Record {
	for _, i := range x.records(j) {
		if r := x.log.Record(int(i)); r.Kind == log.Promise {
			return r
		}
	}
	return nil
}
