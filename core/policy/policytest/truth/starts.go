package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// fits reports whether job k fits what is free.
func (j *judge) fits(k job.Index) bool { return j.freeFor(k).has(j.asks(k)) }

// freeFor returns what is free for a job: in time slices without what preempted jobs of
// its type keep.
func (j *judge) freeFor(k job.Index) amount {
	a := j.free()
	if j.sliced {
		a[0] = j.open(k)
		for i := range j.jobs {
			o, l := job.Index(i), &j.jobs[i]
			for r := 1; r < len(a) && l.started && !l.done && !l.on && j.class(o) == j.class(k); r++ {
				a[r] -= j.asks(o)[r]
			}
		}
	}
	return a
}

// judgeHead: the job was first in the queue and so many processors were free.
func (j *judge) judgeHead() {
	r := j.record
	j.holds(j.head() == r.Job, "it is first in the queue")
	j.is("free processors", r.X, j.freeFor(r.Job)[0])
	j.holds(j.fits(r.Job), "it fits")
}

// startable reports whether job k fits what is free, and no outage takes it away before
// it would end.
func (j *judge) startable(k job.Index) bool {
	return j.fits(k) && (len(j.log.Machine.Outages) == 0 || j.runningPlan().fits(j.asks(k), j.now, j.length(k)))
}

// judgeFirstFit: it was the first in the queue that could start on the free processors.
func (j *judge) judgeFirstFit() {
	r := j.record
	j.is("free processors", r.X, j.freeFor(r.Job)[0])
	j.holds(j.fits(r.Job), "it fits")
	for _, k := range j.before(j.order(), r.Job) {
		j.holds(!j.startable(k), "job %s before it cannot start", j.id(k))
	}
}

// judgeBesidePlan: so many processors were free, and it delays no reservation.
func (j *judge) judgeBesidePlan() {
	r := j.record
	j.is("free processors", r.X, j.freeFor(r.Job)[0])
	j.holds(j.mayStart(r.Job), "it fits beside the reservations")
	if n := j.Knobs.Text("reservations"); n == "0" {
		return
	}
	j.holds(j.head() != r.Job, "it is not first in the queue")
}

// reservations returns the plan of the running jobs and of the first waiting ones before
// job k, as many as hold a reservation.
func (j *judge) reservations(k job.Index) *plan {
	p, depth := j.runningPlan(), j.Knobs.Int("reservations")
	for _, i := range j.queue(j.order(), j.member) {
		if depth == 0 || i == k {
			break
		}
		p.book(j.asks(i), j.length(i), j.now)
		depth--
	}
	return p
}

// mayStart reports whether the waiting job k may start now by the rules of
// backfilling.
func (j *judge) mayStart(k job.Index) bool {
	if !j.fits(k) {
		return false
	}
	if j.Knobs.Text("reservations") != "1" {
		return j.reservations(k).fits(j.asks(k), j.now, j.length(k))
	}
	h := j.head()
	if k == h {
		return false
	}
	at, spare := j.shadow(h)
	return j.now+j.length(k) <= at || spare.has(j.asks(k))
}

// judgeBeforeShadow: so many processors were free and it ends by x, when the other,
// first in the queue, can start.
func (j *judge) judgeBeforeShadow() {
	r := j.record
	j.holds(j.head() == r.Other && r.Other != r.Job, "the other is first in the queue")
	j.holds(j.fits(r.Job), "it fits")
	at, _ := j.shadow(r.Other)
	j.is("when the other can start", r.X, j.wall(at))
	j.is("free processors", r.Y, j.freeFor(r.Job)[0])
	j.holds(j.now+j.length(r.Job) <= at, "it ends by then")
}

// judgeBesideShadow: it may run past x, the reserved start of the other, since y
// processors stay free beside it.
func (j *judge) judgeBesideShadow() {
	r := j.record
	j.holds(j.head() == r.Other && r.Other != r.Job, "the other is first in the queue")
	j.holds(j.fits(r.Job), "it fits")
	at, spare := j.shadow(r.Other)
	j.is("when the other can start", r.X, j.wall(at))
	j.is("processors to spare", r.Y, spare[0])
	j.holds(j.now+j.length(r.Job) > at, "it may run past it")
	j.holds(spare.has(j.asks(r.Job)), "what is to spare is enough")
}

// judgePlanned: it started when its reservation began, at x.
func (j *judge) judgePlanned() {
	r := j.record
	j.is("now", r.X, j.now)
	j.holds(j.fits(r.Job), "it fits")
	l := &j.jobs[r.Job]
	j.is("planned start", l.planned, j.now)
	j.holds(l.move.At != j.now && j.log.Jobs[r.Job].Submit < j.now, "it was planned so before")
}

// judgeAtOnce: it started when it was submitted, and delayed no reservation made before.
func (j *judge) judgeAtOnce() {
	r := j.record
	j.holds(j.log.Jobs[r.Job].Submit == j.now, "it is submitted now")
	j.holds(j.fits(r.Job), "it fits")
	l := &j.jobs[r.Job]
	j.is("planned start", l.planned, j.now)
	j.holds(l.move.At != j.now, "it was planned so at first")
}

// judgeReplanned: the plan made at x, of all waiting jobs in queue order, starts it
// at once.
func (j *judge) judgeReplanned() {
	r := j.record
	j.is("now", r.X, j.now)
	j.holds(j.fits(r.Job), "it fits")
	j.is("start in a new plan", j.replanned(r.Job), j.now)
}

// replanned is where a plan in the order of the queue puts the waiting job k.
func (j *judge) replanned(k job.Index) job.Time {
	p := j.runningPlan()
	for _, i := range j.before(j.order(), k) {
		p.book(j.asks(i), j.length(i), j.now)
	}
	return p.first(j.asks(k), j.length(k), j.now)
}

// judgeMove: the planned start was X and is Y, earlier, where there is room and
// nowhere before.
func (j *judge) judgeMove() {
	r := j.record
	j.is("planned start", r.X, j.jobs[r.Job].planned)
	j.holds(r.Y < r.X, "it moves up")
	j.is("first room", r.Y, j.reservedPlan(r.Job).first(j.asks(r.Job), j.length(r.Job), j.now))
}

// judgeMoved: as a start, it moved up from x at this moment, for the same reason.
func (j *judge) judgeMoved() {
	r, m := j.record, &j.jobs[j.record.Job].move
	if r.Kind != log.Start {
		return
	}
	j.holds(m.At == j.now && m.Code == r.Code && m.Other == r.Other, "it moved now, for this reason")
	j.is("planned start before", r.X, m.X)
	j.is("planned start", m.Y, j.now)
	j.holds(j.fits(r.Job), "it fits")
}

// judgeMovedUp: it moved up from x: the other ended before its estimate and left
// room.
func (j *judge) judgeMovedUp() {
	r := j.record
	j.judgeMoved()
	first := slices.IndexFunc(j.ended, j.early)
	j.holds(first >= 0 && j.ended[first] == r.Other, "the other is the first that ended now before its estimate")
}

// early reports whether job k, which has ended, did so before its estimate.
func (j *judge) early(k job.Index) bool { return j.jobs[k].finish < j.jobs[k].due }

// judgeMovedNow: when the other ended it could start at once.
func (j *judge) judgeMovedNow() {
	r := j.record
	j.judgeMoved()
	j.holds(r.Kind == log.Start || r.Y == j.now, "it can start at once")
	j.endedAsEstimated()
}

// judgeMovedAgain: when the other ended, all were looked at again.
func (j *judge) judgeMovedAgain() {
	j.holds(j.record.Y > j.now, "it cannot start at once")
	j.endedAsEstimated()
}

func (j *judge) endedAsEstimated() {
	j.holds(len(j.ended) > 0 && j.ended[0] == j.record.Other, "the other is the first that ended now")
	j.holds(!slices.ContainsFunc(j.ended, j.early), "none ended early")
}

// judgeMovedAhead: it moved up before the other, submitted later, could take the
// room.
func (j *judge) judgeMovedAhead() {
	r := j.record
	j.judgeMoved()
	o := &j.log.Jobs[r.Other]
	j.holds(o.Submit == j.now && r.Other > r.Job, "the other is submitted now, and later")
	if r.Kind == log.Start {
		return
	}
	j.holds(j.jobs[r.Other].planned == unplanned, "the other is not planned yet")
	j.holds(r.Job != r.Other && slices.Contains(j.before(j.order(), r.Other), r.Job), "it comes before the other")
	end := j.reservedPlan(job.None).first(j.asks(r.Other), o.Estimate, j.now) + o.Estimate
	if j.Knobs.Text("arrival-limit") == "fixed" {
		end = j.limitOf(r.Other, end)
	}
	if j.Knobs.Text("arrival-tie") == "at" {
		end++
	}
	j.holds(r.Y < end, "it starts before the other would end, %d", end)
}

// limitOf is where a submitted job would have ended before the first move on its
// behalf.
func (j *judge) limitOf(k job.Index, now job.Time) job.Time {
	if j.limits == nil {
		j.limits = map[job.Index]job.Time{}
	}
	if _, known := j.limits[k]; !known {
		j.limits[k] = now
	}
	return j.limits[k]
}

// judgePromise: the job is promised the earliest time that delays no earlier one.
func (j *judge) judgePromise() {
	r := j.record
	j.count(log.Reserved)
	j.is("now", j.log.Jobs[r.Job].Submit, j.now)
	j.holds(j.jobs[r.Job].planned == unplanned, "it has no promise yet")
	j.is("earliest start", r.X, j.reservedPlan(r.Job).first(j.asks(r.Job), j.length(r.Job), j.now))
	j.is("y", r.Y, 0)
	j.holds(r.Code == log.NoReason, "a promise needs no reason")
}
