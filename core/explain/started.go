package explain

import (
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// started explains the start of a job that runs, ran or is suspended.
func (x *Index) started(a *Answer) {
	j, say := a.Job, x.words.say
	s := x.start(j)
	q := &x.log.Jobs[j]
	if wait := s.At - q.Submit; wait > 0 {
		a.add(say("{j} started at {t}, {d} after its submission.", int64(j), s.At, wait))
	} else {
		a.add(say("{j} started at {t}, at once.", int64(j), s.At))
	}
	a.add(x.words.reason(s))
	if z := x.size(j); z != nil {
		a.add(x.sized("It runs on", z))
	}
	x.shared(a)
	moved := log.Codes[s.Code].Moved != ""
	if moved {
		x.leftRoom(a, s.Other)
	}
	if p := x.promise(j); p != nil {
		x.kept(a, p.X, s.At)
	}
	if moved {
		x.alsoMoved(a, s.At)
	}
	switch a.State {
	case Running:
		x.running(a)
	case Suspended:
		x.suspended(a)
	case Done:
		x.ended(a)
	}
}

// running says why a job that was suspended goes on, and how long it will.
func (x *Index) running(a *Answer) {
	say := x.words.say
	if r := x.last(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Resume }); r != nil {
		a.add(x.and(say("It went on at {t}.", r.At), r))
	}
	end, until := x.Predict(a.Job, a.At), x.sliceEnd(a.At)
	if end > until {
		a.add(say("By its estimate it needs {d} more; the time slice ends at {t}.", end-a.At, until))
		return
	}
	a.add(say("By its estimate it ends at {t}.", end))
}

// leftRoom says what the job that ended early left behind.
func (x *Index) leftRoom(a *Answer, by job.Index) {
	if by == job.None {
		return
	}
	f := x.finish(by)
	if f == nil {
		return
	}
	early := x.Predict(by, f.At-1) - f.At
	if early > 0 {
		a.add(x.words.say("{j} ended at {t}, {d} before its estimate, and left {n} processors.",
			int64(by), f.At, early, int64(x.log.Alloc(by).Count())))
	}
}

func (x *Index) finish(j job.Index) *log.Record {
	return x.last(j, job.Never, func(r *log.Record) bool { return r.Kind == log.Finish })
}

// kept compares a start with what was promised.
func (x *Index) kept(a *Answer, promised, start job.Time) {
	switch d := promised - start; {
	case d > 0:
		a.add(x.words.say("It was promised {t} and started {d} sooner.", promised, d))
	case d < 0:
		a.add(x.words.say("It was promised {t} and started {d} too late.", promised, -d))
	default:
		a.add(x.words.say("It was promised {t}, and that was kept.", promised))
	}
}

func (x *Index) suspended(a *Answer) {
	r := x.last(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Suspend })
	a.add(x.words.say("It was taken off the machine at {t} and keeps its place on the same processors.", r.At))
	if r.Code != log.NoReason {
		a.add(x.words.reason(r))
	}
}

func (x *Index) ended(a *Answer) {
	at := x.finish(a.Job).At
	s := x.words.say("It ended at {t}", at)
	a.add(append(s, x.end("", a.Job, at)...))
}

// end says how the end of a job compares with its estimate.
func (x *Index) end(start string, j job.Index, at job.Time) Sentence {
	early := x.Predict(j, at-1) - at
	switch {
	case x.log.Jobs[j].Killed:
		return x.words.say(start + ": it was cut at its estimate.")
	case early > 0:
		return x.words.say(start+", {d} before its estimate.", early)
	}
	return x.words.say(start + ", as estimated.")
}

// alsoMoved tells the first few moves of other plans at the instant of a start.
func (x *Index) alsoMoved(a *Answer, at job.Time) {
	const most = 3
	n := x.log.Len()
	i := sort.Search(n, func(i int) bool { return x.log.Record(i).At >= at })
	told := 0
	for ; i < n && told < most; i++ {
		r := x.log.Record(i)
		if r.At != at {
			return
		}
		if r.Kind == log.Move && r.Job != a.Job && r.Y != at {
			a.add(x.words.say("Also at t = {t}, the planned start of {j} went from {t} to {t}.", at, int64(r.Job), r.X, r.Y))
			told++
		}
	}
}

// overtakers lists the jobs submitted later that started before the job, or
// before this instant while it still waits.
func (x *Index) overtakers(a *Answer, o Options) {
	until := a.At + 1
	if s := x.start(a.Job); s != nil {
		until = min(until, s.At)
	}
	for k, at := range x.chart.Started(x.log.Jobs[a.Job].Submit, until) {
		if k < a.Job {
			continue
		}
		if len(a.Overtakers.Items) == o.Most {
			a.Overtakers.More++
			continue
		}
		text := x.words.say("At {t}: ", at)
		a.Overtakers.Items = append(a.Overtakers.Items, append(text, lower(x.words.reason(x.start(k)))...))
	}
}

// lower makes the begin of a sentence its middle.
func lower(s Sentence) Sentence {
	if len(s) > 0 && s[0].Kind == JobName {
		s[0].Text = "j" + s[0].Text[1:]
	}
	return s
}
