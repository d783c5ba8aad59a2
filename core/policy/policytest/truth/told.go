package truth

import (
	"maps"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// telling is what jobs have been told that wait in time slices.
type telling struct {
	last   map[job.Index]job.Time // when they were told last
	times  map[job.Index]int      // and how often then
	awaits map[job.Index]bool     // who was told to wait for nothing but a slice
	held   map[job.Index]bool     // who is held up in the present slice
	ended  job.Time               // when a slice ended last
}

// told reports whether a job was told something at a moment.
func (t *telling) told(k job.Index, at job.Time) bool {
	last, ever := t.last[k]
	return ever && last == at
}

// takeTold takes in what a record tells a waiting job.
func (j *judge) takeTold(r *log.Record) {
	t := &j.telling
	if t.last == nil {
		*t = telling{map[job.Index]job.Time{}, map[job.Index]int{}, map[job.Index]bool{}, map[job.Index]bool{}, unplanned}
	}
	switch {
	case r.Kind == log.Slice && r.X == 0:
		t.ended = r.At
	case r.Kind == log.Slice:
		clear(t.held)
	case r.Kind != log.Hold:
	case r.Code == log.HeldByOther:
		t.held[r.Job] = true
	case byHost[r.Code]:
		t.times[r.Job]++
		t.last[r.Job], t.awaits[r.Job] = r.At, r.Code == log.AwaitsSlice
	}
}

// judgeTold: a job is told what it waits for when it comes, when a slice is over in
// which it was held up, and, if it waits for a slice, when that has come without it or
// will come later than foretold.
func (j *judge) judgeTold() {
	k, t := j.record.Job, &j.telling
	occasions := 0
	for _, is := range []bool{j.log.Jobs[k].Submit == j.now, j.heldUp(k), t.awaits[k] && j.later(), t.awaits[k] && j.turn.At == j.now && j.present() == j.class(k)} {
		if is {
			occasions++
		}
	}
	if !t.told(k, j.now) {
		delete(t.times, k)
	}
	j.holds(t.times[k] < occasions, "it is told now")
}

// heldUp reports whether a job was held up in a slice that ends now.
func (j *judge) heldUp(k job.Index) bool { return j.telling.ended == j.now && j.telling.held[k] }

// foretold is when the type of the record will have run for a time, as the job is told:
// one that was held up is told before the interval that begins now is laid out.
func (j *judge) foretold(length job.Time) job.Time {
	k := j.record.Job
	unlaid := j.now%j.int("interval") == 0 && j.heldUp(k) && !j.telling.told(k, j.now)
	return j.reach(j.type_, length, !unlaid)
}

// later reports whether the slices of the interval that begins now are later than
// foretold: there is a short one.
func (j *judge) later() bool { return j.now%j.int("interval") == 0 && j.shorts[j.now] > 0 }

// untold: nobody is left out that is to be told now.
func (j *judge) untold() {
	t := &j.telling
	for _, k := range j.waiting(everyone) {
		came := j.log.Jobs[k].Submit == j.now && j.present() != j.class(k)
		over := j.heldUp(k) && j.present() == 0
		if (came || over || t.awaits[k] && j.later()) && !t.told(k, j.now) {
			j.wrong("after it: what job %s waits for is not on record", j.id(k))
		}
	}
	if j.stirred && j.present() > 0 {
		j.as(j.present(), j.inItsSlice)
	}
	if j.empty(j.now) && j.present() != 0 {
		j.wrong("after it: all jobs have ended, and the slice has not")
	}
	if j.turn.At == j.now && j.turn.X == 1 {
		for k := range t.awaits {
			if j.class(k) == j.present() {
				delete(t.awaits, k)
			}
		}
	}
}

// judgeAwaitsSlice: it waits for a slice of its type; the next one begins at x at the
// earliest.
func (j *judge) judgeAwaitsSlice() {
	r := j.record
	j.judgeTold()
	j.holds(j.present() != j.class(r.Job), "the slice is not of its type")
	j.holds(j.ready(r.Job), "its type plans it for the next slice")
	j.is("begin of the next slice", r.X, j.foretold(0))
	j.nextBegin(r.X)
}

// judgePlannedSlice: it waits for room in the slices of its type; by the latest plan
// on record it starts there at x: by that of this moment, or, before the policy of
// its type has acted, by that of the last moment at which it did. Of a plan that
// keeps what it once promised only the least is known: what running jobs leave.
func (j *judge) judgePlannedSlice() {
	r := j.record
	j.judgeTold()
	j.holds(r.X > j.foretold(0), "it is not for the begin of the next slice")
	now := j.planned(r.Job) - j.now
	was, before := j.plans[r.Job]
	was = max(0, was-j.clock(j.type_))
	if j.keepsPromises() {
		least := now
		if before {
			least = min(now, was)
		}
		j.holds(r.X >= j.foretold(least), "there is room no sooner")
		return
	}
	if before && r.X == j.foretold(was) {
		return
	}
	j.is("planned start", r.X, j.foretold(now))
}

// inItsSlice: of the type whose slice it is, who is due and held up is on record, and
// who fits and is in no set.
func (j *judge) inItsSlice() {
	due := j.due()
	switch h := j.head(); {
	case j.Policy == "fair-slack":
		for _, k := range j.waiting(j.member)[len(due):] {
			j.leftOut(k)
		}
	case h == job.None || j.Policy != "fcfs" && (j.Policy != "easy" || j.Knobs.Text("reservations") == "0") || !j.virtual().has(j.asks(h)):
		return
	default:
		due = []job.Index{h}
	}
	for _, k := range due {
		if !j.telling.held[k] {
			j.wrong("after it: that job %s is held up is not on record", j.id(k))
		}
	}
}

// ready reports whether the policy of the type of a job has it start as soon as a
// slice begins, or does not plan it.
func (j *judge) ready(k job.Index) bool {
	if j.Policy == "fcfs" || j.keepsPromises() {
		return true // not known
	}
	was, before := j.plans[k]
	now := j.planned(k)
	return now == job.Never || now <= j.now || before && was <= j.clock(j.type_) || !before && j.log.Jobs[k].Submit < j.now
}

// planned is where the policy of a type plans a waiting job of it; job.Never if it
// does not.
func (j *judge) planned(k job.Index) (at job.Time) {
	switch {
	case j.Policy == "glomarc-ts":
		what, length := j.apart(k)
		return j.planBefore(k).first(what, length, j.now)
	case j.Policy == "easy":
		if j.head() != k {
			return job.Never
		}
		at, _ = j.shadow(k)
		return at
	case j.keepsPromises():
		return j.runningPlan().first(j.asks(k), j.length(k), j.now)
	}
	p := j.runningPlan()
	for _, i := range j.queue(j.order(), j.member) {
		if at = p.book(j.asks(i), j.length(i), j.now); i == k {
			break
		}
	}
	return at
}

// judgeHeldByOther: it could start in this slice, but the other, of another type,
// holds what it needs, until x at the latest.
func (j *judge) judgeHeldByOther() {
	r := j.record
	j.holds(j.present() == j.class(r.Job), "the slice is of its type")
	lacks, other, until := 0, job.None, job.Time(0)
	free := j.free()
	for k := 1; k < len(free) && lacks == 0; k++ {
		if free[k] < j.asks(r.Job)[k] {
			lacks = k
		}
	}
	j.holds(lacks > 0 || j.open(r.Job) < j.asks(r.Job)[0], "it lacks something")
	for _, k := range j.startOrder {
		to := min(j.turn.Y, j.now+j.remaining(k))
		if j.jobs[k].on && j.class(k) != j.class(r.Job) && j.asks(k)[lacks] > 0 && to > until {
			other, until = k, to
		}
	}
	j.holds(other == r.Other, "the other is the one that holds some of it the longest, %s", j.id(other))
	j.is("until", r.X, until)
	j.holds(until > j.now, "it still holds it")
}

// remember keeps the plans of this moment, of the policies that have made any.
func (j *judge) remember() {
	if !j.sliced || j.now < 0 || !j.stirred {
		return
	}
	if j.plans == nil {
		j.plans = map[job.Index]job.Time{}
	}
	for j.type_ = 1; j.type_ <= 3; j.type_++ {
		if !j.replans(j.type_) {
			continue
		}
		maps.DeleteFunc(j.plans, func(k job.Index, _ job.Time) bool { return j.member(k) })
		for _, k := range j.waiting(j.member) {
			if at := j.planned(k); at != job.Never {
				j.plans[k] = j.clock(j.type_) + at - j.now
			}
		}
	}
}

// replans reports whether the policy of a type has acted at this moment: that whose
// slice it is; all of them where there was something left to fill; and any of which a
// job came, ended or went on.
func (j *judge) replans(of int) bool {
	if of == j.present() || j.free()[0] > 0 {
		return true
	}
	for i := range j.jobs {
		k, l := job.Index(i), &j.jobs[i]
		guest := l.on && j.class(k) != j.present()
		if guest && l.since == j.now || j.class(k) == of && (guest || j.log.Jobs[k].Submit == j.now) {
			return true
		}
	}
	return slices.ContainsFunc(j.ended, func(k job.Index) bool { return j.class(k) == of })
}
