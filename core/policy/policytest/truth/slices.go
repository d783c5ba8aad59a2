package truth

import (
	"maps"
	"math"
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// inside makes the case of time slices that of the policy inside of them, whose
// knobs are found without their prefix.
func inside(c *Case) *Case {
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
	in.sliced = true
	return &in
}

// members are the jobs that the policy knows: all, or those of a type.
func (f *facts) member(k job.Index) bool { return !f.sliced || f.class(k) == f.type_ }

// slice is the time of a type on the machine, with the overhead.
type slice struct {
	of       int
	from, to job.Time
}

func (f *facts) int(name string) job.Time { return job.Time(f.Knobs.Int(name)) }

// layout is the slices of the interval from a moment on, with a short one of a
// length.
func (f *facts) layout(from, short job.Time) (out []slice) {
	if short > 0 {
		out = append(out, slice{1, from, from + short})
	}
	interval := f.int("interval")
	medium := job.Time(math.Floor(float64(f.Knobs.Float("share-medium")*float64(interval-short)) + 0.5))
	mid := from + short + medium
	return append(out, slice{2, from + short, mid}, slice{3, mid, from + interval})
}

// short is the length of the short slice of the interval from a moment on, as its
// begin in the log tells.
func (f *facts) short(from job.Time) job.Time {
	for r := range f.log.All() {
		if r.Kind == log.Slice && r.X == 1 && r.View == 1 && r.At == from+f.int("overhead") {
			return r.Y - from
		}
	}
	return 0
}

// reach is the moment at which a type will have run for a time from now on: in the
// slices of this interval, unless it is not laid out yet, then in intervals
// without a short slice, or, of short jobs, with the longest one.
func (f *facts) reach(of int, length job.Time, laid bool) job.Time {
	interval, overhead := f.int("interval"), f.int("overhead")
	from := f.now - f.now%interval
	longest := job.Time(0)
	if of == 1 {
		if longest = f.int("short-slice"); f.Knobs.Text("short-slice") == "auto" {
			longest = overhead + f.int("short-max")
		}
	}
	for n := 0; ; n++ {
		short := longest
		if n == 0 && laid {
			short = f.short(from)
		}
		for _, s := range f.layout(from, short) {
			if s.of != of {
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

// wall is a moment of the plan of the type of the record on the wall: as long from
// now as the clock of the type takes.
func (j *judge) wall(at job.Time) job.Time {
	if !j.sliced || at == job.Never {
		return at
	}
	return j.reach(j.type_, at-j.now, true)
}

// on is the type of the present slice, 0 if there is none.
func (f *facts) present() int {
	if f.turn.At == unplanned || f.turn.X == 0 {
		return 0
	}
	return int(f.turn.View)
}

// judgeTurn: the slice of the view begins, to end at Y, or ends.
func (j *judge) judgeTurn() {
	r := j.record
	j.holds(r.Code == log.NoReason, "it has no reason")
	if r.X == 0 {
		j.holds(j.present() == int(r.View) && r.Y == 0, "its slice is on")
		j.holds(j.now == j.turn.Y || !slices.ContainsFunc(j.jobs, func(l life) bool { return l.started && !l.done }), "it is over, or nothing runs")
		return
	}
	j.holds(r.X == 1 && j.present() == 0, "no slice is on")
	interval := j.int("interval")
	from := r.At - r.At%interval
	j.holds(slices.ContainsFunc(j.layout(from, j.short(from)), func(s slice) bool {
		begin := s.from + j.int("overhead")
		return s.of == int(r.View) && (begin == r.At || begin < r.At && j.stirred) && r.At < s.to && r.Y == s.to
	}), "it is one of the interval")
	most := j.int("overhead") + j.int("short-max")
	if j.Knobs.Text("short-slice") != "auto" {
		most = j.int("short-slice")
	}
	j.holds(j.short(from) <= most && (j.short(from) == most || j.short(from) == 0 || j.Knobs.Text("short-slice") == "auto"), "the short slice is no longer than it may be")
}

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

// judgeFilled: it uses the slice of another type until x; it was preempted before.
func (j *judge) judgeFilled() {
	r := j.record
	j.holds(j.jobs[r.Job].started && !j.jobs[r.Job].on, "it was preempted")
	j.guest(r.X, j.stays(r.Job))
}

// judgeEntered: it started in the slice of another type, until x.
func (j *judge) judgeEntered() {
	r := j.record
	j.holds(j.open(r.Job) >= j.asks(r.Job)[0], "there are idle processors")
	j.guest(r.X, j.length(r.Job))
}

// guest: the job uses the slice of another type until a moment, if it needs so long.
func (j *judge) guest(until, length job.Time) {
	k := j.record.Job
	j.holds(j.present() > 0 && j.present() != j.class(k), "the slice is of another type")
	j.is("until", until, min(j.turn.Y, j.now+length))
	j.holds(!slices.ContainsFunc(j.running(everyone), func(o job.Index) bool {
		return o != k && j.log.Alloc(o).Common(j.log.Alloc(k)) != nil
	}), "no one is on its processors")
}

// open is the processors that no job is on and that none of the type of a job keeps.
func (j *judge) open(k job.Index) (n int64) {
	taken := make([]bool, j.log.Machine.Slots())
	for i := range j.jobs {
		l, o := &j.jobs[i], job.Index(i)
		if l.on || l.started && !l.done && j.class(o) == j.class(k) {
			for _, s := range j.log.Alloc(o) {
				for t := s.Lo; t < s.Hi; t++ {
					taken[t] = true
				}
			}
		}
	}
	for _, t := range taken {
		if !t {
			n++
		}
	}
	return n
}

// judgeAwaitsSlice: it waits for a slice of its type; the next one begins at x at the
// earliest.
func (j *judge) judgeAwaitsSlice() {
	r := j.record
	j.holds(j.present() != j.class(r.Job), "the slice is not of its type")
	j.oneOf("begin of the next slice", r.X, j.reach(j.class(r.Job), 0, true), j.reach(j.class(r.Job), 0, false))
	j.nextBegin(r.X)
}

// oneOf notes a number that is none of those found: at the begin of an interval it
// is not laid out until later in the same moment.
func (j *judge) oneOf(what string, told, found, unlaid int64) {
	if j.now%j.int("interval") == 0 && told == unlaid {
		return
	}
	j.is(what, told, found)
}

// judgePlannedSlice: it waits for room in the slices of its type; by the latest plan
// on record it starts there at x: by that of this moment, or, before the policy of
// its type has acted, by that of the last moment at which it did. Of a plan that
// keeps what it once promised only the least is known: what running jobs leave.
func (j *judge) judgePlannedSlice() {
	r := j.record
	now := j.planned(r.Job) - j.now
	was, before := j.plans[r.Job]
	was = max(0, was-j.clock(j.type_))
	if j.Policy == "conservative" && j.Knobs.Text("compress") != "replan" {
		least := now
		if before {
			least = min(now, was)
		}
		j.holds(r.X >= j.reach(j.type_, least, true) || r.X >= j.reach(j.type_, least, false), "there is room no sooner")
		return
	}
	if before && (r.X == j.reach(j.type_, was, true) || j.now%j.int("interval") == 0 && r.X == j.reach(j.type_, was, false)) {
		return
	}
	j.oneOf("planned start", r.X, j.reach(j.type_, now, true), j.reach(j.type_, now, false))
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
	case j.Policy == "conservative" && j.Knobs.Text("compress") != "replan":
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

// clock is what the clock of a type shows.
func (f *facts) clock(of int) job.Time {
	if f.present() == of {
		return f.clocks[of] + f.now - f.turn.At
	}
	return f.clocks[of]
}

// remember keeps the plans of this moment, if the policies have made any.
func (j *judge) remember() {
	if !j.sliced || j.now < 0 || !j.stirred {
		return
	}
	j.plans = map[job.Index]job.Time{}
	for j.type_ = 1; j.type_ <= 3; j.type_++ {
		for _, k := range j.waiting(j.member) {
			if at := j.planned(k); at != job.Never {
				j.plans[k] = j.clock(j.type_) + at - j.now
			}
		}
	}
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
}

// since reports whether the clock of the type shows the same as when a job ended.
func (j *judge) since(k job.Index) bool {
	return j.jobs[k].done && j.jobs[k].shown == j.clock(j.type_) && j.member(k)
}

// judgeMovedSooner: it moved up from x: the other had made more progress than planned.
func (j *judge) judgeMovedSooner() {
	r := j.record
	j.judgeMoved()
	o := &j.jobs[r.Other]
	j.holds(o.started && r.Other != r.Job, "the other has started")
	j.holds(!o.done || j.since(r.Other), "it runs on, or the clock of its type shows the same as when it ended")
}

// virtual is what jobs of the type leave of the machine, wherever others are.
func (j *judge) virtual() amount {
	a := j.all()
	for i := range j.jobs {
		if k := job.Index(i); j.jobs[i].started && !j.jobs[i].done && j.member(k) {
			a = a.less(j.asks(k))
		}
	}
	return a
}
