package truth

import (
	"maps"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// waitNotices describes the notices of waiting jobs. A notice is a record with the reason
// awaits-slice or planned-slice. The time slices give these reasons, not the inner policy.
type waitNotices struct {
	lastTime    map[job.Index]job.Time // by job: time of the last notice
	count       map[job.Index]int      // by job: number of notices at that time
	awaitsSlice map[job.Index]bool     // by job: whether the last notice has the reason awaits-slice
	heldUp      map[job.Index]bool     // by job: whether guests keep the job from starting in the current slice
	sliceEnd    job.Time               // end of the last slice
}

// notified reports whether the last notice of job k was at the given time.
func (t *waitNotices) notified(k job.Index, at job.Time) bool {
	last, known := t.lastTime[k]
	return known && last == at
}

// applyNotice updates the notices with a record.
func (c *checker) applyNotice(r *log.Record) {
	notices := &c.notices
	if notices.lastTime == nil {
		*notices = waitNotices{map[job.Index]job.Time{}, map[job.Index]int{}, map[job.Index]bool{}, map[job.Index]bool{}, unset}
	}
	switch {
	case r.Kind == log.Slice && r.X == 0:
		notices.sliceEnd = r.At
	case r.Kind == log.Slice:
		clear(notices.heldUp)
	case r.Kind != log.Hold:
	case r.Code == log.HeldByOther:
		notices.heldUp[r.Job] = true
	case recordedBySlices[r.Code]:
		notices.count[r.Job]++
		notices.lastTime[r.Job], notices.awaitsSlice[r.Job] = r.At, r.Code == log.AwaitsSlice
	}
}

// checkNotice checks that there was an occasion for the notice in the current record. Four
// occasions are possible: the job was submitted; a slice in which guests held up the job ended; the
// slice that the job waits for was delayed; or this slice started, but the job did not.
func (c *checker) checkNotice() {
	k, notices := c.record.Job, &c.notices
	occasions := 0
	for _, due := range []bool{c.Log.Jobs[k].Submit == c.now, c.wasHeldUp(k), notices.awaitsSlice[k] && c.slicesDelayed(), notices.awaitsSlice[k] && c.lastSlice.At == c.now && c.currentSliceType() == c.typeOf(k)} {
		if due {
			occasions++
		}
	}
	if !notices.notified(k, c.now) {
		delete(notices.count, k)
	}
	c.expect(notices.count[k] < occasions, "a notice is due now")
}

// wasHeldUp reports whether a slice ends now and guests kept job k from starting in it.
func (c *checker) wasHeldUp(k job.Index) bool {
	return c.notices.sliceEnd == c.now && c.notices.heldUp[k]
}

// expectedTime returns the predicted wall-clock time at which the clock of the job's type will have
// advanced by length seconds. If guests kept the job from starting, its notice is recorded before the new
// interval is laid out, so the prediction does not use the new layout.
func (c *checker) expectedTime(length job.Time) job.Time {
	k := c.record.Job
	beforeLayout := c.now%c.timeKnob("interval") == 0 && c.wasHeldUp(k) && !c.notices.notified(k, c.now)
	return c.timeAfter(c.currentType, length, !beforeLayout)
}

// slicesDelayed reports whether an interval with a slice for short jobs starts now. The other
// slices of such an interval start later than predicted.
func (c *checker) slicesDelayed() bool {
	return c.now%c.timeKnob("interval") == 0 && c.shortSlices[c.now] > 0
}

// checkMissingNotices checks, at the end of an instant, that every notice for which there was an
// occasion has been recorded. It also checks the records of jobs that guests hold up, and the end
// of the last slice.
func (c *checker) checkMissingNotices() {
	notices := &c.notices
	for _, k := range c.waiting(anyJob) {
		submitted := c.Log.Jobs[k].Submit == c.now && c.currentSliceType() != c.typeOf(k)
		sliceOver := c.wasHeldUp(k) && c.currentSliceType() == 0
		if (submitted || sliceOver || notices.awaitsSlice[k] && c.slicesDelayed()) && !notices.notified(k, c.now) {
			c.fail("missing record: the reason why job %s waits", c.jobID(k))
		}
	}
	if c.currentSliceType() > 0 {
		c.withType(c.currentSliceType(), c.checkHeldUpRecorded)
	}
	if c.allEnded(c.now) && c.currentSliceType() != 0 {
		c.fail("missing record: the end of the slice, since all jobs have ended")
	}
	if c.lastSlice.At == c.now && c.lastSlice.X == 1 {
		for k := range notices.awaitsSlice {
			if c.typeOf(k) == c.currentSliceType() {
				delete(notices.awaitsSlice, k)
			}
		}
	}
}

// checkAwaitsSlice checks that the record's job waits only for a slice of its type. The next such
// slice starts at X at the earliest.
func (c *checker) checkAwaitsSlice() {
	r := c.record
	c.checkNotice()
	c.expect(c.currentSliceType() != c.typeOf(r.Job), "the current slice is of another type")
	c.expect(c.plannedForNextSlice(r.Job), "the policy plans the job for the start of the next slice")
	c.expectEqual("start of the next slice", r.X, c.expectedTime(0))
	c.checkNextSlice(r.X)
}

// checkPlannedSlice checks that the record's job waits for free processors in the slices of its
// type. According to the latest recorded plan, it starts at X.
func (c *checker) checkPlannedSlice() {
	r := c.record
	c.checkNotice()
	c.expect(r.X > c.expectedTime(0), "the planned start is after the start of the next slice")
	if length, planned := c.timeToPlannedStart(r.Job); c.expect(planned, "the job is planned") {
		c.expectEqual("planned start", r.X, c.expectedTime(length))
	}
}

// timeToPlannedStart returns the time until the planned start of a job, on the clock of its type.
// It uses the plan of this instant if the job is submitted now or the current slice is of its type.
// Otherwise it uses the last plan, because the notice is recorded before the policy acts. It
// reports false if the policy does not plan the job.
func (c *checker) timeToPlannedStart(k job.Index) (length job.Time, planned bool) {
	if c.Log.Jobs[k].Submit == c.now || c.currentSliceType() == c.typeOf(k) {
		at := c.plannedStartOf(k)
		return max(0, at-c.now), at != job.Never
	}
	at, planned := c.lastPlanned[k]
	return max(0, at-c.typeClock(c.typeOf(k))), planned
}

// checkHeldUpRecorded checks that no record is missing if the policy of the current slice plans at
// this instant. Every job that guests keep from starting needs a record. With the policy
// fair-slack, every job that fits but is not in the selected set needs a record, too.
func (c *checker) checkHeldUpRecorded() {
	if !c.policyPlansNow() {
		return
	}
	startable := c.startingNow()
	switch head := c.head(); {
	case c.Policy == "conservative":
		startable = slices.DeleteFunc(c.waiting(c.isOfCurrentType), func(k job.Index) bool { return c.plannedStartOf(k) > c.now })
	case c.Policy == "fair-slack":
		for _, k := range c.waiting(c.isOfCurrentType)[len(startable):] {
			c.checkLeftOutRecorded(k)
		}
	case head == job.None || c.Policy != "fcfs" && (c.Policy != "easy" || c.Knobs.Text("reservations") == "0") || !c.virtualFree().covers(c.demand(head)):
		return
	default:
		startable = []job.Index{head}
	}
	for _, k := range startable {
		if !c.notices.heldUp[k] {
			c.fail("missing record: guests hold up job %s", c.jobID(k))
		}
	}
}

// plannedForNextSlice reports whether the job may start when the next slice of its type starts.
// This holds if its policy plans this start, or does not plan the job at all.
func (c *checker) plannedForNextSlice(k job.Index) bool {
	if c.Policy == "fcfs" {
		return true // fcfs makes no plan
	}
	length, planned := c.timeToPlannedStart(k)
	return length == 0 || !planned
}

// plannedStartOf returns the start of a waiting job in the plan of its policy, or job.Never
// if the policy does not plan it.
func (c *checker) plannedStartOf(k job.Index) (at job.Time) {
	switch {
	case c.Policy == "glomarc-ts":
		demand, length := c.aloneDemand(k)
		return c.planBefore(k).earliest(demand, length, c.now)
	case c.Policy == "easy":
		if c.head() != k {
			return job.Never
		}
		at, _ = c.shadow(k)
		return at
	case c.keepsPromises():
		at, planned := c.currentVirtualPlan().starts[k]
		if !planned {
			return job.Never
		}
		return c.now + at - c.typeClock(c.currentType)
	}
	p := c.runningPlan()
	for _, i := range c.queue(c.queueOrder(), c.isOfCurrentType) {
		if at = p.allocateEarliest(c.demand(i), c.estimatedRuntime(i), c.now); i == k {
			break
		}
	}
	return at
}

// checkHeldByOther checks that the record's job could start in this slice, but needs resources that
// a guest, a job of another type, holds. The record names the guest (Other) and the latest time at
// which the guest holds them (X).
func (c *checker) checkHeldByOther() {
	r := c.record
	c.expect(c.currentSliceType() == c.typeOf(r.Job), "the current slice is of the job's type")
	short, other, until := 0, job.None, job.Time(0)
	free := c.free()
	for k := 1; k < len(free) && short == 0; k++ {
		if free[k] < c.demand(r.Job)[k] {
			short = k
		}
	}
	c.expect(short > 0 || c.usableProcCount(r.Job) < c.demand(r.Job)[0], "something that the job needs is not free")
	c.expect(c.Policy != "conservative" || c.plannedStartOf(r.Job) == c.now, "the job is planned for now")
	for _, k := range c.startOrder {
		end := min(c.lastSlice.Y, c.now+c.remainingTime(k))
		if c.jobs[k].running && c.typeOf(k) != c.typeOf(r.Job) && c.demand(k)[short] > 0 && end > until {
			other, until = k, end
		}
	}
	c.expect(other == r.Other, "the other job is the one that holds the missing resource the longest, job %s", c.jobID(other))
	c.expectEqual("end of the hold", r.X, until)
	c.expect(until > c.now, "the other job still holds the resource")
}

// storePlans updates lastPlanned at the end of an instant. If the policy of a type planned at this
// instant, storePlans stores the planned starts of all waiting jobs of the type. Otherwise, it
// stores only those of the jobs submitted now.
func (c *checker) storePlans() {
	if !c.inSlices || c.now < 0 {
		return
	}
	if c.lastPlanned == nil {
		c.lastPlanned = map[job.Index]job.Time{}
	}
	c.forEachType(func() {
		planned := c.policyPlansNow()
		maps.DeleteFunc(c.lastPlanned, func(k job.Index, _ job.Time) bool { return c.isOfCurrentType(k) && (planned || c.jobs[k].started) })
		for _, k := range c.waiting(c.isOfCurrentType) {
			if !planned && c.Log.Jobs[k].Submit < c.now {
				continue
			}
			if at := c.plannedStartOf(k); at != job.Never {
				c.lastPlanned[k] = c.typeClock(c.currentType) + at - c.now
			}
		}
		if planned && c.keepsPromises() {
			c.storeVirtualPlan()
		}
	})
}

// policyPlansNow reports whether the policy of the current type plans at this instant. In a slice of
// its own type, it plans if an event has happened or if it wakes up now. Outside the slices of its
// type, it plans if it may fill idle processors. Under policies other than glomarc-ts, it then also
// plans if its type is affected (see typeAffected).
func (c *checker) policyPlansNow() bool {
	switch current := c.currentSliceType(); {
	case c.currentType == current:
		return c.eventOccurred || slices.Contains(c.wakeTimes(), c.now)
	case current != 0 && c.eventOccurred && c.Knobs.On("non-type") && c.leavesProcsToOtherTypes():
		return true
	}
	return c.Policy != "glomarc-ts" && c.typeAffected()
}

// leavesProcsToOtherTypes reports whether the policy of the current slice leaves processors to
// other types. It does if some processors are free, or if a running job of another type has just
// started, resumed or changed its rate.
func (c *checker) leavesProcsToOtherTypes() bool {
	return c.free()[0] > 0 || slices.ContainsFunc(c.running(anyJob), func(k job.Index) bool {
		return c.typeOf(k) != c.currentSliceType() && c.jobs[k].updated == c.now
	})
}

// typeAffected reports whether a job of the current type was submitted or ended now, or has made
// progress as a guest.
func (c *checker) typeAffected() bool {
	for i := range c.jobs {
		state, k := &c.jobs[i], job.Index(i)
		wasGuest := state.started && !state.done && !state.running && state.updated == c.now && c.previousSliceType != c.currentType
		if c.isOfCurrentType(k) && (c.Log.Jobs[k].Submit == c.now || state.running && c.eventOccurred || wasGuest) {
			return true
		}
	}
	return slices.ContainsFunc(c.ended, c.isOfCurrentType)
}

// wakeTimes returns the times at which the policy of the current slice wakes up without an
// event, to start the jobs that it has planned.
func (c *checker) wakeTimes() (at []job.Time) {
	current := c.currentSliceType()
	for k, start := range c.lastPlanned {
		if c.Policy == "conservative" && c.typeOf(k) == current {
			at = append(at, c.now+start-c.typeClock(current))
		}
	}
	return at
}
