package truth

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// judgeBlocked: it is first in the queue; what it needs is free at x by the
// estimates, with y to spare.
func (j *judge) judgeBlocked() {
	r := j.record
	j.holds(j.head() == r.Job, "it is first in the queue")
	j.holds(!j.virtual().has(j.asks(r.Job)) || !j.startable(r.Job), "it cannot start")
	at, spare := j.shadow(r.Job)
	j.is("when it can start", r.X, j.wall(at))
	j.is("processors to spare", r.Y, spare[0])
}

// judgeNoRoom: it does not fit the x free processors.
func (j *judge) judgeNoRoom() {
	r := j.record
	j.holds(j.head() == r.Job, "it is first in the queue")
	j.is("free processors", r.X, j.freeFor(r.Job)[0])
	j.holds(j.asks(r.Job)[0] > r.X, "it needs more")
}

// judgeLacks: it needs more of x than the y that are free.
func (j *judge) judgeLacks() {
	r, free := j.record, j.freeFor(j.record.Job)
	j.holds(j.head() == r.Job, "it is first in the queue")
	j.holds(r.X > 0, "it lacks an extra resource")
	k := free.lacks(j.asks(r.Job))
	if j.sliced { // others may be on the rest
		k = j.virtual().lacks(j.asks(r.Job))
	}
	j.is("resource that it lacks", r.X, int64(k))
	if k >= 0 {
		j.is("free amount", r.Y, free[k])
	}
}

// judgeBlock: block y takes its processors now, or gives them back.
func (j *judge) judgeBlock() {
	r, blocks := j.record, j.log.Machine.Outages
	j.holds(r.Code == log.NoReason && (r.X == 0 || r.X == 1), "it begins or ends")
	if j.holds(0 <= r.Y && r.Y < int64(len(blocks)), "the machine has that block"); len(j.untrue) > 0 {
		return
	}
	if r.X == 1 {
		j.is("begin of the block", r.At, blocks[r.Y].From)
	} else {
		j.is("end of the block", r.At, blocks[r.Y].To)
	}
}

// judgeBlockAhead: it fits, but may still run at x, when a block takes processors that
// it needs.
func (j *judge) judgeBlockAhead() {
	r, p := j.record, j.runningPlan()
	j.holds(j.head() == r.Job, "it is first in the queue")
	j.holds(j.fits(r.Job), "it fits what is free")
	j.holds(r.X > j.now && r.X < j.now+j.length(r.Job), "it may still run then")
	j.holds(slices.ContainsFunc(j.log.Machine.Outages, func(b cluster.Outage) bool { return b.From == r.X }), "a block begins then")
	j.holds(!p.free(r.X).has(j.asks(r.Job)), "too little is left for it")
	for _, h := range p.holds {
		j.holds(h.from <= j.now || h.from >= r.X || p.free(h.from).has(j.asks(r.Job)), "no block before leaves too little")
	}
}

// leftOut: that the waiting job fits and is in no set is on record, or that it does not.
func (j *judge) leftOut(k job.Index) {
	out := j.jobs[k].inner == log.LeftOut || j.jobs[k].inner == log.Unsearched
	if j.fitsBeside(k) && !out || !j.fitsOthers(k) && out { // guests can have come since
		j.wrong("after it: job %s fits and is left out, or no more, which is not on record", j.id(k))
	}
}

// endOfInstant: nothing is left out that should be on record: what the first of the
// queue waits for, who fits and is in no set, and the sizes of moldable jobs.
func (j *judge) endOfInstant() {
	if j.now < 0 || len(j.untrue) > 0 {
		return
	}
	if j.sliced {
		j.untold()
		return
	}
	for _, k := range j.waiting(j.member) {
		l := &j.jobs[k]
		switch {
		case j.Policy == "glomarc-ts" && j.log.Jobs[k].Submit == j.now && l.hold.At != j.now:
			j.wrong("after it: when job %s is expected to start is not on record", j.id(k))
		case j.Policy == "moldable" && j.log.Jobs[k].Speedup() != nil && (!l.told || l.procs != j.sizeOf(k)):
			j.wrong("after it: the size of job %s is not on record", j.id(k))
		case j.Policy == "fair-slack":
			j.leftOut(k)
		case j.Policy == "easy" && j.matchesOnly() && j.Knobs.Text("reservations") == "1" && j.mayStart(k) && (l.unmatched.At == unplanned || l.unmatched.X != int64(j.leastUsed())):
			j.wrong("after it: why job %s is not backfilled is not on record", j.id(k))
		}
	}
	for k := range j.jobs {
		if l := &j.jobs[k]; l.started && j.began[k] == j.now && !l.sized && j.log.Jobs[k].Speedup() != nil && j.Policy == "moldable" {
			j.wrong("after it: why job %s is so wide is not on record", j.id(job.Index(k)))
		}
	}
	h := j.head()
	if h == job.None {
		return
	}
	stands, same := &j.jobs[h].hold, h == j.front
	if j.front = h; !same && stands.At != j.now && slices.ContainsFunc(j.waits(), func(c log.Code) bool { return c == log.Blocked || c == log.NoRoom }) {
		j.wrong("after it: job %s is first in the queue from now on, which is not on record", j.id(h))
	}
	switch codes := j.waits(); {
	case len(codes) > 0 && codes[0] == log.Blocked:
		at, _ := j.shadow(h)
		if stands.At == unplanned || stands.X != at {
			j.wrong("after it: job %s is first in the queue and can start at %d, which is not on record", j.id(h), at)
		}
	case len(codes) > 1 && codes[0] == log.NoRoom:
		if stands.At == unplanned || (stands.Code == log.BlockAhead) != j.fits(h) {
			j.wrong("after it: job %s is first in the queue and waits, which is not on record", j.id(h))
		}
	}
}
