package truth

import (
	"slices"

	"backfill-lab/core/job"
)

// plan is what is held of a machine over time: no more than a list.
type plan struct {
	all   amount
	holds []hold
}

type hold struct {
	what     amount
	from, to job.Time
}

func (p *plan) hold(what amount, from, to job.Time) { p.holds = append(p.holds, hold{what, from, to}) }

// shorten has a job that is held until a moment leave earlier.
func (p *plan) shorten(what amount, from, to job.Time) {
	i := slices.IndexFunc(p.holds, func(h hold) bool { return h.to == to && slices.Equal(h.what, what) })
	p.holds[i].to = from
}

// free returns what is free at a moment.
func (p *plan) free(at job.Time) amount {
	a := p.all
	for _, h := range p.holds {
		if h.from <= at && at < h.to {
			a = a.less(h.what)
		}
	}
	return a
}

// fits reports whether so much is free from a moment on for so long: it is, if it
// is then and whenever something else begins.
func (p *plan) fits(what amount, from, length job.Time) bool {
	if !p.free(from).has(what) {
		return false
	}
	for _, h := range p.holds {
		if from < h.from && h.from < from+length && !p.free(h.from).has(what) {
			return false
		}
	}
	return true
}

// first returns the first moment, from one on, at which so much is free for so long:
// that one, or when something ends.
func (p *plan) first(what amount, length, from job.Time) job.Time {
	best := job.Never
	if p.fits(what, from, length) {
		return from
	}
	for _, h := range p.holds {
		if h.to > from && h.to < best && p.fits(what, h.to, length) {
			best = h.to
		}
	}
	return best
}

// book returns first, and holds it.
func (p *plan) book(what amount, length, from job.Time) job.Time {
	at := p.first(what, length, from)
	p.hold(what, at, at+length)
	return at
}

// runningPlan returns the running jobs, in time slices those of a type that have started,
// until their ends by the estimates: as long from now as they still need; and the
// blocks of the machine.
func (f *facts) runningPlan() *plan {
	p := &plan{all: f.all()}
	for _, b := range f.log.Machine.Outages {
		what := make(amount, len(p.all))
		what[0] = int64(b.Procs)
		p.hold(what, b.From, b.To)
	}
	for i := range f.jobs {
		if j := job.Index(i); f.jobs[i].started && !f.jobs[i].done && f.member(j) {
			p.hold(f.asks(j), f.now, f.now+f.remaining(j))
		}
	}
	return p
}

// reservedPlan returns the same with the waiting jobs where promises and moves have
// put them, but for one of them.
func (f *facts) reservedPlan(but job.Index) *plan {
	p := f.runningPlan()
	for _, j := range f.waiting(f.member) {
		if at := f.jobs[j].planned; j != but && at != unplanned {
			p.hold(f.asks(j), at, at+f.length(j))
		}
	}
	return p
}

// shadow returns when there is room for the waiting job j by the estimates of the
// running ones, and what is to spare then.
func (f *facts) shadow(j job.Index) (at job.Time, spare amount) {
	p := f.runningPlan()
	at = p.first(f.asks(j), f.length(j), f.now)
	return at, p.free(at).less(f.asks(j))
}
