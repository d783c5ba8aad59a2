package refute_test

import (
	"cmp"
	"slices"
	"unsafe"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/refute"
	"backfill-lab/core/sim"
)

// double is a policy with a wrong rule.
type double struct {
	rule  func(d *double, p *sim.Pass)
	queue []job.Index // waiting jobs, in order of submission
	head  job.Index   // the blocked head in the last pass
}

// wrong returns a subject with a wrong rule.
func wrong(title string, rule func(d *double, p *sim.Pass)) *refute.Subject {
	return &refute.Subject{Title: title, New: func() (sim.Policy, error) { return &double{rule: rule, head: job.None}, nil }}
}

func (d *double) Clone() sim.Policy { return &double{d.rule, slices.Clone(d.queue), d.head} }

func (d *double) Schedule(p *sim.Pass) {
	for _, e := range p.Events() {
		if e.Kind == sim.Submitted {
			d.queue = append(d.queue, e.Job)
		}
	}
	d.rule(d, p)
}

// start starts a job of the queue.
func (d *double) start(p *sim.Pass, j job.Index) {
	p.Start(j, sim.Claim{}, log.Reason{Code: log.NoReason, Other: job.None})
	d.queue = slices.DeleteFunc(d.queue, func(k job.Index) bool { return k == j })
}

// startHeads starts jobs in the order of the queue until one does not fit.
func (d *double) startHeads(p *sim.Pass) {
	for len(d.queue) > 0 && p.Job(d.queue[0]).Procs <= p.Free() {
		d.start(p, d.queue[0])
	}
}

// backfill starts the jobs behind the head that fit and that the function allows.
func (d *double) backfill(p *sim.Pass, allows func(q *job.Request) bool) {
	for _, j := range slices.Clone(d.queue)[min(1, len(d.queue)):] {
		if q := p.Job(j); q.Procs <= p.Free() && allows(q) {
			d.start(p, j)
		}
	}
}

// shadow returns the shadow time of the head and the extra processors, if the running jobs release
// their processors in the order of the key.
func (d *double) shadow(p *sim.Pass, key func(job.Index) job.Time) (at job.Time, extra int) {
	running := slices.Collect(p.Running())
	slices.SortStableFunc(running, func(a, b job.Index) int { return cmp.Compare(key(a), key(b)) })
	extra = p.Free() - p.Job(d.queue[0]).Procs
	for _, j := range running {
		if extra >= 0 && key(j) > key(running[0]) && p.Predict(j) > at {
			break
		}
		at, extra = p.Predict(j), extra+p.Job(j).Procs
	}
	return at, extra
}

// easy is EASY with mistakes that the arguments select.
func easy(byLimit, ignoresExtra, forgets bool) func(d *double, p *sim.Pass) {
	return func(d *double, p *sim.Pass) {
		d.startHeads(p)
		if len(d.queue) == 0 {
			return
		}
		old := d.head
		d.head = d.queue[0]
		at, extra := d.shadow(p, func(j job.Index) job.Time {
			if byLimit {
				return p.Job(j).Estimate
			}
			return p.Predict(j)
		})
		d.backfill(p, func(q *job.Request) bool {
			switch {
			case forgets && old == d.head, p.Now()+q.Estimate <= at:
				return true
			case ignoresExtra || q.Procs > extra:
				return false
			}
			extra -= q.Procs
			return true
		})
	}
}

// fcfs is FCFS that treats the jobs that the function selects in a wrong way.
func fcfs(wrong func(d *double, p *sim.Pass)) func(d *double, p *sim.Pass) {
	return func(d *double, p *sim.Pass) {
		wrong(d, p)
		d.startHeads(p)
	}
}

// startAll starts every job when it is submitted.
func startAll(d *double, p *sim.Pass) {
	for len(d.queue) > 0 {
		d.start(p, d.queue[0])
	}
}

// promiseAll promises every job a start as soon as the jobs that run now have ended.
func promiseAll(d *double, p *sim.Pass) {
	for _, e := range p.Events() {
		if e.Kind == sim.Submitted {
			at := p.Now()
			for j := range p.Running() {
				at = max(at, p.Predict(j))
			}
			p.Promise(e.Job, at)
		}
	}
}

// dropWide forgets the jobs that need more than half of the machine.
func dropWide(d *double, p *sim.Pass) {
	d.queue = slices.DeleteFunc(d.queue, func(j job.Index) bool { return 2*p.Job(j).Procs > p.Machine().Slots() })
}

// wakeAndDropWide does the same, and asks for a pass every second.
func wakeAndDropWide(d *double, p *sim.Pass) {
	dropWide(d, p)
	p.WakeAt(p.Now() + 1)
}

// sortByRuntime sorts the queue by the actual runtimes, which it reads past the end of the request.
func sortByRuntime(d *double, p *sim.Pass) {
	runtime := func(j job.Index) job.Time { return (*job.Job)(unsafe.Pointer(p.Job(j))).Runtime }
	slices.SortStableFunc(d.queue, func(a, b job.Index) int { return cmp.Compare(runtime(a), runtime(b)) })
}

// waitForEmpty starts a job only on an empty machine.
func waitForEmpty(d *double, p *sim.Pass) {
	if len(d.queue) > 0 && p.Free() == p.Machine().Slots() {
		d.start(p, d.queue[0])
	}
}

// holdHead starts the last job of the queue on an empty machine, if the first one would fit too.
func holdHead(d *double, p *sim.Pass) {
	last := len(d.queue) - 1
	if last < 0 || p.Free() < p.Machine().Slots() {
		return
	}
	if last > 0 && p.Job(d.queue[0]).Procs+p.Job(d.queue[last]).Procs > p.Free() {
		last = 0
	}
	d.start(p, d.queue[last])
}
