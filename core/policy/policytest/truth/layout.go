package truth

import (
	"maps"
	"math"
	"strings"

	"backfill-lab/core/job"
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

// class returns the type of a job by its estimate.
func (f *facts) class(k job.Index) int {
	e := f.log.Jobs[k].Estimate
	switch {
	case e <= int64(f.Knobs.Int("short-max")):
		return 1
	case e <= int64(f.Knobs.Int("medium-max")):
		return 2
	}
	return 3
}

// slice is the time of a type on the machine, with the overhead.
type slice struct {
	of       int
	from, to job.Time
}

func (f *facts) int(name string) job.Time { return job.Time(f.Knobs.Int(name)) }

// layout returns the slices of the interval from a moment on, with a short one of a
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

// lay finds the length of the short slice of the interval in which the moment lies,
// if it begins now: as long as the short jobs need that came before, planned in their
// order.
func (j *judge) lay() {
	from := j.now - j.now%j.int("interval")
	if _, known := j.shorts[from]; known {
		return
	}
	j.shorts[from] = 0
	if from < j.now {
		return
	}
	p, end := &plan{all: j.all()}, j.now
	for i := range j.jobs {
		if k, l := job.Index(i), &j.jobs[i]; j.class(k) == 1 && l.started && !l.done {
			what, length := j.onMachine(k)
			p.hold(what, j.now, j.now+length)
			end = max(end, j.now+length)
		}
	}
	for _, k := range j.waiting(func(k job.Index) bool { return j.class(k) == 1 && j.log.Jobs[k].Submit < j.now }) {
		what, length := j.onMachine(k)
		end = max(end, p.book(what, length, j.now)+length)
	}
	switch {
	case end == j.now:
	case j.Knobs.Text("short-slice") != "auto":
		j.shorts[from] = j.int("short-slice")
	default:
		j.shorts[from] = j.int("overhead") + min(j.int("short-max"), end-j.now)
	}
}

// onMachine returns what a job holds of the machine, and for how long: whole nodes where
// nodes are shared.
func (j *judge) onMachine(k job.Index) (what amount, length job.Time) {
	switch {
	case j.Policy != "glomarc-ts" && j.jobs[k].started:
		return j.asks(k), j.remaining(k)
	case j.Policy != "glomarc-ts":
		return j.asks(k), j.length(k)
	case j.jobs[k].started:
		what, length = j.onNodes(k, len(j.nodesOf(k))), j.stays(k)
	default:
		what, length = j.apart(k)
	}
	what[0] *= int64(j.cores())
	return what, length
}

// reach returns the moment at which a type will have run for a time from now on: in the
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
			short = f.shorts[from]
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

// wall returns a moment of the plan of the type of the record on the wall: as long from
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

// clock returns what the clock of a type shows.
func (f *facts) clock(of int) job.Time {
	if f.present() == of {
		return f.clocks[of] + f.now - f.turn.At
	}
	return f.clocks[of]
}
