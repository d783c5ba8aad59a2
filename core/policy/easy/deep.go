package easy

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// Deep is EASY with another number of reservations than one: the first of the
// queue that do not fit are planned, anew at each pass, and the rest may start
// if they fit around the plan (Leinberger et al. 1999, section 3, "protects the
// top N").
type Deep struct {
	queue    policy.Queue
	second   *policy.Queue // empty, in backfill order; nil if that is the same
	releases policy.Releases
	depth    int // reservations, -1 = all
	plan     *profile.Profile
	chooser  *chooser // nil: the order of the queue
}

func newDeep(order, backfill policy.Order, depth int, c *chooser) *Deep {
	d := &Deep{queue: policy.NewQueue(order), depth: depth, chooser: c}
	if backfill != order {
		second := policy.NewQueue(backfill)
		d.second = &second
	}
	return d
}

func (d *Deep) Clone() sim.Policy {
	c := *d
	c.queue, c.releases, c.plan, c.chooser = d.queue.Clone(), d.releases.Clone(), nil, d.chooser.clone()
	return &c
}

func (d *Deep) Schedule(p *sim.Pass) {
	d.releases.Observe(p)
	d.queue.AddSubmitted(p)
	if p.Free() == 0 {
		return
	}
	d.rebuild(p)
	rest := d.reserve(p)
	if d.second != nil {
		var other policy.Queue
		other.Like(d.second)
		for _, x := range rest {
			other.Add(p, x.Job)
		}
		rest = other.Entries
	}
	if d.chooser != nil {
		d.choose(p, rest)
		return
	}
	for i := range rest {
		if d.fits(p, &rest[i]) {
			d.start(p, rest[i], d.right(p))
		}
	}
}

// choose backfills where a chooser says which job starts.
func (d *Deep) choose(p *sim.Pass, rest []policy.Entry) {
	room := policy.Free(p)
	may := func(x *policy.Entry) bool { return d.fits(p, x) }
	d.chooser.run(p, rest, &room, may, func(x *policy.Entry, why log.Reason) bool {
		if why.Code == log.NoReason {
			why = d.right(p)
		}
		return d.start(p, *x, why)
	})
}

// right says why a job starts that is not at the front of the queue.
func (d *Deep) right(p *sim.Pass) log.Reason {
	why := log.Reason{Code: log.BesidePlan, Other: job.None, X: int64(p.Free())}
	if d.depth == 0 && d.second == nil {
		why.Code = log.FirstFit
	}
	return why
}

// fits reports whether x, which holds no reservation, may start beside those
// that do.
func (d *Deep) fits(p *sim.Pass, x *policy.Entry) bool {
	return d.plan.Fits(x.Need(p), x.Estimate, p.Now())
}

// rebuild makes the plan that of the running jobs.
func (d *Deep) rebuild(p *sim.Pass) {
	if d.plan == nil {
		d.plan = profile.Of(p.Machine())
	}
	d.plan.Reset()
	for _, r := range d.releases.List {
		d.plan.Reserve(r.Need(p), p.Now(), r.At)
	}
}

// reserve walks the queue: what can start now starts, the first depth jobs
// that cannot are planned. It returns the jobs behind them.
func (d *Deep) reserve(p *sim.Pass) []policy.Entry {
	left := d.depth
	queue := append([]policy.Entry(nil), d.queue.Entries...)
	for i, x := range queue {
		if left == 0 {
			return queue[i:]
		}
		at := d.plan.Find(x.Need(p), x.Estimate, p.Now())
		why := d.right(p)
		if left == d.depth {
			why.Code = log.Head
		}
		if at == p.Now() && d.start(p, x, why) {
			continue
		}
		d.plan.Reserve(x.Need(p), at, at+x.Estimate)
		left--
	}
	return nil
}

func (d *Deep) start(p *sim.Pass, x policy.Entry, why log.Reason) bool {
	if !p.Start(x.Job, sim.Claim{}, why) {
		return false
	}
	d.queue.Remove(p, x.Job)
	d.releases.Add(p.Predict(x.Job), x.Job, x.Procs)
	d.plan.Reserve(x.Need(p), p.Now(), p.Now()+x.Estimate)
	return true
}
