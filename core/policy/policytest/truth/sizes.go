package truth

import (
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// runtimeOn returns the runtime of the moldable job k on n processors, in seconds and not rounded.
func (c *checker) runtimeOn(k job.Index, n int) float64 { return c.Log.Jobs[k].Speedup().Runtime(n) }

// gainOfOneMoreProc returns how much time job k saves with n+1 instead of n processors, in billionths
// of a second.
func (c *checker) gainOfOneMoreProc(k job.Index, n int) float64 {
	return math.Round((c.runtimeOn(k, n) - c.runtimeOn(k, n+1)) / 1e-9)
}

// checkSize checks a record that explains the size of a job. The job must have just started, with
// the size that the allocation rule gives. X must be the time in µs that its last processor saves,
// and Y the time that one more processor would save.
func (c *checker) checkSize() {
	r := c.record
	n, saved := c.jobs[r.Job].procs, 0.0
	c.expect(c.jobs[r.Job].running && c.jobs[r.Job].updated == c.now, "the job has just started")
	c.expect(c.Log.Jobs[r.Job].Speedup() != nil && !c.jobs[r.Job].sizeExplained, "the job is moldable, and no record explains its size yet")
	if n > 1 {
		saved = c.runtimeOn(r.Job, n-1) - c.runtimeOn(r.Job, n)
	}
	c.expectEqual("time saved by the last processor", r.X, micros(saved))
	c.expectEqual("time that one more processor would save", r.Y, micros(c.runtimeOn(r.Job, n)-c.runtimeOn(r.Job, n+1)))
	c.expectEqual("size", int64(n), int64(c.sizeByRule(r.Job)))
}

// micros converts seconds to microseconds, rounded.
func micros(seconds float64) int64 { return int64(math.Round(seconds * 1e6)) }

// checkResize checks that the planned size of the waiting job changes from X to Y processors, and
// that Y is the size that the allocation rule gives. X is 0 if there was no size before.
func (c *checker) checkResize() {
	r := c.record
	previous := int64(c.jobs[r.Job].procs)
	if !c.jobs[r.Job].sizeRecorded {
		previous = 0
	}
	c.expectEqual("size before", r.X, previous)
	c.expect(r.Y != previous, "the size changes")
	c.expectEqual("size", r.Y, int64(c.sizeByRule(r.Job)))
	c.expect(r.Code == log.NoReason, "the record has no reason")
}

// sizedTogether returns the jobs for which the last allocation chose sizes. These are the jobs that
// waited when the policy began to act. With realloc = start, they are the jobs that waited at the
// last start.
func (c *checker) sizedTogether(k job.Index) []job.Index {
	jobs := c.waitingBeforePolicy
	if !c.policyActed {
		jobs = c.waiting(anyJob)
	}
	if c.Knobs.Text("realloc") != "start" {
		return jobs
	}
	// Drop the jobs that have started since the policy began to act. Keep job k even if it has just
	// started.
	return slices.DeleteFunc(slices.Clone(jobs), func(i job.Index) bool { return i != k && c.jobs[i].started })
}

// sizeByRule returns the size that the allocation rule gives a moldable job.
func (c *checker) sizeByRule(k job.Index) int {
	switch c.Knobs.Text("allocation") {
	case "hrf":
		n, _ := c.sizeByRevenue(k)
		return n
	case "submit-greedy":
		if c.Knobs.Text("greedy") == "turnaround" {
			return c.sizeByEarliestEnd(k)
		}
		return c.fastestSize(k, c.maxSize())
	}
	return c.fastestSize(k, min(c.maxSize(), max(1, c.fairShare(k))))
}

// maxSize returns the maximum size of a job: the knob threshold times the machine size, rounded up
// for the rule hrf and down otherwise.
func (c *checker) maxSize() int {
	procs := c.Log.Machine.Slots()
	share := float64(c.Knobs.Float("threshold") * float64(procs))
	if c.Knobs.Text("allocation") == "hrf" {
		return min(procs, max(1, int(math.Ceil(share-1e-9))))
	}
	return max(1, int(math.Floor(share+1e-9)))
}

// sizeByRevenue returns the size of job k under the rule hrf, and whether the budget is used
// up. The rule hands out processors one by one. Each goes to the job whose runtime it
// shortens most, with ties to the first job.
func (c *checker) sizeByRevenue(k job.Index) (size int, spent bool) {
	budget := int(math.Floor(float64(c.Knobs.Float("alpha")*float64(c.Log.Machine.Slots())) + 1e-9))
	sizes := map[job.Index]int{}
	var moldable []job.Index
	for _, i := range c.sizedTogether(k) {
		procs := c.Log.Jobs[i].Procs
		if c.Log.Jobs[i].Speedup() != nil {
			procs, sizes[i] = 1, 1
			moldable = append(moldable, i)
		}
		if c.Knobs.On("budget-includes-initial") {
			budget -= procs
		}
	}
	for ; budget > 0; budget-- {
		best := job.None
		for _, i := range moldable {
			if sizes[i] < c.maxSize() && (best == job.None || c.gainOfOneMoreProc(i, sizes[i]) > c.gainOfOneMoreProc(best, sizes[best])) {
				best = i
			}
		}
		if best == job.None || c.Knobs.On("stop-at-zero") && c.gainOfOneMoreProc(best, sizes[best]) <= 0 {
			return sizes[k], false
		}
		sizes[best]++
	}
	return sizes[k], true
}

// fastestSize returns the smallest size, up to limit, with which a job runs fastest.
func (c *checker) fastestSize(k job.Index, limit int) int {
	best := 1
	for n := 2; n <= limit; n++ {
		if c.runtimeOn(k, n) < c.runtimeOn(k, best)-1e-9 {
			best = n
		}
	}
	return best
}

// fairShare returns the number of processors to which a job is entitled, in proportion to its share
// of the total work (see totalWork).
func (c *checker) fairShare(k job.Index) int {
	procs := float64(c.Log.Machine.Slots())
	return int(math.Floor(float64(c.Knobs.Float("alpha")*procs)*c.work(k)/c.totalWork(k) + 1e-9))
}

// totalWork returns the total work of the jobs among which the processors are shared, in
// processor-seconds. These are the jobs in sizedTogether. For the rule submit-fair, they are the
// jobs that waited when job k was submitted and, unless fair-population is queued, those that ran.
func (c *checker) totalWork(k job.Index) (sum float64) {
	if c.Knobs.Text("allocation") == "schedule-fair" {
		for _, i := range c.sizedTogether(k) {
			sum += c.work(i)
		}
		return sum
	}
	waiting, running := c.jobsAtSubmission(k)
	for _, i := range waiting {
		sum += c.work(i)
	}
	if c.Knobs.Text("fair-population") != "queued" {
		for _, i := range running {
			sum += c.work(i)
		}
	}
	return sum
}

// jobsAtSubmission returns the jobs that waited and the jobs that ran when job k was submitted. The
// waiting jobs include job k.
func (c *checker) jobsAtSubmission(k job.Index) (waiting, running []job.Index) {
	at := c.Log.Jobs[k].Submit
	for i := range k + 1 {
		switch state := &c.jobs[i]; {
		case state.done && state.end <= at:
		case state.started && c.firstStart[i] < at:
			running = append(running, i)
		default:
			waiting = append(waiting, i)
		}
	}
	return waiting, running
}

// work returns the runtime of a moldable job on one processor, in seconds. For a rigid job,
// it returns its processors times its estimate.
func (c *checker) work(k job.Index) float64 {
	q := &c.Log.Jobs[k]
	if s := q.Speedup(); s != nil {
		return s.Work()
	}
	return float64(q.Procs) * float64(q.Estimate)
}

// sizeByEarliestEnd returns the smallest size with which job k ends earliest. It uses a plan of the
// jobs that waited or ran when k was submitted.
func (c *checker) sizeByEarliestEnd(k job.Index) int {
	at := c.Log.Jobs[k].Submit
	waiting, running := c.jobsAtSubmission(k)
	p := &plan{capacity: c.capacity()}
	for _, i := range running {
		p.allocate(c.demand(i), at, c.firstStart[i]+c.runtimeInSeconds(i, c.Log.Alloc(i).Count()))
	}
	for _, i := range waiting {
		if i != k {
			p.allocateEarliest(c.finalDemand(i), c.runtimeInSeconds(i, int(c.finalDemand(i)[0])), at)
		}
	}
	best, end := 0, job.Never
	for n := 1; n <= c.maxSize(); n++ {
		demand := c.demand(k)
		demand[0] = int64(n)
		if jobEnd := p.earliest(demand, c.runtimeInSeconds(k, n), at) + c.runtimeInSeconds(k, n); jobEnd < end {
			best, end = n, jobEnd
		}
	}
	return best
}

// finalDemand returns the demand of a job when it runs with its final size.
func (c *checker) finalDemand(k job.Index) amount {
	demand := c.demand(k)
	demand[0] = int64(c.Log.Alloc(k).Count())
	return demand
}

// runtimeInSeconds returns the runtime of a job on n processors according to its estimate, in whole
// seconds.
func (c *checker) runtimeInSeconds(k job.Index, n int) job.Time {
	if s := c.Log.Jobs[k].Speedup(); s != nil {
		return wholeSeconds(s.Work() / s.At(n))
	}
	return c.Log.Jobs[k].Estimate
}

// checkBudgetSpent checks that the budget was used up before the record's job could get another
// processor.
func (c *checker) checkBudgetSpent() {
	k := c.record.Job
	_, spent := c.sizeByRevenue(k)
	c.expect(spent, "the budget is used up")
	c.expect(c.jobs[k].procs < c.maxSize(), "the job could have more processors")
	c.expect(c.gainOfOneMoreProc(k, c.jobs[k].procs) > 0 || !c.Knobs.On("stop-at-zero"), "one more processor would shorten the job")
}

// checkAtThreshold checks that the record's job has the maximum size.
func (c *checker) checkAtThreshold() {
	k := c.record.Job
	c.expectEqual("maximum size of a job", int64(c.jobs[k].procs), int64(c.maxSize()))
	c.expect(c.gainOfOneMoreProc(k, c.jobs[k].procs) > 0 || !c.Knobs.On("stop-at-zero") && c.Knobs.Text("allocation") == "hrf", "one more processor would shorten the job")
}

// checkNoGain checks that one more processor would not shorten the record's job.
func (c *checker) checkNoGain() {
	k := c.record.Job
	c.expect(c.gainOfOneMoreProc(k, c.jobs[k].procs) <= 0, "one more processor would not shorten the job")
}

// checkAtShare checks that one more processor would exceed the share of the record's job.
func (c *checker) checkAtShare() {
	k := c.record.Job
	c.expect(c.jobs[k].procs+1 > c.fairShare(k), "one more processor would exceed the job's share of %d", c.fairShare(k))
	c.expect(c.jobs[k].procs < c.maxSize() && c.gainOfOneMoreProc(k, c.jobs[k].procs) > 0, "nothing else keeps the job from a larger size")
}

// checkEarliestEnd checks nothing, because checkSize has already checked that the job ends earliest
// with this size.
func (c *checker) checkEarliestEnd() {}
