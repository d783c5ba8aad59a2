package truth

import (
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// unplanned is the planned start of a job that has none.
const unplanned job.Time = -1

// life is what the records so far say of a job.
type life struct {
	started, on, done bool
	left, rate        float64 // work left by the estimate at since, and progress per second
	since             job.Time
	finish, due       job.Time   // when it ended, and when it would have by its estimate
	planned           job.Time   // start by promise and moves, or unplanned
	move              log.Record // the last one; At is unplanned if there is none
	unmatched         log.Record // the last hold of that reason; the same
	hold              log.Record // the last one; the same
	inner             log.Code   // of the last one of the policy itself
	fair              job.Time   // start, or unplanned
	procs             int        // asked for now, or held
	told, sized       bool       // of a moldable job: its size is on record while it waits, and when it starts
}

// facts is what the records so far say.
type facts struct {
	*Case
	log        *log.Log
	now        job.Time
	jobs       []life
	ended      []job.Index // at this instant, in order
	acted      bool        // something other than an end was recorded at this instant
	instant    instant
	fills      bool                  // the group that starts is backfilled
	clocks     [4]job.Time           // by type: what its clock showed when its last slice began or ended
	stirred    bool                  // a job came or ended at this instant, a slice began, or a block began or ended
	type_      int                   // of the job of the record, in time slices
	startOrder []job.Index           // who has started, in that order
	units      []*union              // in the order of their last changes
	began      []job.Time            // by job: its first start
	turn       log.Record            // the last begin or end of a slice; At is unplanned if there is none
	ran        int                   // the type whose clock ran until this instant
	shorts     map[job.Time]job.Time // by begin of an interval: length of its short slice
}

// instant is how things stood when what the policy did at an instant began.
type instant struct {
	waiting []job.Index
	running []job.Index
}

func newFacts(c *Case) *facts {
	f := &facts{Case: c, log: c.Log, now: -1, jobs: make([]life, len(c.Log.Jobs)), began: make([]job.Time, len(c.Log.Jobs)), shorts: map[job.Time]job.Time{}}
	f.turn.At = unplanned
	for i := range f.jobs {
		f.jobs[i] = life{planned: unplanned, fair: unplanned, procs: c.Log.Jobs[i].Procs, rate: 1,
			move: log.Record{At: unplanned}, unmatched: log.Record{At: unplanned}, hold: log.Record{At: unplanned}}
	}
	return f
}

// begin lets time pass.
func (f *facts) begin(at job.Time) {
	f.now, f.ended, f.acted, f.ran = at, nil, false, f.present()
	f.stirred = slices.ContainsFunc(f.log.Jobs, func(q job.Job) bool { return q.Submit == at })
}

// acts reports whether a record tells of what the policy does, and not of what has
// happened.
func acts(r *log.Record) bool {
	return r.Kind != log.Finish && r.Kind != log.Reprice && r.Kind != log.Block
}

// take takes in a record.
func (f *facts) take(r *log.Record) {
	if acts(r) && !f.acted {
		f.acted = true
		f.instant = instant{f.waiting(everyone), f.running(everyone)}
	}
	if r.Kind == log.Slice {
		f.clocks[r.View] = f.clock(int(r.View))
		f.turn = *r
	}
	f.stirred = f.stirred || r.Kind == log.Finish || r.Kind == log.Block || r.Kind == log.Slice && r.X == 1
	if r.Job == job.None || log.Kinds[r.Kind].Attempt {
		return
	}
	l, q := &f.jobs[r.Job], &f.log.Jobs[r.Job]
	switch r.Kind {
	case log.Start:
		l.started, l.on, l.since, l.left = true, true, r.At, float64(q.Estimate)
		f.alone(r.Job)
		f.startOrder = append(f.startOrder, r.Job)
		l.procs, f.began[r.Job] = f.log.Alloc(r.Job).Count(), r.At
		if s := q.Speedup(); s != nil {
			l.left = s.Work()
		}
	case log.Resume:
		l.on, l.since, l.rate = true, r.At, 1
	case log.Suspend:
		f.advance(l)
		l.on = false
	case log.Finish:
		l.due = f.end(r.Job)
		f.advance(l)
		l.on, l.done, l.finish = false, true, r.At
		f.ended = append(f.ended, r.Job)
		f.part(r.Job)
	case log.Reprice:
		f.advance(l)
		l.rate = math.Float64frombits(uint64(r.X))
	case log.Group:
		f.match(r.Other, r.Job)
		if f.fills && r.Code == log.CaseWaiting {
			f.units[len(f.units)-1].filled = r.At
		}
	case log.Promise:
		l.planned = r.X
	case log.Move:
		l.planned, l.move = r.Y, *r
	case log.Hold:
		if r.Code == log.Unmatched {
			l.unmatched = *r
		}
		if l.hold = *r; !byHost[r.Code] {
			l.inner = r.Code
		}
	case log.Fair:
		l.fair = r.X
	case log.Size:
		l.sized = true
	case log.Resize:
		l.procs, l.told = int(r.Y), true
	}
}

// advance brings what is left of a job to now.
func (f *facts) advance(l *life) {
	if l.on {
		l.left = max(0, l.left-float64(l.rate*float64(f.now-l.since)))
	}
	l.since = f.now
}

// whole returns a length of time in whole seconds.
func whole(x float64) job.Time { return max(1, job.Time(math.Ceil(x-1e-6))) }

// end returns when the started job j ends by its estimate, if it goes on as it does.
func (f *facts) end(j job.Index) job.Time {
	l := &f.jobs[j]
	return l.since + whole(l.left/l.rate)
}

// remaining returns the time that the started job j still needs by its estimate.
func (f *facts) remaining(j job.Index) job.Time {
	l := f.jobs[j]
	f.advance(&l)
	return whole(l.left / l.rate)
}

// length returns how long the waiting job j runs by its estimate.
func (f *facts) length(j job.Index) job.Time {
	q := &f.log.Jobs[j]
	if s := q.Speedup(); s != nil {
		return whole(s.Work() / s.At(f.jobs[j].procs))
	}
	return q.Estimate
}

// everyone is for questions about all jobs.
func everyone(job.Index) bool { return true }

// submitted reports whether job j is there.
func (f *facts) submitted(j job.Index) bool { return f.log.Jobs[j].Submit <= f.now }

// waiting returns the jobs that are submitted and not started.
func (f *facts) waiting(of func(job.Index) bool) (out []job.Index) {
	for i := range f.jobs {
		if j := job.Index(i); f.submitted(j) && !f.jobs[j].started && of(j) {
			out = append(out, j)
		}
	}
	return out
}

// running returns the jobs that are on the machine.
func (f *facts) running(of func(job.Index) bool) (out []job.Index) {
	for i := range f.jobs {
		if j := job.Index(i); f.jobs[j].on && of(j) {
			out = append(out, j)
		}
	}
	return out
}

// amount is an amount of each resource, the processors first.
type amount []int64

// all returns the whole machine.
func (f *facts) all() amount {
	a := amount{int64(f.log.Machine.Slots())}
	for _, r := range f.log.Machine.Resources {
		a = append(a, r.Capacity)
	}
	return a
}

// asks returns what job j asks for, or holds.
func (f *facts) asks(j job.Index) amount {
	a := amount{int64(f.jobs[j].procs)}
	for k := range f.log.Machine.Resources {
		a = append(a, f.log.Jobs[j].Extra(k))
	}
	return a
}

// free returns what no job is on and no block has taken.
func (f *facts) free() amount {
	a := f.all()
	for _, b := range f.log.Machine.Outages {
		if b.From <= f.now && f.now < b.To {
			a[0] -= int64(b.Procs)
		}
	}
	for _, j := range f.running(everyone) {
		a = a.less(f.asks(j))
	}
	return a
}

func (a amount) less(b amount) amount {
	out := make(amount, len(a))
	for k := range a {
		out[k] = a[k] - b[k]
	}
	return out
}

// lacks returns the first resource of which a has less than b, -1 if there is none.
func (a amount) lacks(b amount) int {
	for k := range a {
		if a[k] < b[k] {
			return k
		}
	}
	return -1
}

func (a amount) has(b amount) bool { return a.lacks(b) < 0 }
