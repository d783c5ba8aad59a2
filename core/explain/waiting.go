package explain

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// waiting explains why a job waits: the reason recorded for it if there is
// one; else its reservation; else what the front of the queue and the free
// processors leave it.
func (x *Index) waiting(a *Answer, o Options) {
	m := x.At(a.At)
	hold := x.last(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Hold })
	head := x.head(a.Job, a.At)
	switch {
	case hold != nil && (!headCodes[hold.Code] || head != nil && head.Job == a.Job):
		x.held(a, &m, hold)
	case x.planned(a, &m):
	case head != nil && head.Job != a.Job:
		x.behind(a, &m, head)
	default:
		x.noHead(a, &m)
	}
	x.holders(a, &m, o)
}

// held repeats the reason recorded for the job, with the numbers of now.
func (x *Index) held(a *Answer, m *Machine, hold *log.Record) {
	why := hold.Reason()
	if why.Code == log.NoRoom {
		why.X = int64(m.Free)
	}
	a.add(x.words.reason(a.Job, why))
	if why.Code != log.NoRoom {
		x.needs(a, m)
	}
}

// needs says what the job asks for and what is free; it reports whether that
// is why it waits.
func (x *Index) needs(a *Answer, m *Machine) bool {
	q := &x.log.Jobs[a.Job]
	if q.Procs > m.Free {
		a.add(x.words.say("It needs {n} processors and {n} are free.", int64(q.Procs), int64(m.Free)))
		return true
	}
	for k, r := range x.log.Machine.Resources {
		if need, free := q.Extra(k), x.freeExtra(m, k); need > free {
			a.add(x.words.say("It needs {n} of "+plain(r.Name)+" and {n} are free.", need, free))
			return true
		}
	}
	return false
}

// noHead answers where the log names no front of the queue.
func (x *Index) noHead(a *Answer, m *Machine) {
	a.add(x.words.say("{j} waits.", int64(a.Job)))
	if !x.needs(a, m) {
		a.add(x.words.say("{n} processors are free, enough for it; the log does not say why it was not started.", int64(m.Free)))
	}
}

// behind explains why a job behind the front of the queue was not backfilled.
func (x *Index) behind(a *Answer, m *Machine, head *log.Record) {
	if head.Code == log.NoRoom {
		a.add(x.words.reason(a.Job, log.Reason{Code: log.BehindHead, Other: head.Job}))
		a.add(x.words.say("{j} needs {n} processors and {n} are free.", int64(head.Job), int64(x.log.Jobs[head.Job].Procs), int64(m.Free)))
		return
	}
	q := &x.log.Jobs[a.Job]
	shadow := head.X
	spare := int64(x.freeAt(m, shadow) - x.log.Jobs[head.Job].Procs)
	a.add(x.words.say("{j} waits behind {j}, which is first in the queue and is to start at {t} by the estimates.",
		int64(a.Job), int64(head.Job), shadow))
	if x.needs(a, m) {
		return
	}
	end := a.At + q.Estimate
	switch {
	case end > shadow && int64(q.Procs) > spare:
		a.add(x.words.say("Its processors are free, but by its estimate it would end at {t}, after {t}, and it needs {n} processors where {n} are to spare then.",
			end, shadow, int64(q.Procs), max(spare, 0)))
	default:
		a.add(x.words.say("{n} processors are free, enough for it without delaying {j}; the log does not say why it was not started.",
			int64(m.Free), int64(head.Job)))
	}
}

// planned explains a job that holds a reservation by promises and moves.
func (x *Index) planned(a *Answer, m *Machine) bool {
	r := x.last(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Promise || r.Kind == log.Move })
	if r == nil {
		return false
	}
	say := x.words.say
	if r.Kind == log.Promise {
		a.add(x.words.reason(a.Job, log.Reason{Code: log.Reserved, X: r.X}))
	} else {
		a.add(say("{j} holds a reservation from {t}.", int64(a.Job), r.Y))
		a.add(x.moved(say("Its planned start moved"), r, say(" at {t}", r.At)))
	}
	if !x.needs(a, m) {
		x.inTheWay(a, m)
	}
	return true
}

// moved says how a planned start went from one moment to another; when is the
// moment of the move, or empty.
func (x *Index) moved(start Sentence, r *log.Record, when Sentence) Sentence {
	say := x.words.say
	way := " up"
	if r.Y > r.X {
		way = " back"
	}
	s := append(append(start, say(way+" from {t} to {t}", r.X, r.Y)...), when...)
	switch {
	case r.Other == job.None:
		return s.word(".")
	case log.Codes[r.Code].Moved != "":
		return append(s.word(" "), x.words.because(r)...).word(".")
	}
	return append(s, say(" because of {j}.", int64(r.Other))...)
}

// inTheWay names the first reservation that leaves a job, whose processors are
// free now, too few of them before its end.
func (x *Index) inTheWay(a *Answer, m *Machine) {
	const far = 50
	q := &x.log.Jobs[a.Job]
	plan := x.plans.Reserved(a.At)
	for i, p := range plan[:min(far, len(plan))] {
		if p.Job == a.Job || p.Start >= a.At+q.Estimate {
			continue
		}
		free := x.freeAt(m, p.Start)
		for _, b := range plan[:i+1] {
			if b.Job != a.Job && b.Start+x.log.Jobs[b.Job].Estimate > p.Start {
				free -= x.log.Jobs[b.Job].Procs
			}
		}
		if free < q.Procs {
			a.add(x.words.say("{n} processors are free now, but not for all of its {d}: {j} holds a reservation of {n} processors from {t}.",
				int64(m.Free), q.Estimate, int64(p.Job), int64(x.log.Jobs[p.Job].Procs), p.Start))
			return
		}
	}
}

// holders lists who is on the machine, the first to end first.
func (x *Index) holders(a *Answer, m *Machine, o Options) {
	for i, h := range m.Running {
		if i == o.Most {
			a.Holders.More = len(m.Running) - i
			return
		}
		a.Holders.Items = append(a.Holders.Items,
			x.words.say("{j} holds {n} processors until {t} by its estimate.", int64(h.Job), int64(h.Slots), h.Until))
	}
}
