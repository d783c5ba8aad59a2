package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// fitsNow reports whether job k fits the free resources.
func (c *checker) fitsNow(k job.Index) bool { return c.freeForJob(k).covers(c.demand(k)) }

// freeForJob returns the resources that are free for a job. With time slices, preempted
// jobs of the same type keep their resources, so these are not free.
func (c *checker) freeForJob(k job.Index) amount {
	free := c.free()
	if c.inSlices {
		free[0] = c.usableProcCount(k)
		for i := range c.jobs {
			other, s := job.Index(i), &c.jobs[i]
			for r := 1; r < len(free) && s.started && !s.done && !s.running && c.typeOf(other) == c.typeOf(k); r++ {
				free[r] -= c.demand(other)[r]
			}
		}
	}
	return free
}

// checkHead checks that the record's job is the head of the queue and fits, and that X processors
// are free.
func (c *checker) checkHead() {
	r := c.record
	c.expect(c.head() == r.Job, "the job is first in the queue")
	c.expectEqual("free processors", r.X, c.freeForJob(r.Job)[0])
	c.expect(c.fitsNow(r.Job), "the job fits")
}

// canStart reports whether job k fits the free resources and no outage takes them before its
// estimated end.
func (c *checker) canStart(k job.Index) bool {
	return c.fitsNow(k) && (len(c.Log.Machine.Outages) == 0 || c.runningPlan().fits(c.demand(k), c.now, c.estimatedRuntime(k)))
}

// checkFirstFit checks that the record's job is not the head of the queue, but the first job that
// can start on the X free processors.
func (c *checker) checkFirstFit() {
	r := c.record
	c.expect(c.head() != r.Job, "another job is first in the queue")
	c.expectEqual("free processors", r.X, c.freeForJob(r.Job)[0])
	c.expect(c.fitsNow(r.Job), "the job fits")
	for _, k := range c.jobsBefore(c.queueOrder(), r.Job) {
		c.expect(!c.canStart(k), "job %s, earlier in the queue, cannot start", c.jobID(k))
	}
}

// checkDelaysNoReservation checks that X processors are free and that the record's job delays no reservation
// of a job ahead of it.
func (c *checker) checkDelaysNoReservation() {
	r := c.record
	c.expectEqual("free processors", r.X, c.freeForJob(r.Job)[0])
	c.expect(c.mayStart(r.Job), "the job delays no reservation")
	c.expect(c.head() != r.Job, "the job is not first in the queue")
}

// reservationPlan returns a plan with the running jobs and with reservations for the waiting jobs
// that precede job k in the queue. The knob reservations limits their number.
func (c *checker) reservationPlan(k job.Index) *plan {
	p, depth := c.runningPlan(), c.Knobs.Int("reservations")
	for _, i := range c.queue(c.queueOrder(), c.isOfCurrentType) {
		if depth == 0 || i == k {
			break
		}
		p.allocateEarliest(c.demand(i), c.estimatedRuntime(i), c.now)
		depth--
	}
	return p
}

// mayStart reports whether the backfilling rule lets the waiting job k start now.
func (c *checker) mayStart(k job.Index) bool {
	if !c.fitsNow(k) {
		return false
	}
	if c.Knobs.Text("reservations") != "1" {
		return c.reservationPlan(k).fits(c.demand(k), c.now, c.estimatedRuntime(k))
	}
	head := c.head()
	if k == head {
		return false
	}
	at, spare := c.shadow(head)
	return c.now+c.estimatedRuntime(k) <= at || spare.covers(c.demand(k))
}

// checkBackfill checks that the record's job fits and that the record's other job is the head of
// the queue, with the shadow time X. It returns the shadow time on the clock of the job's type, and
// the extra resources at that time.
func (c *checker) checkBackfill() (at job.Time, spare amount) {
	r := c.record
	c.expect(c.head() == r.Other && r.Other != r.Job, "the other job is first in the queue")
	c.expect(c.fitsNow(r.Job), "the job fits")
	at, spare = c.shadow(r.Other)
	c.expectEqual("start of the other job", r.X, c.wallTime(at))
	return at, spare
}

// checkBeforeShadow checks that the record's other job is the head of the queue, with the shadow
// time X. The record's job must end by X, and Y processors must be free.
func (c *checker) checkBeforeShadow() {
	r := c.record
	at, _ := c.checkBackfill()
	c.expectEqual("free processors", r.Y, c.freeForJob(r.Job)[0])
	c.expect(c.now+c.estimatedRuntime(r.Job) <= at, "the job ends by the shadow time")
}

// checkWithinExtra checks that the record's job may still run at X, the shadow time of the record's
// other job, and that it needs at most the Y extra processors.
func (c *checker) checkWithinExtra() {
	r := c.record
	at, spare := c.checkBackfill()
	c.expectEqual("extra processors", r.Y, spare[0])
	c.expect(c.now+c.estimatedRuntime(r.Job) > at, "the job may run past the shadow time")
	c.expect(spare.covers(c.demand(r.Job)), "the job fits into the extra resources")
}

// checkPlanned checks that the record's job starts at X, when its reservation starts.
func (c *checker) checkPlanned() {
	r := c.record
	c.expectEqual("now", r.X, c.now)
	c.expect(c.fitsNow(r.Job), "the job fits")
	state := &c.jobs[r.Job]
	c.expectEqual("planned start", state.plannedStart, c.now)
	c.expect(state.lastMove.At != c.now && c.Log.Jobs[r.Job].Submit < c.now, "this start was planned earlier")
}

// checkAtOnce checks that the record's job starts when it is submitted, at its first planned start.
func (c *checker) checkAtOnce() {
	r := c.record
	c.expect(c.Log.Jobs[r.Job].Submit == c.now, "the job is submitted now")
	c.expect(c.fitsNow(r.Job), "the job fits")
	state := &c.jobs[r.Job]
	c.expectEqual("planned start", state.plannedStart, c.now)
	c.expect(state.lastMove.At != c.now, "the job starts at its first planned start")
}

// checkReplanned checks that a new plan of all waiting jobs in queue order, made at X, starts the
// record's job at once.
func (c *checker) checkReplanned() {
	r := c.record
	c.expectEqual("now", r.X, c.now)
	c.expect(c.fitsNow(r.Job), "the job fits")
	c.expectEqual("start in a new plan", c.startInNewPlan(r.Job), c.now)
}

// startInNewPlan returns the start of the waiting job k in a new plan of all waiting jobs,
// in queue order.
func (c *checker) startInNewPlan(k job.Index) job.Time {
	p := c.runningPlan()
	for _, i := range c.jobsBefore(c.queueOrder(), k) {
		p.allocateEarliest(c.demand(i), c.estimatedRuntime(i), c.now)
	}
	return p.earliest(c.demand(k), c.estimatedRuntime(k), c.now)
}

// checkMove checks that the planned start moves from X to an earlier time Y, which is the earliest
// possible start given the other reservations.
func (c *checker) checkMove() {
	r := c.record
	c.expectEqual("planned start", r.X, c.jobs[r.Job].plannedStart)
	c.expect(r.Y < r.X, "the planned start moves to an earlier time")
	c.expectEqual("earliest start", r.Y, c.reservedPlan(r.Job).earliest(c.demand(r.Job), c.estimatedRuntime(r.Job), c.now))
}

// checkStartAfterMove checks a record of a start: the planned start of the record's job must have
// moved at this instant, from X to now and for the same reason. It does nothing for other records.
func (c *checker) checkStartAfterMove() {
	r, m := c.record, &c.jobs[c.record.Job].lastMove
	if r.Kind != log.Start {
		return
	}
	c.expect(m.At == c.now && m.Code == r.Code && m.Other == r.Other, "the planned start moved now, for this reason")
	c.expectEqual("planned start before", r.X, m.X)
	c.expectEqual("planned start", m.Y, c.now)
	c.expect(c.fitsNow(r.Job), "the job fits")
}

// checkMovedAfterEarlyEnd checks that the planned start moved because the record's other job ended before its
// estimate.
func (c *checker) checkMovedAfterEarlyEnd() {
	r := c.record
	c.checkStartAfterMove()
	first := slices.IndexFunc(c.ended, c.endedEarly)
	c.expect(first >= 0 && c.ended[first] == r.Other, "the other job is the first that ended now before its estimate")
}

// endedEarly reports whether the finished job k ended before its estimate.
func (c *checker) endedEarly(k job.Index) bool { return c.jobs[k].end < c.jobs[k].estimatedEnd }

// checkMovedNow checks that the record's job could start at once when the record's other job ended.
func (c *checker) checkMovedNow() {
	r := c.record
	c.checkStartAfterMove()
	c.expect(r.Kind == log.Start || r.Y == c.now, "the job can start at once")
	c.checkNoEarlyEnd()
}

// checkMovedByCompression checks that the planned start moved when the record's other job ended, but not to
// the current time.
func (c *checker) checkMovedByCompression() {
	c.expect(c.record.Y > c.now, "the job cannot start at once")
	c.checkNoEarlyEnd()
}

// checkNoEarlyEnd checks that no job ended early at this instant. The first job that ended must be
// the other job of the record.
func (c *checker) checkNoEarlyEnd() {
	c.expect(len(c.ended) > 0 && c.ended[0] == c.record.Other, "the other job is the first that ended now")
	c.expect(!slices.ContainsFunc(c.ended, c.endedEarly), "no job ended early")
}

// checkMovedToKeepPlace checks that the planned start moved because the record's other job is submitted
// now. Without the move, the other job could take the processors first.
func (c *checker) checkMovedToKeepPlace() {
	r := c.record
	c.checkStartAfterMove()
	other := &c.Log.Jobs[r.Other]
	c.expect(other.Submit == c.now && r.Other > r.Job, "the other job is submitted now, after the job")
	if r.Kind == log.Start {
		return
	}
	c.expect(c.jobs[r.Other].plannedStart == unset, "the other job is not planned yet")
	c.expect(r.Job != r.Other && slices.Contains(c.jobsBefore(c.queueOrder(), r.Other), r.Job), "the job is before the other job in the queue")
	end := c.reservedPlan(job.None).earliest(c.demand(r.Other), other.Estimate, c.now) + other.Estimate
	if c.Knobs.Text("arrival-limit") == "fixed" {
		end = c.arrivalLimit(r.Other, end)
	}
	if c.Knobs.Text("arrival-tie") == "at" {
		end++
	}
	c.expect(r.Y < end, "the job starts before the other job would end, at %d", end)
}

// arrivalLimit returns the limit for the moves that the submission of job k causes, with
// arrival-limit=fixed. The limit is the time at which k would end without any of these moves. The
// first call for a job stores the given end as the limit, and later calls return the stored limit.
func (c *checker) arrivalLimit(k job.Index, end job.Time) job.Time {
	if c.fixedLimits == nil {
		c.fixedLimits = map[job.Index]job.Time{}
	}
	if _, known := c.fixedLimits[k]; !known {
		c.fixedLimits[k] = end
	}
	return c.fixedLimits[k]
}

// checkPromise checks that the record's job is promised the earliest start X that delays no earlier
// job.
func (c *checker) checkPromise() {
	r := c.record
	c.count(log.Reserved)
	c.expectEqual("now", c.Log.Jobs[r.Job].Submit, c.now)
	c.expect(c.jobs[r.Job].plannedStart == unset, "the job has no promise yet")
	c.expectEqual("earliest start", r.X, c.reservedPlan(r.Job).earliest(c.demand(r.Job), c.estimatedRuntime(r.Job), c.now))
	c.expectEqual("y", r.Y, 0)
	c.expect(r.Code == log.NoReason, "the record has no reason")
}
