package truth

import (
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// runtime returns the seconds that job k runs on n processors, not rounded.
func (j *judge) runtime(k job.Index, n int) float64 { return j.log.Jobs[k].Speedup().Runtime(n) }

// gain returns what one more than n processors takes off, in billionths of a second.
func (j *judge) gain(k job.Index, n int) float64 {
	return math.Round((j.runtime(k, n) - j.runtime(k, n+1)) / 1e-9)
}

// judgeSize: the job has just started; its last processor saves X, one more would
// save Y, and the size is that which the rule gives.
func (j *judge) judgeSize() {
	r := j.record
	n, saved := j.jobs[r.Job].procs, 0.0
	j.holds(j.jobs[r.Job].on && j.jobs[r.Job].since == j.now, "it has just started")
	j.holds(j.log.Jobs[r.Job].Speedup() != nil && !j.jobs[r.Job].sized, "it is moldable, and its size is not told yet")
	if n > 1 {
		saved = j.runtime(r.Job, n-1) - j.runtime(r.Job, n)
	}
	j.is("saved by the last processor", r.X, micros(saved))
	j.is("saved by one more", r.Y, micros(j.runtime(r.Job, n)-j.runtime(r.Job, n+1)))
	j.is("size", int64(n), int64(j.sizeOf(r.Job)))
}

func micros(seconds float64) int64 { return int64(math.Round(seconds * 1e6)) }

// judgeResize: the size of the waiting job goes from X to Y, which is that of the
// rule.
func (j *judge) judgeResize() {
	r := j.record
	was := int64(j.jobs[r.Job].procs)
	if !j.jobs[r.Job].told {
		was = 0
	}
	j.is("size before", r.X, was)
	j.holds(r.Y != was, "it changes")
	j.is("size", r.Y, int64(j.sizeOf(r.Job)))
	j.holds(r.Code == log.NoReason, "it has no reason")
}

// population returns the jobs among which sizes were chosen last: those that waited when
// the policy began to act, or, where sizes are chosen after each start, then.
func (j *judge) population(k job.Index) []job.Index {
	of := j.instant.waiting
	if !j.acted {
		of = j.waiting(everyone)
	}
	if j.Knobs.Text("realloc") != "start" {
		return of
	}
	// as of the last start, if k is the job that started, before it
	return slices.DeleteFunc(slices.Clone(of), func(i job.Index) bool { return i != k && j.jobs[i].started })
}

// sizeOf returns the size that the rule gives a moldable job.
func (j *judge) sizeOf(k job.Index) int {
	switch j.Knobs.Text("allocation") {
	case "hrf":
		n, _ := j.byRevenue(k)
		return n
	case "submit-greedy":
		if j.Knobs.Text("greedy") == "turnaround" {
			return j.bySoonest(k)
		}
		return j.fastest(k, j.largest())
	}
	return j.fastest(k, min(j.largest(), max(1, j.share(k))))
}

// largest returns the largest size: the threshold rounded down, for hrf up.
func (j *judge) largest() int {
	m := j.log.Machine.Slots()
	x := float64(j.Knobs.Float("threshold") * float64(m))
	if j.Knobs.Text("allocation") == "hrf" {
		return min(m, max(1, int(math.Ceil(x-1e-9))))
	}
	return max(1, int(math.Floor(x+1e-9)))
}

// byRevenue hands out processors one by one, each to the job whose runtime it
// shortens most, of equals the first; it returns the size of a job, and whether the
// budget was used up.
func (j *judge) byRevenue(k job.Index) (size int, spent bool) {
	budget := int(math.Floor(float64(j.Knobs.Float("alpha")*float64(j.log.Machine.Slots())) + 1e-9))
	sizes := map[job.Index]int{}
	var moldable []job.Index
	for _, i := range j.population(k) {
		first := j.log.Jobs[i].Procs
		if j.log.Jobs[i].Speedup() != nil {
			first, sizes[i] = 1, 1
			moldable = append(moldable, i)
		}
		if j.Knobs.On("budget-includes-initial") {
			budget -= first
		}
	}
	for ; budget > 0; budget-- {
		best := job.None
		for _, i := range moldable {
			if sizes[i] < j.largest() && (best == job.None || j.gain(i, sizes[i]) > j.gain(best, sizes[best])) {
				best = i
			}
		}
		if best == job.None || j.Knobs.On("stop-at-zero") && j.gain(best, sizes[best]) <= 0 {
			return sizes[k], false
		}
		sizes[best]++
	}
	return sizes[k], true
}

// fastest returns the fewest processors, up to most, on which a job runs fastest.
func (j *judge) fastest(k job.Index, most int) int {
	best := 1
	for n := 2; n <= most; n++ {
		if j.runtime(k, n) < j.runtime(k, best)-1e-9 {
			best = n
		}
	}
	return best
}

// share returns the processors of a job by its part of the sequential runtimes: of all
// jobs there when it was submitted, or of those that wait.
func (j *judge) share(k job.Index) int {
	m := float64(j.log.Machine.Slots())
	return int(math.Floor(float64(j.Knobs.Float("alpha")*m)*j.work(k)/j.sum(k) + 1e-9))
}

func (j *judge) sum(k job.Index) (sum float64) {
	if j.Knobs.Text("allocation") == "schedule-fair" {
		for _, i := range j.population(k) {
			sum += j.work(i)
		}
		return sum
	}
	waiting, running := j.whenSubmitted(k)
	for _, i := range waiting {
		sum += j.work(i)
	}
	if j.Knobs.Text("fair-population") != "queued" {
		for _, i := range running {
			sum += j.work(i)
		}
	}
	return sum
}

// whenSubmitted returns who waited, the job among them, and who ran when job k was
// submitted.
func (j *judge) whenSubmitted(k job.Index) (waiting, running []job.Index) {
	at := j.log.Jobs[k].Submit
	for i := range k + 1 {
		switch l := &j.jobs[i]; {
		case l.done && l.finish <= at:
		case l.started && j.began[i] < at:
			running = append(running, i)
		default:
			waiting = append(waiting, i)
		}
	}
	return waiting, running
}

// work returns the runtime of a job on one processor; of a rigid one all that it asks for.
func (j *judge) work(k job.Index) float64 {
	q := &j.log.Jobs[k]
	if s := q.Speedup(); s != nil {
		return s.Work()
	}
	return float64(q.Procs) * float64(q.Estimate)
}

// bySoonest returns the fewest processors with which a job ended first in the plan of
// those that were there when it was submitted.
func (j *judge) bySoonest(k job.Index) int {
	at := j.log.Jobs[k].Submit
	waiting, running := j.whenSubmitted(k)
	p := &plan{all: j.all()}
	for _, i := range running {
		p.hold(j.asks(i), at, j.began[i]+j.lengthOn(i, j.log.Alloc(i).Count()))
	}
	for _, i := range waiting {
		if i != k {
			p.book(j.wide(i), j.lengthOn(i, int(j.wide(i)[0])), at)
		}
	}
	best, end := 0, job.Never
	for n := 1; n <= j.largest(); n++ {
		a := j.asks(k)
		a[0] = int64(n)
		if e := p.first(a, j.lengthOn(k, n), at) + j.lengthOn(k, n); e < end {
			best, end = n, e
		}
	}
	return best
}

// wide returns what a job asks for with the size that it was given for good.
func (j *judge) wide(k job.Index) amount {
	a := j.asks(k)
	a[0] = int64(j.log.Alloc(k).Count())
	return a
}

// lengthOn returns how long a job runs on n processors.
func (j *judge) lengthOn(k job.Index, n int) job.Time {
	if s := j.log.Jobs[k].Speedup(); s != nil {
		return whole(s.Work() / s.At(n))
	}
	return j.log.Jobs[k].Estimate
}

// judgeBudgetSpent: the budget was used up before it was its turn.
func (j *judge) judgeBudgetSpent() {
	k := j.record.Job
	_, spent := j.byRevenue(k)
	j.holds(spent, "the budget is used up")
	j.holds(j.jobs[k].procs < j.largest(), "it may have more")
	j.holds(j.gain(k, j.jobs[k].procs) > 0 || !j.Knobs.On("stop-at-zero"), "one more would shorten it")
}

// judgeAtThreshold: no job may have more.
func (j *judge) judgeAtThreshold() {
	k := j.record.Job
	j.is("most processors of a job", int64(j.jobs[k].procs), int64(j.largest()))
	j.holds(j.gain(k, j.jobs[k].procs) > 0 || !j.Knobs.On("stop-at-zero") && j.Knobs.Text("allocation") == "hrf", "one more would shorten it")
}

// judgeNoGain: another processor would not shorten it.
func (j *judge) judgeNoGain() {
	k := j.record.Job
	j.holds(j.gain(k, j.jobs[k].procs) <= 0, "one more would not shorten it")
}

// judgeAtShare: more is beyond its share.
func (j *judge) judgeAtShare() {
	k := j.record.Job
	j.holds(j.jobs[k].procs+1 > j.share(k), "one more is beyond its share of %d", j.share(k))
	j.holds(j.jobs[k].procs < j.largest() && j.gain(k, j.jobs[k].procs) > 0, "nothing else keeps it from more")
}

// judgeSoonest: it got as many as were predicted to end it first: see judgeSize.
func (j *judge) judgeSoonest() {}
