package explain

import (
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// size returns the record of why job j, if it is moldable and has started, is as
// wide as it is; nil if there is none.
func (x *Index) size(j job.Index) *log.Record {
	return x.last(j, job.Never, func(r *log.Record) bool { return r.Kind == log.Size })
}

// given says what a waiting moldable job is to start with.
func (x *Index) given(a *Answer) {
	if x.last(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Resize }) != nil {
		procs, length := x.plans.Asks(a.Job, a.At)
		a.add(x.words.say("{j} is moldable; for now it is to have {n} processors, on which it runs {d}.", int64(a.Job), int64(procs), length))
	}
}

// sized says what the last processor of a job does for it, what one more would
// do, and why it has no more.
func (x *Index) sized(begin string, r *log.Record) Sentence {
	n := x.log.Layout(r.Job).Procs
	s := x.words.say(begin+" {n} processors", int64(n))
	if n > 1 {
		s = s.word("; the last of them takes " + saved(r.X) + " off its runtime")
	}
	if r.Y > 0 {
		s = s.word("; one more would take " + saved(r.Y) + " off")
	}
	return x.and(s.word("."), r)
}

// resized says how the size of a waiting job changes.
func (x *Index) resized(begin Sentence, r *log.Record) Sentence {
	if r.X == 0 {
		return append(begin, x.words.say(" is {n} processors for now", r.Y)...)
	}
	return append(begin, x.words.say(" goes from {n} to {n} processors", r.X, r.Y)...)
}

// saved returns a time in millionths of a second.
func saved(micros int64) string {
	text := strconv.FormatFloat(float64(micros)/1e6, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " s"
}
