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

// foretold returns when the type of the record will have run for a time, as the job is told:
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
	if j.present() > 0 {
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
// on record it starts there at x.
func (j *judge) judgePlannedSlice() {
	r := j.record
	j.judgeTold()
	j.holds(r.X > j.foretold(0), "it is not for the begin of the next slice")
	if length, planned := j.ahead(r.Job); j.ok(planned, "it is planned") {
		j.is("planned start", r.X, j.foretold(length))
	}
}

// ahead returns how long the clock of its type goes to the planned start of a job by the
// latest plan: by that of this moment if the job came now or the slice is of its type;
// else it is told before the policy of its type acts.
func (j *judge) ahead(k job.Index) (length job.Time, planned bool) {
	if j.log.Jobs[k].Submit == j.now || j.present() == j.class(k) {
		at := j.planned(k)
		return max(0, at-j.now), at != job.Never
	}
	at, planned := j.plans[k]
	return max(0, at-j.clock(j.class(k))), planned
}

// inItsSlice: of the type whose slice it is, who is due and held up is on record, and
// who fits and is in no set, if its policy has acted now.
func (j *judge) inItsSlice() {
	if !j.called() {
		return
	}
	due := j.due()
	switch h := j.head(); {
	case j.Policy == "conservative":
		due = slices.DeleteFunc(j.waiting(j.member), func(k job.Index) bool { return j.planned(k) > j.now })
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
	if j.Policy == "fcfs" {
		return true // not known
	}
	length, planned := j.ahead(k)
	return length == 0 || !planned
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
		at, planned := j.current().starts[k]
		if !planned {
			return job.Never
		}
		return j.now + at - j.clock(j.type_)
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
	j.holds(j.Policy != "conservative" || j.planned(r.Job) == j.now, "it is planned for now")
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

// remember keeps the plans of this moment, of the policies that have acted.
func (j *judge) remember() {
	if !j.sliced || j.now < 0 {
		return
	}
	if j.plans == nil {
		j.plans = map[job.Index]job.Time{}
	}
	j.eachType(func() {
		called := j.called()
		maps.DeleteFunc(j.plans, func(k job.Index, _ job.Time) bool { return j.member(k) && (called || j.jobs[k].started) })
		for _, k := range j.waiting(j.member) {
			if !called && j.log.Jobs[k].Submit < j.now {
				continue
			}
			if at := j.planned(k); at != job.Never {
				j.plans[k] = j.clock(j.type_) + at - j.now
			}
		}
		if called && j.keepsPromises() {
			j.keep()
		}
	})
}

// called reports whether the policy of the type plans at this moment: that whose slice
// it is, if something has happened or it was to wake; another if there was something
// left to fill, or if something has happened to its jobs, for which only a policy that
// shares nodes does not plan all of them anew.
func (j *judge) called() bool {
	switch host := j.present(); {
	case j.type_ == host:
		return j.stirred || slices.Contains(j.wakes(), j.now)
	case host != 0 && j.stirred && j.Knobs.On("non-type") && j.vacant():
		return true
	}
	return j.Policy != "glomarc-ts" && j.concerned()
}

// vacant reports whether the policy whose slice it is has left processors to others.
func (j *judge) vacant() bool {
	return j.free()[0] > 0 || slices.ContainsFunc(j.running(everyone), func(k job.Index) bool {
		return j.class(k) != j.present() && j.jobs[k].since == j.now
	})
}

// concerned reports whether a job of the type came or ended now, or has made progress
// as a guest.
func (j *judge) concerned() bool {
	for i := range j.jobs {
		l, k := &j.jobs[i], job.Index(i)
		suspended := l.started && !l.done && !l.on && l.since == j.now && j.ran != j.type_
		if j.member(k) && (j.log.Jobs[k].Submit == j.now || l.on && j.stirred || suspended) {
			return true
		}
	}
	return slices.ContainsFunc(j.ended, j.member)
}

// wakes returns the moments at which the policy whose slice it is acts, if nothing happens
// before, for jobs that it has planned.
func (j *judge) wakes() (at []job.Time) {
	host := j.present()
	for k, start := range j.plans {
		if j.Policy == "conservative" && j.class(k) == host {
			at = append(at, j.now+start-j.clock(host))
		}
	}
	return at
}
