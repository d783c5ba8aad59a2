package textbook

import (
	"fmt"
	"math"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// FairSlack holds the knobs of backfilling with fairness and slack (Jin 2009,
// section 5).
type FairSlack struct {
	Goal, FST                                                        string  // knobs goal and jin-fst
	SlackUp, SlackDown, SlackMin, K1, K2, SlackUnit                  float64 // knobs slack-up, slack-down, slack-min, k1, k2 and slack-unit
	RangeUnfairness, RangeSkip, RangeUtilization, RangeUnfairnessAbs float64 // knobs range-unfairness, range-skip, range-utilization and range-unfairness-abs
	Lookahead, NodeLimit                                             int     // knobs lookahead and node-limit
	ExactPrune                                                       bool    // knob exact-prune
	FillWithSets                                                     bool    // knob filling=sets: also run sets as guests in the slices of other types
}

// FairSlackResult holds the schedule of a fair-slack run.
type FairSlackResult struct {
	Result
	FST []job.Time // by job: fair start time

	// Decisions holds one text for each search that found at least one acceptable set. The text
	// lists the acceptable sets with their scores, in the order in which they were found, and then
	// the selected set.
	Decisions []string
}

// Run simulates the jobs on a machine without time slices.
func (o FairSlack) Run(m *cluster.Machine, jobs []job.Job) FairSlackResult {
	r := o.newRule(jobs)
	result := simulate(m, jobs, r)
	return FairSlackResult{result, r.fairStarts, r.decisions}
}

// fairSlack selects the jobs that start in a FairSlack run.
type fairSlack struct {
	FairSlack
	fairStarts []job.Time // by job
	decisions  []string   // see FairSlackResult
}

// newRule returns the rule for a simulation of these jobs.
func (o FairSlack) newRule(jobs []job.Job) *fairSlack {
	return &fairSlack{FairSlack: o, fairStarts: make([]job.Time, len(jobs))}
}

// searchState holds the information about the machine that a search needs. With time slices, it
// describes the virtual machine (see slicedSim) of one job type, which is called the searching
// type. The search looks for sets of jobs of this type.
type searchState struct {
	jobs                []job.Job               // all jobs of the workload, of every type
	virtualNow, wallNow job.Time                // equal on a machine without time slices
	plan                func() *plan            // returns a new plan that contains the running jobs
	procs               int64                   // processors of the machine
	free                amounts                 // resources that are free now
	toWall              func(job.Time) job.Time // converts a virtual time to a wall-clock time
	owner               *sliceOwner             // the type that owns the current slice; nil if it is the searching type
}

// sliceOwner describes the type that owns the current slice, while another type searches for jobs
// that can run in this slice as guests.
type sliceOwner struct {
	*searchState
	queue        []int              // waiting jobs of the owner, in queue order
	remaining    job.Time           // time until the slice ends
	estimateLeft func(int) job.Time // returns the remaining estimate of a job
	resumes      bool               // whether the candidates are preempted jobs, not waiting jobs
	waitingOwn   []int              // waiting jobs of the searching type; set only if resumes is true
}

// state returns the current state of a machine without time slices, for a search.
func (w *simulation) state() *searchState {
	return &searchState{w.jobs, w.now, w.now, w.plan, w.capacity[0], w.free(), func(t job.Time) job.Time { return t }, nil}
}

func (f *fairSlack) simulateSecond(w *simulation) {
	happened := len(w.endedNow()) > 0
	var queue []int
	for _, j := range w.waiting(policy.FIFO) {
		if w.jobs[j].Submit == w.now {
			happened = true
			f.fairStarts[j] = f.fairStartWallTime(w.state(), queue, j)
		}
		queue = append(queue, j)
	}
	if !happened {
		return
	}
	for _, j := range queue {
		if !w.free().covers(&w.jobs[j]) {
			break
		}
		w.start(j)
	}
	for _, j := range f.choose(w.state(), w.waiting(policy.FIFO)) {
		w.start(j)
	}
}

// planQueue returns a plan of the queue, and all planned starts. First, it reserves the starts that fixedStarts
// prescribes for some jobs. Then it reserves the earliest start of each other job, one after the other.
func planQueue(w *searchState, fixedStarts map[int]job.Time, queue []int) (*plan, map[int]job.Time) {
	p, starts := w.plan(), map[int]job.Time{}
	for j, s := range fixedStarts {
		p.reserve(&w.jobs[j], s)
		starts[j] = s
	}
	for _, j := range queue {
		if _, ok := fixedStarts[j]; !ok {
			starts[j] = p.earliest(&w.jobs[j])
			p.reserve(&w.jobs[j], starts[j])
		}
	}
	return p, starts
}

// fairStartWallTime returns the fair start time of the new job j as a wall-clock time (Jin 2009,
// section 5.1). The argument earlier holds the jobs that wait ahead of j in the queue.
func (f *fairSlack) fairStartWallTime(w *searchState, earlier []int, j int) job.Time {
	return w.toWall(f.fairStart(w, earlier, j))
}

// fairStart returns the fair start time of the new job j as a virtual time.
func (f *fairSlack) fairStart(w *searchState, earlier []int, j int) job.Time {
	p, starts := planQueue(w, nil, earlier)
	planned := p.earliest(&w.jobs[j])
	switch f.FST {
	case "conservative":
		return planned
	case "append":
		from := w.virtualNow
		for _, s := range starts {
			from = max(from, s)
		}
		for !p.fits(&w.jobs[j], from) {
			from++
		}
		return from
	}
	for s := w.virtualNow; s < planned; s++ {
		if p.freeProcsChangeAt(s) && w.plan().fits(&w.jobs[j], s) {
			_, starts := planQueue(w, map[int]job.Time{j: s}, earlier)
			if f.firstLate(w, earlier, toWallTimes(w, starts), nil) < 0 {
				return s
			}
		}
	}
	return planned
}

// freeProcsChangeAt reports whether the number of free processors changes at t. The first second of the
// plan always counts as a change.
func (p *plan) freeProcsChangeAt(t job.Time) bool {
	free := func(t job.Time) int64 {
		if i := int(t - p.now); i < len(p.free) {
			return p.free[i][0]
		}
		return p.capacity[0]
	}
	return t == p.now || free(t) != free(t-1)
}

// toWallTimes converts the starts to wall-clock times in place and returns them.
func toWallTimes(w *searchState, starts map[int]job.Time) map[int]job.Time {
	for j := range starts {
		starts[j] = w.toWall(starts[j])
	}
	return starts
}

// plannedStarts returns the planned wall-clock start of every waiting job if the jobs
// of the set start now.
func (w *searchState) plannedStarts(set map[int]job.Time, queue []int) map[int]job.Time {
	if w.owner != nil {
		return w.plannedStartsAsGuests(set, queue)
	}
	_, at := planQueue(w, set, queue)
	return toWallTimes(w, at)
}

// firstLate returns the first job of the queue that is not in the set and is planned to start after
// its latest start. It returns -1 if there is none.
func (f *fairSlack) firstLate(w *searchState, queue []int, starts map[int]job.Time, set map[int]job.Time) int {
	for _, j := range queue {
		if _, chosen := set[j]; !chosen && float64(starts[j]) > f.latestStart(w, j)+1e-6 {
			return j
		}
	}
	return -1
}

// latestStart returns the wall-clock time by which a job must start to stay within its
// slack (Jin 2009, section 5).
func (f *fairSlack) latestStart(w *searchState, j int) float64 {
	wait, already := float64(f.fairStarts[j]-w.jobs[j].Submit), float64(w.wallNow-w.jobs[j].Submit)
	up, e := f.SlackUp, w.jobs[j].Estimate
	if medium := e > 600 && e < 3600 && wait < 7200; !medium {
		up = math.Min(up, 1.5)
	}
	slack := math.Min(up, f.K2*exact.Exp(f.K1*wait/f.SlackUnit)+f.SlackDown)
	least, ratio := math.Min(f.SlackMin, slack), 1.0
	if wait > 0 {
		ratio = math.Min(1, already/wait)
	}
	return float64(w.jobs[j].Submit) + (least+ratio*(slack-least))*wait
}

// candidateSet holds a set of jobs that could start together, with the scores of the set.
type candidateSet struct {
	jobs                  map[int]job.Time // start of each job
	totalLate, totalEarly int64            // seconds after and before the fair starts, over all waiting jobs
	used                  int              // processors in use if the set starts
	names                 string           // job IDs, each followed by a comma
}

// choose searches the sets of candidates and returns the jobs to start or resume (Jin 2009, section
// 5.3). The given queue consists of the candidates, which are waiting or preempted jobs. A set is a
// number whose bit i stands for the job at queue position i. The search visits every set after its
// parent, which is the set without its last job.
func (f *fairSlack) choose(w *searchState, queue []int) []int {
	kept, saved := []int{0}, []candidateSet(nil)
	for last := range min(f.Lookahead, len(queue)) {
		for _, parent := range kept {
			if len(kept) > f.NodeLimit {
				break
			}
			if c, keep, save := f.evaluate(w, queue, parent, last); keep {
				kept = append(kept, parent|1<<last)
				if save {
					saved = append(saved, c)
				}
			}
		}
	}
	return f.startsOfBestSet(w, queue, saved)
}

// evaluate adds the job at the given queue position to the parent set, and computes the scores of the new set. It
// reports whether to keep the set as a parent of larger sets, and whether the set may be selected.
func (f *fairSlack) evaluate(w *searchState, queue []int, parent, position int) (c candidateSet, keep, save bool) {
	c = candidateSet{jobs: map[int]job.Time{}, used: int(w.procs - w.free[0])}
	free := w.free
	for i := range position + 1 {
		if (parent|1<<position)&(1<<i) != 0 {
			j := &w.jobs[queue[i]]
			if !free.covers(j) {
				return c, false, false
			}
			free = free.minus(j)
			c.jobs[queue[i]] = w.virtualNow
			c.used += j.Procs
			c.names += j.ID + ","
		}
	}
	starts := w.plannedStarts(c.jobs, queue)
	ownQueue, affected := w.waitingJobs(queue), w.delayableJobs(queue)
	tested := ownQueue
	if f.ExactPrune && !w.resumesPreempted() {
		tested = queue[:position]
	}
	if f.firstLate(w, tested, starts, c.jobs) >= 0 || f.firstLate(w, affected[len(ownQueue):], starts, nil) >= 0 {
		return c, false, false
	}
	if f.firstLate(w, ownQueue, starts, c.jobs) >= 0 {
		return c, true, false
	}
	for _, j := range affected {
		c.totalLate += max(0, starts[j]-f.fairStarts[j])
		c.totalEarly += max(0, f.fairStarts[j]-starts[j])
	}
	return c, true, true
}

// startsOfBestSet returns the jobs of the best saved set. If no set was saved, it returns
// the jobs that conservative backfilling starts now.
func (f *fairSlack) startsOfBestSet(w *searchState, queue []int, saved []candidateSet) (starts []int) {
	if len(saved) == 0 {
		_, planned := planQueue(w, nil, queue)
		for _, j := range queue {
			if planned[j] == w.virtualNow {
				starts = append(starts, j)
			}
		}
		return starts
	}
	best := f.bestSet(saved, len(w.delayableJobs(queue)))
	var text []string
	for _, c := range saved {
		text = append(text, fmt.Sprintf("%s %d %d", strings.TrimSuffix(c.names, ","), c.totalLate, c.totalEarly))
	}
	f.decisions = append(f.decisions, fmt.Sprintf("%d: %s; %s", w.wallNow, strings.Join(text, "; "), strings.TrimSuffix(best.names, ",")))
	for _, j := range queue {
		if _, ok := best.jobs[j]; ok {
			starts = append(starts, j)
		}
	}
	return starts
}

// bestSet returns the saved set that is best for the goal (Jin 2009, section 5.3, steps 8 to 11).
// It compares mean scores over n waiting jobs.
func (f *fairSlack) bestSet(saved []candidateSet, n int) candidateSet {
	ref := 0
	for i, x := range saved {
		r := saved[ref]
		if f.Goal == "utilization" && x.used > r.used ||
			f.Goal == "fairness" && (x.totalLate < r.totalLate || x.totalLate == r.totalLate && x.used > r.used) {
			ref = i
		}
	}
	le := func(ratio, a, b float64) bool { return a-ratio*b <= 1e-9*math.Abs(ratio*b) }
	ge := func(a, ratio, b float64) bool { return ratio*b-a <= 1e-9*math.Abs(a) }
	best, mean := saved[ref], func(v int64) float64 { return float64(v) / float64(n) }
	for i, x := range saved {
		if i == ref {
			continue
		}
		if f.Goal == "fairness" {
			if bound := f.RangeUnfairness*mean(saved[ref].totalLate) + f.RangeUnfairnessAbs; le(1, mean(x.totalLate), bound) &&
				le(f.RangeSkip, mean(x.totalEarly), mean(best.totalEarly)) && ge(float64(x.used), f.RangeUtilization, float64(best.used)) {
				best = x
			}
		} else if le(f.RangeUtilization, float64(saved[ref].used), float64(x.used)) &&
			ge(mean(best.totalLate), f.RangeUnfairness, mean(x.totalLate)) && ge(mean(best.totalEarly), f.RangeSkip, mean(x.totalEarly)) {
			best = x
		}
	}
	return best
}
