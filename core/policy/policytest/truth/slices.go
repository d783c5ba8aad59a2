package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// judgeSliced: it was preempted when the slice ended; the next one of its type
// begins at x at the earliest.
func (j *judge) judgeSliced() {
	r := j.record
	j.holds(j.present() > 0 && j.turn.Y == j.now, "a slice ends now")
	j.is("begin of the next slice", r.X, j.reach(j.class(r.Job), 0, j.now%j.int("interval") != 0))
	j.nextBegin(r.X)
}

// nextBegin: no slice of the type of the job begins before a moment.
func (j *judge) nextBegin(at job.Time) {
	for i := j.place; i < j.log.Len(); i++ {
		x := j.log.Record(i)
		if x.Kind == log.Slice && x.X == 1 && int(x.View) == j.class(j.record.Job) {
			j.holds(x.At >= at, "the next slice begins no sooner, but at %d", x.At)
			return
		}
	}
}

// judgeSliceBegin: it went on when a slice of its type began, which ends at x.
func (j *judge) judgeSliceBegin() {
	r := j.record
	j.holds(j.turn.At == j.now && j.present() == j.class(r.Job), "a slice of its type begins now")
	j.is("end of the slice", r.X, j.turn.Y)
}

// empty reports whether all jobs that came up to a moment have ended.
func (j *judge) empty(at job.Time) bool {
	for k := range j.jobs {
		if j.log.Jobs[k].Submit <= at && !j.jobs[k].done {
			return false
		}
	}
	return true
}

// judgeTurn: the slice of the view begins, to end at Y, or ends.
func (j *judge) judgeTurn() {
	r := j.record
	j.holds(r.Code == log.NoReason, "it has no reason")
	if r.X == 0 {
		j.holds(j.present() == int(r.View) && r.Y == 0, "its slice is on")
		j.holds(j.now == j.turn.Y || len(j.ended) > 0 && j.empty(j.now), "it is over, or the last job has ended")
		return
	}
	j.holds(r.X == 1 && j.present() == 0 && !j.empty(j.now), "no slice is on, and there are jobs")
	from := r.At - r.At%j.int("interval")
	j.holds(slices.ContainsFunc(j.layout(from, j.shorts[from]), func(s slice) bool {
		begin := s.from + j.int("overhead")
		return s.of == int(r.View) && (begin == r.At || begin < r.At && j.empty(j.now-1)) && r.At < s.to && r.Y == s.to
	}), "it is one of the interval, and begins with it, or with the first job that comes")
}
