package truth

import (
	"maps"
	"math"
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// checkSliceEnd checks a preemption at the end of a slice. X is the earliest start of the next slice
// for the type of the record's job.
func (c *checker) checkSliceEnd() {
	r := c.record
	c.expect(c.currentSliceType() > 0 && c.lastSlice.Y == c.now, "a slice ends now")
	c.expectEqual("start of the next slice", r.X, c.timeAfter(c.typeOf(r.Job), 0, c.now%c.timeKnob("interval") != 0))
	c.checkNextSlice(r.X)
}

// checkNextSlice checks that no slice for the type of the record's job starts before the given
// time.
func (c *checker) checkNextSlice(at job.Time) {
	for i := c.index; i < c.Log.Len(); i++ {
		next := c.Log.Record(i)
		if next.Kind == log.Slice && next.X == 1 && int(next.View) == c.typeOf(c.record.Job) {
			c.expect(next.At >= at, "no slice starts earlier, but one starts at %d", next.At)
			return
		}
	}
}

// checkSliceBegin checks that the record's job resumes because a slice of its type starts. X is the
// end of the slice.
func (c *checker) checkSliceBegin() {
	r := c.record
	c.expect(c.lastSlice.At == c.now && c.currentSliceType() == c.typeOf(r.Job), "a slice of the job's type starts now")
	c.expectEqual("end of the slice", r.X, c.lastSlice.Y)
}

// allEnded reports whether all jobs submitted at or before the given time have ended.
func (c *checker) allEnded(at job.Time) bool {
	for k := range c.jobs {
		if c.Log.Jobs[k].Submit <= at && !c.jobs[k].done {
			return false
		}
	}
	return true
}

// checkSlice checks the start (X = 1) or the end (X = 0) of a slice. At the start, Y is the time at
// which the slice will end.
func (c *checker) checkSlice() {
	r := c.record
	c.expect(r.Code == log.NoReason, "the record has no reason")
	if r.X == 0 {
		c.expect(c.currentSliceType() == int(r.View) && r.Y == 0, "the current slice is of this type")
		c.expect(c.now == c.lastSlice.Y || len(c.ended) > 0 && c.allEnded(c.now), "the slice has reached its end, or the last job has ended")
		return
	}
	c.expect(r.X == 1 && c.currentSliceType() == 0 && !c.allEnded(c.now), "there is no current slice, and some job has not ended")
	from := r.At - r.At%c.timeKnob("interval")
	c.expect(slices.ContainsFunc(c.sliceLayout(from, c.shortSlices[from]), func(s timeSlice) bool {
		begin := s.from + c.timeKnob("overhead")
		return s.currentType == int(r.View) && (begin == r.At || begin < r.At && c.allEnded(c.now-1)) && r.At < s.to && r.Y == s.to
	}), "the interval contains this slice, and the slice starts on time or when the next job is submitted")
}

// withInnerPolicy returns c, unless the policy of c is scojo-pect, which schedules time slices. For
// scojo-pect, it returns c as the inner policy sees it: the knobs of the inner policy are also
// available without the prefix "inner.".
func withInnerPolicy(c *Case) *Case {
	if c.Policy != "scojo-pect" {
		return c
	}
	in := *c
	in.Policy, in.Knobs = c.Knobs.Text("inner"), maps.Clone(c.Knobs)
	for name, value := range c.Knobs {
		if own, inner := strings.CutPrefix(name, "inner."); inner {
			in.Knobs[own] = value
		}
	}
	in.inSlices = true
	return &in
}

// isOfCurrentType reports whether the current policy schedules job k. With time slices, each job type
// has its own instance of the policy. Otherwise the answer is always true.
func (f *replay) isOfCurrentType(k job.Index) bool {
	return !f.inSlices || f.typeOf(k) == f.currentType
}

// typeOf returns the type of a job, according to its estimate: 1 for short, 2 for medium, 3 for
// long.
func (f *replay) typeOf(k job.Index) int {
	e := f.Log.Jobs[k].Estimate
	switch {
	case e <= int64(f.Knobs.Int("short-max")):
		return 1
	case e <= int64(f.Knobs.Int("medium-max")):
		return 2
	}
	return 3
}

// timeSlice is the time slice of one job type in an interval. It includes the overhead at its start.
type timeSlice struct {
	currentType int // 1 for short, 2 for medium, 3 for long jobs
	from, to    job.Time
}

// timeKnob returns the value, in seconds, of the knob with the given name.
func (f *replay) timeKnob(name string) job.Time { return job.Time(f.Knobs.Int(name)) }

// sliceLayout returns the slices of the interval that starts at the given time. The slice for short jobs lasts
// shortLength seconds. If shortLength is 0, there is no such slice.
func (f *replay) sliceLayout(from, shortLength job.Time) (out []timeSlice) {
	if shortLength > 0 {
		out = append(out, timeSlice{1, from, from + shortLength})
	}
	interval := f.timeKnob("interval")
	medium := job.Time(math.Floor(float64(f.Knobs.Float("share-medium")*float64(interval-shortLength)) + 0.5))
	mid := from + shortLength + medium
	return append(out, timeSlice{2, from + shortLength, mid}, timeSlice{3, mid, from + interval})
}

// layOutShortSlice computes the length of the slice for short jobs if an interval starts now. By
// default, this is the overhead plus a time for the jobs: the time that the short jobs submitted
// before now need in a plan, but at most short-max. The length is 0 if there are no such jobs.
func (c *checker) layOutShortSlice() {
	from := c.now - c.now%c.timeKnob("interval")
	if _, known := c.shortSlices[from]; known {
		return
	}
	c.shortSlices[from] = 0
	if from < c.now {
		return
	}
	p, end := &plan{capacity: c.capacity()}, c.now
	for i := range c.jobs {
		if k, state := job.Index(i), &c.jobs[i]; c.typeOf(k) == 1 && state.started && !state.done {
			demand, length := c.machineDemand(k)
			p.allocate(demand, c.now, c.now+length)
			end = max(end, c.now+length)
		}
	}
	for _, k := range c.waiting(func(k job.Index) bool { return c.typeOf(k) == 1 && c.Log.Jobs[k].Submit < c.now }) {
		demand, length := c.machineDemand(k)
		end = max(end, p.allocateEarliest(demand, length, c.now)+length)
	}
	switch {
	case end == c.now:
	case c.Knobs.Text("short-slice") != "auto":
		c.shortSlices[from] = c.timeKnob("short-slice")
	default:
		c.shortSlices[from] = c.timeKnob("overhead") + min(c.timeKnob("short-max"), end-c.now)
	}
}

// machineDemand returns the resources that a job holds or will hold, and for how many more seconds.
// With node sharing, it counts all processors of the nodes of the job.
func (c *checker) machineDemand(k job.Index) (demand amount, length job.Time) {
	switch {
	case c.Policy != "glomarc-ts" && c.jobs[k].started:
		return c.demand(k), c.remainingTime(k)
	case c.Policy != "glomarc-ts":
		return c.demand(k), c.estimatedRuntime(k)
	case c.jobs[k].started:
		demand, length = c.demandOnNodes(k, len(c.nodesOf(k))), c.remainingByPlan(k)
	default:
		demand, length = c.aloneDemand(k)
	}
	demand[0] *= int64(c.coresPerNode())
	return demand, length
}

// timeAfter predicts the wall-clock time at which the slices of type t will have run for length
// seconds from now. It uses the layout of this interval if laidOut is true. For other intervals, it
// assumes the longest slice for short jobs if t is the short type, and no such slice otherwise.
func (f *replay) timeAfter(t int, length job.Time, laidOut bool) job.Time {
	interval, overhead := f.timeKnob("interval"), f.timeKnob("overhead")
	from := f.now - f.now%interval
	longest := job.Time(0)
	if t == 1 {
		if longest = f.timeKnob("short-slice"); f.Knobs.Text("short-slice") == "auto" {
			longest = overhead + f.timeKnob("short-max")
		}
	}
	for n := 0; ; n++ {
		short := longest
		if n == 0 && laidOut {
			short = f.shortSlices[from]
		}
		for _, s := range f.sliceLayout(from, short) {
			if s.currentType != t {
				continue
			}
			begin := max(f.now, s.from+overhead)
			if length < s.to-begin {
				return begin + length
			}
			length -= max(0, s.to-begin)
		}
		from += interval
	}
}

// wallTime converts a time of the plan of the current type to wall-clock time. The clock of
// a type runs only during its slices.
func (c *checker) wallTime(at job.Time) job.Time {
	if !c.inSlices || at == job.Never {
		return at
	}
	return c.timeAfter(c.currentType, at-c.now, true)
}

// currentSliceType returns the type of the current slice, or 0 if there is none.
func (f *replay) currentSliceType() int {
	if f.lastSlice.At == unset || f.lastSlice.X == 0 {
		return 0
	}
	return int(f.lastSlice.View)
}

// typeClock returns the clock of type t: the seconds for which its slices have run so far.
func (f *replay) typeClock(t int) job.Time {
	if f.currentSliceType() == t {
		return f.typeClocks[t] + f.now - f.lastSlice.At
	}
	return f.typeClocks[t]
}
