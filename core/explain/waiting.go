package explain

import (
	"slices"
	"strings"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// waiting explains why a job waits: the reason recorded for it if there is
// one; else its reservation; else what the front of the queue and the free
// processors leave it.
func (x *Index) waiting(a *Answer, o Options) {
	m := x.At(a.At)
	x.given(a)
	x.why(a, &m)
	x.ungrouped(a)
	x.holders(a, &m, o)
}

// why is the part of that which is about the job and what it waits for.
func (x *Index) why(a *Answer, m *Machine) {
	hold := x.last(a.Job, a.At, func(r *log.Record) bool {
		come := r.Code == log.AwaitsSlice && r.X <= a.At              // the slice it waited for
		return r.Kind == log.Hold && !come && r.Code != log.Unmatched // see behind
	})
	head := x.head(a.Job, a.At)
	switch {
	case hold != nil && (!headCodes[hold.Code] || head != nil && head.Job == a.Job):
		x.held(a, m, hold)
	case x.planned(a, m):
	case head != nil && head.Job != a.Job:
		x.behind(a, m, head)
	default:
		x.noHead(a, m)
	}
}

// held repeats the reason recorded for the job: with the time of the record, or,
// where the numbers can be found, with those of the time asked about.
func (x *Index) held(a *Answer, m *Machine, hold *log.Record) {
	n, _ := x.needsAt(a.Job, a.At)
	free := x.roomAt(m, a.At)
	k := free.lacks(n)
	switch own := hold.View != 0 || len(x.turns) > 0; {
	case own || !headCodes[hold.Code]: // in time slices not all free processors are for it
		a.add(x.recorded(hold))
	case noRoom[hold.Code] && k > 0:
		a.add(x.words.derived(a.Job, log.Reason{Code: log.Lacks, X: int64(k), Y: free[k]}))
	case noRoom[hold.Code] && k == 0:
		a.add(x.words.derived(a.Job, log.Reason{Code: log.NoRoom, X: int64(m.Free)}))
		return
	case hold.Code == log.Blocked:
		a.add(x.words.reason(hold))
		if !x.needs(a, m) {
			x.outage(a, m)
		}
		return
	case hold.Code == log.BlockAhead:
		a.add(x.words.reason(hold))
	default:
		a.add(x.recorded(hold))
	}
	x.needs(a, m)
}

// recorded returns the sentence of a record with the time for which it is true.
func (x *Index) recorded(r *log.Record) Sentence {
	s := x.words.reason(r)
	if namesTime[r.Code] {
		return s
	}
	return append(x.words.say("At t = {t}: ", r.At), lower(s)...)
}

// namesTime says which sentences name the time of their record themselves.
var namesTime = func() (out [256]bool) {
	for c := range log.Codes {
		out[c] = strings.Contains(log.Codes[c].Sentence, "{at}")
	}
	return out
}()

// noRoom says which reasons to wait are that a job does not fit.
var noRoom = [256]bool{log.NoRoom: true, log.Lacks: true}

// needs says what the job asks for and what is free; it reports whether that
// is why it waits.
func (x *Index) needs(a *Answer, m *Machine) bool {
	n, _ := x.needsAt(a.Job, m.At)
	free := x.roomAt(m, a.At)
	k := free.lacks(n)
	if k < 0 {
		return false
	}
	a.add(x.words.say("It needs {n} "+x.words.units(k)+" and {n} are free.", asks(n, k), free[k]))
	return true
}

// outage says that an outage will take processors that the job needs before it would
// end, and reports whether that is why it waits.
func (x *Index) outage(a *Answer, m *Machine) bool {
	n, length := x.needsAt(a.Job, m.At)
	from := job.Never
	for _, b := range x.log.Machine.Outages {
		if b.From > m.At && b.From < min(from, m.At+length) && x.roomAt(m, b.From).lacks(n) == 0 {
			from = b.From
		}
	}
	if from == job.Never {
		return false
	}
	a.add(x.words.derived(a.Job, log.Reason{Code: log.BlockAhead, X: from}))
	return true
}

// noHead answers where the log names no front of the queue.
func (x *Index) noHead(a *Answer, m *Machine) {
	if r := x.due(a.Job, a.At); r != nil {
		a.add(x.words.say("{j} waits; {j}, submitted before it, is held up.", int64(a.Job), int64(r.Job)))
		a.add(x.recorded(r))
		return
	}
	if x.outside(a.Job, a.At) {
		a.add(x.words.say("{j} waits for a time slice of its type, or for processors that one of another type leaves idle.", int64(a.Job)))
		return
	}
	a.add(x.words.say("{j} waits.", int64(a.Job)))
	if !x.needs(a, m) && !x.outage(a, m) {
		a.add(x.words.say("{n} processors are free, enough for it; the log does not say why it was not started.", int64(m.Free)))
	}
}

// outside reports whether the slice at the instant at, if there is one, is of
// another virtual machine than that of job j, which its start names.
func (x *Index) outside(j job.Index, at job.Time) bool {
	own := x.start(j)
	n := x.until(x.turns, at)
	if own == nil || own.View == 0 || n == 0 {
		return false
	}
	turn := x.log.Record(int(x.turns[n-1]))
	return turn.X == 0 || turn.View != own.View
}

// due says why a job before j in the queue of its virtual machine does not start
// although it is its turn: others are on its processors. It is nil if there is
// none.
func (x *Index) due(j job.Index, at job.Time) *log.Record {
	const far = 64
	own := x.start(j)
	for k := j - 1; k >= max(0, j-far); k-- {
		hold := x.last(k, at, func(r *log.Record) bool { return r.Kind == log.Hold })
		if hold == nil || hold.Code != log.HeldByOther || x.State(k, at) != Waiting {
			continue
		}
		if other := x.start(k); own == nil || other == nil || own.View == other.View {
			return hold
		}
	}
	return nil
}

// behind explains why a job behind the front of the queue was not backfilled.
func (x *Index) behind(a *Answer, m *Machine, head *log.Record) {
	if head.View != 0 || len(x.turns) > 0 { // not all free processors are for its type
		a.add(x.words.say("{j} waits behind {j}, which is first in the queue of its type.", int64(a.Job), int64(head.Job)), x.recorded(head))
		x.needs(a, m)
		return
	}
	n, length := x.needsAt(a.Job, m.At)
	first, _ := x.needsAt(head.Job, m.At)
	if noRoom[head.Code] {
		free := x.roomAt(m, a.At)
		k := max(0, free.lacks(first))
		a.add(x.words.derived(a.Job, log.Reason{Code: log.BehindHead, Other: head.Job}))
		a.add(x.words.say("{j} needs {n} "+x.words.units(k)+" and {n} are free.", int64(head.Job), asks(first, k), free[k]))
		return
	}
	if head.Code == log.BlockAhead {
		a.add(x.words.say("{j} waits behind {j}, which is first in the queue.", int64(a.Job), int64(head.Job)), x.words.reason(head))
		return
	}
	shadow := head.X
	spare := x.roomAt(m, shadow)
	spare.take(first)
	a.add(x.words.say("{j} waits behind {j}, which is first in the queue and is to start at {t} by the estimates.",
		int64(a.Job), int64(head.Job), shadow))
	if x.needs(a, m) || x.outage(a, m) {
		return
	}
	end, k := a.At+length, spare.lacks(n)
	if end > shadow && k >= 0 {
		a.add(x.words.say("Its processors are free, but by its estimate it would end at {t}, after {t}, and it needs {n} "+x.words.units(k)+" where {n} are to spare then.",
			end, shadow, asks(n, k), max(spare[k], 0)))
	} else if r := x.unmatched(a); r != nil {
		a.add(x.recorded(r))
	} else {
		a.add(x.words.say("{n} processors are free, enough for it without delaying {j}; the log does not say why it was not started.",
			int64(m.Free), int64(head.Job)))
	}
}

// unmatched returns the record that the rule of choice left the job out, if there is one.
// It explains why the job waits only while the job may start.
func (x *Index) unmatched(a *Answer) *log.Record {
	return x.last(a.Job, a.At, func(r *log.Record) bool { return r.Code == log.Unmatched })
}

// planned explains a job that holds a reservation by promises and moves.
func (x *Index) planned(a *Answer, m *Machine) bool {
	r := x.last(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Promise || r.Kind == log.Move })
	if r == nil {
		return false
	}
	say := x.words.say
	if r.Kind == log.Promise {
		a.add(x.words.derived(a.Job, log.Reason{Code: log.Reserved, X: r.X}))
	} else {
		a.add(say("{j} holds a reservation from {t}.", int64(a.Job), r.Y))
		a.add(x.moved(say(movedStart), r, say(" at t = {t}", r.At)))
	}
	if !x.needs(a, m) {
		x.inTheWay(a, m)
	}
	return true
}

// movedStart is how the sentence begins that says how a planned start went.
const movedStart = "Its planned start moved"

// moved says how a planned start went from one instant to another; when is the
// instant of the move, or empty.
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

// inTheWay names the first reservation that leaves a job, for which enough is free
// now, too little of a resource before its end. Only reservations count that were
// there when the job got its own.
func (x *Index) inTheWay(a *Answer, m *Machine) {
	const far = 50
	n, length := x.needsAt(a.Job, a.At)
	now := x.roomAt(m, a.At)
	mine := x.reserved(a.Job, a.At)
	plan := slices.DeleteFunc(x.plans.Reserved(a.At), func(p gantt.Reservation) bool { return x.reserved(p.Job, a.At) > mine })
	for i, p := range plan[:min(far, len(plan))] {
		if p.Job == a.Job || p.Start >= a.At+length {
			continue
		}
		free := x.roomAt(m, p.Start)
		for _, b := range plan[:i+1] {
			if b.Job != a.Job && b.Start+b.Length > p.Start {
				free.take(x.holds(b.Job, b.Procs))
			}
		}
		if k := free.lacks(n); k >= 0 {
			a.add(x.words.say("{n} "+x.words.units(k)+" are free now, but not for all of its {d}: {j} holds a reservation of {n} "+x.words.units(k)+" from {t}.",
				now[k], length, int64(p.Job), asks(x.holds(p.Job, p.Procs), k), p.Start))
			return
		}
	}
}

// reserved returns the number in the log of the record that gave job j the reservation it
// has at the time at, -1 if there is none.
func (x *Index) reserved(j job.Index, at job.Time) int32 {
	r := x.last(j, at, func(r *log.Record) bool { return r.Kind == log.Promise || r.Kind == log.Move })
	if r == nil {
		return -1
	}
	return x.place(r)
}

// holders lists who is on the machine, the first to end first, with what they
// hold of the extra resource that the job lacks.
func (x *Index) holders(a *Answer, m *Machine, o Options) {
	n, _ := x.needsAt(a.Job, a.At)
	k := x.roomAt(m, a.At).lacks(n)
	slice := x.sliceEnd(m.At)
	for i, h := range m.Running {
		if i == o.Most {
			a.Holders.More = len(m.Running) - i
			return
		}
		s := x.words.say("{j} holds {n} processors", int64(h.Job), int64(h.Slots))
		if k > 0 {
			s = append(s, x.words.say(" and {n} "+x.words.units(k), x.log.Jobs[h.Job].Extra(k-1))...)
		}
		until := " until {t} by its estimate."
		if h.Until == slice {
			until = " until the time slice ends at {t}."
		}
		a.Holders.Items = append(a.Holders.Items, append(s, x.words.say(until, h.Until)...))
	}
}
