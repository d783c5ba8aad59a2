package truth

import (
	"cmp"
	"maps"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// virtual is the plan of a type that keeps what it has promised. No record tells it: it
// follows from submissions, starts, ends and progress. Its moments are those of the
// clock of the type, which runs in its slices only.
type virtual struct {
	starts map[job.Index]job.Time   // planned, of the jobs that wait
	ends   map[job.Index]job.Time   // of those that have started, by what the plan knows of their progress
	moves  map[job.Index]log.Record // the last of each: At, Code and Other, and X, the planned start before
}

// keepsPromises reports whether there are such plans: others begin anew whenever the
// policy acts.
func (j *judge) keepsPromises() bool {
	return j.sliced && j.Policy == "conservative" && j.Knobs.Text("compress") != "replan"
}

// virtuals are the plans of the types.
type virtuals struct {
	was    [4]*virtual // when the policies of the types acted last
	now    [4]*virtual // when they have acted at this moment, if they do
	moment job.Time    // this one
}

// foresee finds the plans at this moment, before anyone starts.
func (j *judge) foresee() {
	if x := &j.virtuals; j.keepsPromises() && x.moment != j.now {
		x.moment = j.now
		j.eachType(func() { x.now[j.type_] = j.promised(x.was[j.type_]) })
	}
}

// current returns the plan of the type at this moment.
func (j *judge) current() *virtual {
	j.foresee()
	return j.virtuals.now[j.type_]
}

// keep keeps the plan of the type at this moment, as its policy has acted.
func (j *judge) keep() {
	v := j.current()
	maps.DeleteFunc(v.starts, func(k job.Index, _ job.Time) bool { return j.jobs[k].started })
	v.ends = map[job.Index]job.Time{}
	for _, k := range j.begun() {
		v.ends[k] = j.clock(j.type_) + j.remaining(k)
	}
	j.virtuals.was[j.type_] = v
}

// begun returns the jobs of the type that have started and not ended, in the order of
// their starts.
func (j *judge) begun() []job.Index {
	return slices.DeleteFunc(slices.Clone(j.startOrder), func(k job.Index) bool { return !j.member(k) || j.jobs[k].done })
}

// promised returns the plan of the type when its policy has acted at this moment: those that
// are overdue and their followers are planned anew, then what ended early leaves room
// for others, then new jobs get the first room that delays nobody.
func (j *judge) promised(was *virtual) *virtual {
	now, v := j.clock(j.type_), &virtual{starts: map[job.Index]job.Time{}, moves: map[job.Index]log.Record{}}
	if was != nil {
		v.starts, v.ends, v.moves = maps.Clone(was.starts), was.ends, maps.Clone(was.moves)
	}
	if old := v.order(); len(old) > 0 && v.starts[old[0]] < now {
		clear(v.starts)
		for _, k := range old {
			v.starts[k] = j.room(v, k)
		}
	}
	j.compress(v)
	for _, k := range j.waiting(j.member) {
		if j.log.Jobs[k].Submit == j.now {
			v.starts[k] = j.room(v, k)
		}
	}
	return v
}

// order returns the planned jobs in the order of their starts.
func (v *virtual) order() []job.Index {
	return slices.SortedFunc(maps.Keys(v.starts), func(a, b job.Index) int {
		return cmp.Or(cmp.Compare(v.starts[a], v.starts[b]), cmp.Compare(a, b))
	})
}

// room returns the first moment at which there is room for a job beside the started ones and
// the other planned ones.
func (j *judge) room(v *virtual, k job.Index) job.Time {
	p, since := j.runningPlan(), j.now-j.clock(j.type_)
	for o, at := range v.starts {
		if o != k {
			p.hold(j.asks(o), since+at, since+at+j.length(o))
		}
	}
	return p.first(j.asks(k), j.length(k), j.now) - since
}

// compress has the planned jobs move up, each once, as the knob says.
func (j *judge) compress(v *virtual) {
	now := j.clock(j.type_)
	ended, early := j.sooner(v)
	order, why := v.order(), log.Record{At: now, Code: log.MovedNow, Other: ended}
	switch j.Knobs.Text("compress") {
	case "none":
		return
	case "submit":
		if ended == job.None {
			return
		}
		slices.Sort(order)
	case "start":
		if early == job.None {
			return
		}
	}
	if early != job.None {
		why.Code, why.Other = log.MovedSooner, early
		if j.jobs[early].done && j.ran == j.type_ {
			why.Code = log.MovedUp
		}
	}
	for _, k := range order {
		if at := j.room(v, k); at != v.starts[k] {
			why.X = v.starts[k]
			v.starts[k], v.moves[k] = at, why
		}
	}
}

// sooner returns the first job of the type that has ended now, and the first that has ended
// sooner than planned or, of those that go on, will.
func (j *judge) sooner(v *virtual) (ended, early job.Index) {
	ended, early = job.None, job.None
	now, ends := j.clock(j.type_), map[job.Index]job.Time{}
	over := slices.DeleteFunc(slices.Clone(j.ended), func(k job.Index) bool { return !j.member(k) })
	if len(over) > 0 {
		ended = over[0]
	}
	for _, k := range over {
		ends[k] = now
	}
	for _, k := range j.begun() {
		ends[k] = now + j.remaining(k)
	}
	for _, k := range append(over, j.begun()...) {
		if early == job.None && ends[k] < v.ends[k] {
			early = k
		}
	}
	return ended, early
}

// judgeVirtual: the job starts as its type has planned it; if it moved when the clock
// showed the same, for the reason of that move, up from x.
func (j *judge) judgeVirtual() {
	r, v, now := j.record, j.current(), j.clock(j.type_)
	at, planned := v.starts[r.Job]
	j.holds(planned && at == now, "it is planned for now")
	j.holds(j.fits(r.Job), "it fits")
	m, ever := v.moves[r.Job]
	if !ever || m.At != now {
		m = log.Record{Code: log.Planned, Other: job.None, X: now}
	}
	if m.Code == log.Planned && j.log.Jobs[r.Job].Submit == j.now {
		m.Code = log.AtOnce
	}
	j.holds(r.Code == m.Code && r.Other == m.Other, "that is why it starts now")
	if r.Code == log.AtOnce {
		return
	}
	j.is("planned start before", r.X, j.reach(j.type_, m.X-now, true))
}
