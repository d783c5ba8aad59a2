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

// FairSlack is the knobs of backfilling with fairness and slack (spec 5).
type FairSlack struct {
	Goal, FST                   string
	Up, Down, Least, K1, K2, U  float64
	Late, Early, Used, Absolute float64
	Lookahead, Limit            int
	Exact                       bool
	Sets                        bool // in the slices of other types too
}

// Fair is what it made of a workload: the fair start times, and for each
// decision with sets the sets with their scores in order, and the chosen one.
type Fair struct {
	Result
	FST       []job.Time
	Decisions []string
}

// Run runs it.
func (o FairSlack) Run(m *cluster.Machine, jobs []job.Job) Fair {
	r := o.begin(jobs)
	result := simulate(m, jobs, r)
	return Fair{result, r.fair, r.decisions}
}

type fairSlack struct {
	FairSlack
	fair      []job.Time
	decisions []string
}

func (o FairSlack) begin(jobs []job.Job) *fairSlack {
	return &fairSlack{FairSlack: o, fair: make([]job.Time, len(jobs))}
}

// stage is where it decides: a machine, or that of a type in time slices.
type stage struct {
	jobs       []job.Job
	now, clock job.Time     // on the clock of plans; on the wall
	plan       func() *plan // of the running jobs
	whole      int64
	free       amounts
	wall       func(job.Time) job.Time // when the clock of plans shows that
	hosts      *hosts                  // in the slice of another type
}

// hosts is the jobs of the type of a slice, of which guests can stay that long.
type hosts struct {
	*stage
	queue []int
	stay  job.Time
	left  func(int) job.Time // of a job that has started
	back  []int              // those that wait, where sets are of preempted jobs
	again bool               // they are
}

func (w *world) stage() *stage {
	return &stage{w.jobs, w.now, w.now, w.plan, w.whole[0], w.free(), func(t job.Time) job.Time { return t }, nil}
}

func (f *fairSlack) second(w *world) {
	happened := len(w.ended()) > 0
	var before []int
	for _, j := range w.waiting(policy.FIFO) {
		if w.jobs[j].Submit == w.now {
			happened = true
			f.fair[j] = f.start(w.stage(), before, j)
		}
		before = append(before, j)
	}
	if !happened {
		return
	}
	for _, j := range before {
		if !w.free().has(&w.jobs[j]) {
			break
		}
		w.start(j)
	}
	for _, j := range f.choose(w.stage(), w.waiting(policy.FIFO)) {
		w.start(j)
	}
}

// after plans some jobs to start at given moments, then others conservatively.
func after(w *stage, fixed map[int]job.Time, queue []int) (*plan, map[int]job.Time) {
	p, at := w.plan(), map[int]job.Time{}
	for j, s := range fixed {
		p.take(&w.jobs[j], s)
		at[j] = s
	}
	for _, j := range queue {
		if _, ok := fixed[j]; !ok {
			at[j] = p.first(&w.jobs[j])
			p.take(&w.jobs[j], at[j])
		}
	}
	return p, at
}

// start returns the fair start time of the new job j behind others, on the wall (spec
// 5.1).
func (f *fairSlack) start(w *stage, before []int, j int) job.Time {
	return w.wall(f.begins(w, before, j))
}

func (f *fairSlack) begins(w *stage, before []int, j int) job.Time {
	p, at := after(w, nil, before)
	sure := p.first(&w.jobs[j])
	switch f.FST {
	case "conservative":
		return sure
	case "append":
		from := w.now
		for _, s := range at {
			from = max(from, s)
		}
		for !p.fits(&w.jobs[j], from) {
			from++
		}
		return from
	}
	for s := w.now; s < sure; s++ {
		if p.changes(s) && w.plan().fits(&w.jobs[j], s) {
			_, at := after(w, map[int]job.Time{j: s}, before)
			if f.late(w, before, onWall(w, at), nil) < 0 {
				return s
			}
		}
	}
	return sure
}

// changes reports whether at t, or from the beginning, other processors are
// free than just before.
func (p *plan) changes(t job.Time) bool {
	free := func(t job.Time) int64 {
		if i := int(t - p.now); i < len(p.free) {
			return p.free[i][0]
		}
		return p.whole[0]
	}
	return t == p.now || free(t) != free(t-1)
}

// onWall returns starts on the wall.
func onWall(w *stage, at map[int]job.Time) map[int]job.Time {
	for j := range at {
		at[j] = w.wall(at[j])
	}
	return at
}

// with returns the starts on the wall of all who wait if a set starts.
func (w *stage) with(set map[int]job.Time, queue []int) map[int]job.Time {
	if w.hosts != nil {
		return w.withGuests(set, queue)
	}
	_, at := after(w, set, queue)
	return onWall(w, at)
}

// late returns the first job of a queue that is planned, on the wall, after its latest
// start and not in the set, -1 if there is none.
func (f *fairSlack) late(w *stage, queue []int, at map[int]job.Time, set map[int]job.Time) int {
	for _, j := range queue {
		if _, chosen := set[j]; !chosen && float64(at[j]) > f.latest(w, j)+1e-6 {
			return j
		}
	}
	return -1
}

// latest returns the latest start of a job (spec 5.2).
func (f *fairSlack) latest(w *stage, j int) float64 {
	wait, already := float64(f.fair[j]-w.jobs[j].Submit), float64(w.clock-w.jobs[j].Submit)
	up, e := f.Up, w.jobs[j].Estimate
	if medium := e > 600 && e < 3600 && wait < 7200; !medium {
		up = math.Min(up, 1.5)
	}
	slack := math.Min(up, f.K2*exact.Exp(f.K1*wait/f.U)+f.Down)
	least, ratio := math.Min(f.Least, slack), 1.0
	if wait > 0 {
		ratio = math.Min(1, already/wait)
	}
	return float64(w.jobs[j].Submit) + (least+ratio*(slack-least))*wait
}

type choice struct {
	jobs        map[int]job.Time
	late, early int64
	used        int
	text        string
}

// choose returns the jobs to start. It tries the sets as the numbers of their bits:
// every set comes after its parent, which is the same set without its last job
// (spec 5.3).
func (f *fairSlack) choose(w *stage, queue []int) []int {
	kept, saved := []int{0}, []choice(nil)
	for last := range min(f.Lookahead, len(queue)) {
		for _, parent := range kept {
			if len(kept) > f.Limit {
				break
			}
			if c, keep, save := f.try(w, queue, parent, last); keep {
				kept = append(kept, parent|1<<last)
				if save {
					saved = append(saved, c)
				}
			}
		}
	}
	return f.act(w, queue, saved)
}

// try returns a set with one more job, and whether it is kept and saved.
func (f *fairSlack) try(w *stage, queue []int, parent, last int) (c choice, keep, save bool) {
	c = choice{jobs: map[int]job.Time{}, used: int(w.whole - w.free[0])}
	free := w.free
	for i := range last + 1 {
		if (parent|1<<last)&(1<<i) != 0 {
			j := &w.jobs[queue[i]]
			if !free.has(j) {
				return c, false, false
			}
			free = free.less(j)
			c.jobs[queue[i]] = w.now
			c.used += j.Procs
			c.text += j.ID + ","
		}
	}
	at := w.with(c.jobs, queue)
	own, all := w.own(queue), w.all(queue)
	tested := own
	if f.Exact && !w.again() {
		tested = queue[:last]
	}
	if f.late(w, tested, at, c.jobs) >= 0 || f.late(w, all[len(own):], at, nil) >= 0 {
		return c, false, false
	}
	if f.late(w, own, at, c.jobs) >= 0 {
		return c, true, false
	}
	for _, j := range all {
		c.late += max(0, at[j]-f.fair[j])
		c.early += max(0, f.fair[j]-at[j])
	}
	return c, true, true
}

// act returns the jobs that start: those of the best set, or those that are planned
// for now if there is none.
func (f *fairSlack) act(w *stage, queue []int, saved []choice) (starts []int) {
	if len(saved) == 0 {
		_, at := after(w, nil, queue)
		for _, j := range queue {
			if at[j] == w.now {
				starts = append(starts, j)
			}
		}
		return starts
	}
	best := f.best(saved, len(w.all(queue)))
	var text []string
	for _, c := range saved {
		text = append(text, fmt.Sprintf("%s %d %d", strings.TrimSuffix(c.text, ","), c.late, c.early))
	}
	f.decisions = append(f.decisions, fmt.Sprintf("%d: %s; %s", w.clock, strings.Join(text, "; "), strings.TrimSuffix(best.text, ",")))
	for _, j := range queue {
		if _, ok := best.jobs[j]; ok {
			starts = append(starts, j)
		}
	}
	return starts
}

// best chooses by the goal.
func (f *fairSlack) best(saved []choice, n int) choice {
	ref := 0
	for i, x := range saved {
		r := saved[ref]
		if f.Goal == "utilization" && x.used > r.used ||
			f.Goal == "fairness" && (x.late < r.late || x.late == r.late && x.used > r.used) {
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
			if bound := f.Late*mean(saved[ref].late) + f.Absolute; le(1, mean(x.late), bound) &&
				le(f.Early, mean(x.early), mean(best.early)) && ge(float64(x.used), f.Used, float64(best.used)) {
				best = x
			}
		} else if le(f.Used, float64(saved[ref].used), float64(x.used)) &&
			ge(mean(best.late), f.Late, mean(x.late)) && ge(mean(best.early), f.Early, mean(x.early)) {
			best = x
		}
	}
	return best
}
