package explain

import (
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline"
)

// addWaiting explains why a job waits, and lists the running jobs. For a moldable job, it first
// names the planned size.
func (x *Index) addWaiting(a *Answer, o Options) {
	m := x.At(a.At)
	x.addMoldableSize(a)
	x.addReason(a, &m)
	x.addRejections(a)
	x.addHolders(a, &m, o)
}

// addReason explains why a job waits. It uses the first of these that exists: a recorded reason
// that still applies, the reservation of the job, or the record that says why the first job in the
// queue waits. If none exists, addReasonWithoutHead explains the wait.
func (x *Index) addReason(a *Answer, m *Machine) {
	hold := x.lastRecord(a.Job, a.At, func(r *log.Record) bool {
		sliceBegan := r.Code == log.AwaitsSlice && r.X <= a.At
		return r.Kind == log.Hold && !sliceBegan && r.Code != log.Unmatched // addBehindHead handles Unmatched
	})
	head := x.headReason(a.Job, a.At)
	switch {
	case x.sizesUnknown:
		x.addReasonWithoutSizes(a, hold, head)
	case hold != nil && (!isHeadReason[hold.Code] || head != nil && head.Job == a.Job):
		x.addHoldReason(a, m, hold)
	case x.addReservation(a, m):
	case head != nil && head.Job != a.Job:
		x.addBehindHead(a, m, head)
	default:
		x.addReasonWithoutHead(a, m)
	}
}

// addReasonWithoutSizes explains why a job waits if the log does not record how many processors are
// planned for moldable jobs. It takes the last recorded reason of the job, and the record that says
// why the first job in the queue waits; both may be nil.
func (x *Index) addReasonWithoutSizes(a *Answer, hold, head *log.Record) {
	switch {
	case hold != nil:
		a.add(x.reasonWithTime(hold))
	case head != nil && head.Job != a.Job:
		a.add(x.words.phrase("{j} waits behind {j}, which is first in the queue.", int64(a.Job), int64(head.Job)))
	default:
		a.add(x.waitText(a, true))
	}
	a.add(x.words.phrase("This log does not record the sizes that are planned for moldable jobs."))
}

// addHoldReason explains the wait by the reason in the given record. If possible, it replaces the
// recorded numbers by the numbers at time a.At. Otherwise, it says when the reason was recorded.
func (x *Index) addHoldReason(a *Answer, m *Machine, hold *log.Record) {
	n, _ := x.demandAt(a.Job, a.At)
	free := x.freeAt(m, a.At)
	k := free.shortResource(n)
	switch hasSlices := hold.View != 0 || len(x.slices) > 0; {
	case hasSlices || !isHeadReason[hold.Code]: // with time slices, a job cannot use all free processors
		a.add(x.reasonWithTime(hold))
	case isShortage[hold.Code] && k >= 0 && free[k] < 0: // addShortage below says that more is in use than exists
	case isShortage[hold.Code] && k > 0:
		a.add(x.words.reasonWithoutTime(a.Job, log.Reason{Code: log.LacksResource, X: int64(k), Y: free[k]}))
	case isShortage[hold.Code] && k == 0:
		a.add(x.words.reasonWithoutTime(a.Job, log.Reason{Code: log.TooFewProcs, X: int64(m.Free)}))
		return
	case hold.Code == log.Blocked:
		a.add(x.words.reason(hold))
		if !x.addShortage(a, m, "It") {
			x.addOutage(a, m)
		}
		return
	case hold.Code == log.OutageAhead:
		a.add(x.words.reason(hold))
	default:
		a.add(x.reasonWithTime(hold))
	}
	x.addShortage(a, m, "It")
}

// reasonWithTime returns a sentence with the reason in a record. It begins with the time of the
// record, unless the sentence of the reason already states that time.
func (x *Index) reasonWithTime(r *log.Record) Sentence {
	s := x.words.reason(r)
	if strings.Contains(log.Codes[r.Code].Sentence, "{at}") {
		return s
	}
	return append(x.words.phrase("As recorded at t = {t}, ", r.At), lowerFirst(s)...)
}

// isShortage holds, by code, whether a reason to wait says that too little of a resource is free.
var isShortage = [256]bool{log.TooFewProcs: true, log.LacksResource: true}

// addShortage reports whether too little of a resource is free for the job. If so, it adds a
// sentence about the first such resource. The sentence begins with the given subject, which names
// the job and may contain placeholders. Their values are in args.
func (x *Index) addShortage(a *Answer, m *Machine, subject string, args ...int64) bool {
	n, _ := x.demandAt(a.Job, m.At)
	free := x.freeAt(m, a.At)
	k := free.shortResource(n)
	if k < 0 {
		return false
	}
	a.add(x.shortageText(subject, k, free[k], append(args, demandFor(n, k))...))
	return true
}

// shortageText returns a sentence that says that a job needs more of resource k than is free. The
// given subject names the job. The values of its placeholders are in args, followed by the demand
// of the job. An external schedule can use more than the machine has, so free may be negative.
func (x *Index) shortageText(subject string, k int, free int64, args ...int64) Sentence {
	end := " and {n} are free."
	if free < 0 {
		end, free = ", but the running jobs already use {n} more than are available.", -free
	}
	return x.words.phrase(subject+" needs {n} "+x.words.unitWords(k)+end, append(args, free)...)
}

// addOutage reports whether the job cannot start because an upcoming outage takes processors that
// the job would still need. If so, it adds a sentence about the first such outage.
func (x *Index) addOutage(a *Answer, m *Machine) bool {
	n, length := x.demandAt(a.Job, m.At)
	from := job.Never
	for _, b := range x.log.Machine.Outages {
		if b.From > m.At && b.From < min(from, m.At+length) && x.freeAt(m, b.From).shortResource(n) == 0 {
			from = b.From
		}
	}
	if from == job.Never {
		return false
	}
	a.add(x.words.reasonWithoutTime(a.Job, log.Reason{Code: log.OutageAhead, X: from}))
	return true
}

// addReasonWithoutHead explains why a job waits if the log does not say which job is first in its queue.
func (x *Index) addReasonWithoutHead(a *Answer, m *Machine) {
	if r := x.blockedHead(a.Job, a.At); r != nil {
		a.add(x.words.phrase("{j} waits behind {j}, which was submitted earlier and is itself blocked.", int64(a.Job), int64(r.Job)))
		a.add(x.reasonWithTime(r))
		return
	}
	if x.outsideSlice(a.Job, a.At) {
		a.add(x.words.phrase("{j} waits for a time slice of its type, or for idle processors in a slice of another type.", int64(a.Job)))
		return
	}
	start := x.startRecord(a.Job)
	recorded := start == nil || start.Code != log.NoReason // false for an external schedule
	a.add(x.waitText(a, recorded))
	switch {
	case x.addShortage(a, m, "It") || x.addOutage(a, m):
	case recorded:
		a.add(x.words.phrase("{n} processors are free, enough for it; the log does not say why it was not started.", int64(m.Free)))
	default:
		a.add(x.words.phrase("{n} processors are free, enough for it.", int64(m.Free)))
	}
}

// waitText returns a sentence that says how long the job has waited. If recorded is false, the log
// has no reasons, and the sentence says so.
func (x *Index) waitText(a *Answer, recorded bool) Sentence {
	d := a.At - x.log.Jobs[a.Job].Submit
	switch {
	case !recorded:
		return x.words.phrase("So far, {j} has waited {d}; the records do not say why.", int64(a.Job), d)
	case d == 0:
		return x.words.phrase("{j}"+bareWait, int64(a.Job))
	}
	return x.words.phrase("{j} has waited {d}"+bareDuration, int64(a.Job), d)
}

// bareWait and bareDuration end a sentence that says only that a job waits, or for how long. Another
// sentence with the reason follows.
const (
	bareWait     = " waits."
	bareDuration = " so far."
)

// outsideSlice reports whether job j cannot run at the given time, because there is no time slice
// or the current one belongs to another virtual machine. The start record of job j names its
// virtual machine.
func (x *Index) outsideSlice(j job.Index, at job.Time) bool {
	start := x.startRecord(j)
	n := x.countUntil(x.slices, at)
	if start == nil || start.View == 0 || n == 0 {
		return false
	}
	slice := x.log.Record(int(x.slices[n-1]))
	return slice.X == 0 || slice.View != start.View
}

// blockedHead returns the record which says that an earlier job in the queue of j is blocked: a job
// of another virtual machine still holds resources that the earlier job needs. If none of the
// maxJobs jobs before j is blocked in this way, blockedHead returns nil.
func (x *Index) blockedHead(j job.Index, at job.Time) *log.Record {
	const maxJobs = 64
	start := x.startRecord(j)
	for k := j - 1; k >= max(0, j-maxJobs); k-- {
		hold := x.lastRecord(k, at, func(r *log.Record) bool { return r.Kind == log.Hold })
		if hold == nil || hold.Code != log.HeldByOther || x.State(k, at) != Waiting {
			continue
		}
		if other := x.startRecord(k); start == nil || other == nil || start.View == other.View {
			return hold
		}
	}
	return nil
}

// addBehindHead explains why a job was not backfilled. It takes the record headWait, which says why
// the first job in the queue waits.
func (x *Index) addBehindHead(a *Answer, m *Machine, headWait *log.Record) {
	if headWait.View != 0 || len(x.slices) > 0 { // with several queues, a job cannot use all free processors
		a.add(x.words.phrase("{j} waits behind {j}, which is first in the queue of its type.", int64(a.Job), int64(headWait.Job)), x.reasonWithTime(headWait))
		x.addShortage(a, m, "{j}", int64(a.Job)) // the sentence before is about another job
		return
	}
	n, length := x.demandAt(a.Job, m.At)
	first, _ := x.demandAt(headWait.Job, m.At)
	if isShortage[headWait.Code] {
		free := x.freeAt(m, a.At)
		k := max(0, free.shortResource(first))
		a.add(x.words.reasonWithoutTime(a.Job, log.Reason{Code: log.BehindHead, Other: headWait.Job}))
		a.add(x.shortageText("{j}", k, free[k], int64(headWait.Job), demandFor(first, k)))
		return
	}
	if headWait.Code == log.OutageAhead {
		a.add(x.words.phrase("{j} waits behind {j}, which is first in the queue.", int64(a.Job), int64(headWait.Job)), x.words.reason(headWait))
		return
	}
	shadow := headWait.X
	spare := x.freeAt(m, shadow)
	spare.subtract(first)
	a.add(x.words.phrase("{j} waits behind {j}, which is first in the queue and has an estimated start of {t}.",
		int64(a.Job), int64(headWait.Job), shadow))
	if x.addShortage(a, m, "It") || x.addOutage(a, m) {
		return
	}
	end, k := a.At+length, spare.shortResource(n)
	if end > shadow && k >= 0 {
		a.add(x.words.phrase("Enough processors are free now, but by its estimate, it would run until {t}. At {t}, it would still need {n} "+x.words.unitWords(k)+", but the first job in the queue leaves only {n}.",
			end, shadow, demandFor(n, k), max(spare[k], 0)))
	} else if r := x.unmatchedRecord(a); r != nil {
		a.add(x.reasonWithTime(r))
	} else {
		a.add(x.words.phrase("{n} processors are free, enough for it without delaying {j}; the log does not say why it was not started.",
			int64(m.Free), int64(headWait.Job)))
	}
}

// unmatchedRecord returns the last record that says that the job was passed over because it
// requests too little of the least-used resource. It returns nil if there is none. Such a record
// explains the wait only while enough resources are free for the job.
func (x *Index) unmatchedRecord(a *Answer) *log.Record {
	return x.lastRecord(a.Job, a.At, func(r *log.Record) bool { return r.Code == log.Unmatched })
}

// addReservation reports whether the job has a reservation. If so, it adds sentences about the
// planned start and how it changed.
func (x *Index) addReservation(a *Answer, m *Machine) bool {
	r := x.lastRecord(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Promise || r.Kind == log.Move })
	if r == nil {
		return false
	}
	phrase := x.words.phrase
	if !x.log.Includes(log.Move) {
		a.add(phrase("At {t}, {j} got a reservation from {t}. This log does not record how reservations move afterwards.", r.At, int64(a.Job), r.X))
		x.addShortage(a, m, "It")
		return true
	}
	if r.Kind == log.Promise {
		a.add(x.words.reasonWithoutTime(a.Job, log.Reason{Code: log.Reserved, X: r.X}))
	} else {
		a.add(phrase("{j} holds a reservation from {t}.", int64(a.Job), r.Y))
		a.add(x.moveText(phrase(movedStart), r, phrase(" at t = {t}", r.At)))
	}
	if !x.addShortage(a, m, "It") {
		x.addBlockingReservation(a, m)
	}
	return true
}

// movedStart begins a sentence about a planned start that changed.
const movedStart = "Its planned start last moved"

// moveText returns a sentence about a planned start that changed. It begins with prefix. The text
// timeOfChange, which may be empty, says when the planned start changed.
func (x *Index) moveText(prefix Sentence, r *log.Record, timeOfChange Sentence) Sentence {
	phrase := x.words.phrase
	s := append(append(prefix, phrase(" from {t} to {t}", r.X, r.Y)...), timeOfChange...)
	switch {
	case r.Other == job.None:
		return s.withText(".")
	case log.Codes[r.Code].Moved != "":
		return append(s.withText(" "), x.words.moveReason(r)...).withText(".")
	}
	return append(s, phrase(" because of {j}.", int64(r.Other))...)
}

// addBlockingReservation adds a sentence about the first reservation that keeps a job from starting
// now, although enough resources are free.
func (x *Index) addBlockingReservation(a *Answer, m *Machine) {
	if s := x.blockingReservation(a.Job, m, x.plans.Reservations(a.At)); s != nil {
		a.add(s)
	}
}

// blockingReservation returns a sentence about a reservation in the plan that keeps job j from
// starting now: if job j still ran when the reservation begins, too few resources would be left. It
// uses the first such reservation. It ignores reservations that were made after the reservation of
// job j, and considers at most maxReservations of the others. It returns nil if no reservation
// keeps job j from starting.
func (x *Index) blockingReservation(j job.Index, m *Machine, plan []timeline.Reservation) Sentence {
	const maxReservations = 50
	n, length := x.demandAt(j, m.At)
	now := x.freeAt(m, m.At)
	ownRecord := x.reservationRecord(j, m.At)
	plan = slices.DeleteFunc(plan, func(p timeline.Reservation) bool { return p.Job == j || x.reservationRecord(p.Job, m.At) > ownRecord })
	for i, p := range plan[:min(maxReservations, len(plan))] {
		if p.Start >= m.At+length {
			continue
		}
		free := x.freeAt(m, p.Start)
		for _, b := range plan[:i+1] {
			if b.Start+b.Length > p.Start {
				free.subtract(x.demandWith(b.Job, b.Procs))
			}
		}
		if k := free.shortResource(n); k >= 0 {
			return x.words.phrase("{n} "+x.words.unitWords(k)+" are free now, but the job may run for {d}, and {j} holds a reservation of {n} "+x.words.unitWords(k)+" from {t}.",
				now[k], length, int64(p.Job), demandFor(x.demandWith(p.Job, p.Procs), k), p.Start)
		}
	}
	return nil
}

// reservationRecord returns the index of the record that made the reservation that job j holds at
// the given time. It returns -1 if the job has no reservation.
func (x *Index) reservationRecord(j job.Index, at job.Time) int32 {
	r := x.lastRecord(j, at, func(r *log.Record) bool { return r.Kind == log.Promise || r.Kind == log.Move })
	if r == nil {
		return -1
	}
	return x.recordIndex(r)
}

// addHolders lists the running jobs, sorted by estimated end. If the waiting job lacks an extra
// resource, the list also says how much of it each running job holds.
func (x *Index) addHolders(a *Answer, m *Machine, o Options) {
	n, _ := x.demandAt(a.Job, a.At)
	k := x.freeAt(m, a.At).shortResource(n)
	slice := x.sliceEnd(m.At)
	for i, h := range m.Running {
		if i == o.MaxItems {
			a.Holders.More = len(m.Running) - i
			return
		}
		s := x.words.phrase("{j} holds {n} processors", int64(h.Job), int64(h.Slots))
		if k > 0 {
			s = append(s, x.words.phrase(" and {n} "+x.words.unitWords(k), x.log.Jobs[h.Job].Extra(k-1))...)
		}
		until := " until {t}, its estimated end."
		if h.Until == slice {
			until = " until the time slice ends at {t}."
		}
		a.Holders.Items = append(a.Holders.Items, append(s, x.words.phrase(until, h.Until)...))
	}
}
