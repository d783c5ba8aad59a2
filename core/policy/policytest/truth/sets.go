package truth

import (
	"math"
	"slices"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// search is what the records of a search for a set of jobs tell so far.
type search struct {
	sets   [][]job.Index // kept, the empty one first
	scores []score       // of those that keep all within their slack; of no set for the others
	tried  int
	times  map[job.Index]int // by job: sets tried with it
	before map[job.Index]int // sets kept before it was tried first
	chosen *log.Record
	free   amount // when it began
}

type score struct {
	good        bool
	late, early int64
	used        int64
}

// searching is the search that the record belongs to; one begins at an instant, or
// after the choice of another.
func (j *judge) searching() *search {
	if j.search == nil || j.searchedAt != j.now {
		j.search, j.searchedAt = &search{sets: [][]job.Index{nil}, scores: make([]score, 1),
			times: map[job.Index]int{}, before: map[job.Index]int{}, free: j.free()}, j.now
	}
	return j.search
}

// latest is the latest start that the slack of a waiting job allows now (Jin 2009,
// formulas 5 and 6).
func (j *judge) latest(k job.Index) job.Time {
	q, fair := &j.log.Jobs[k], j.jobs[k].fair
	wait := float64(fair - q.Submit)
	up, down := j.knob("slack-up"), j.knob("slack-down")
	if up > 1.5 && (q.Estimate <= 600 || q.Estimate >= 3600 || wait >= 7200) {
		up = 1.5
	}
	factor := min(up, float64(j.knob("k2")*exact.Exp(float64(j.knob("k1")*wait)/j.knob("slack-unit")))+down)
	part := 1.0
	if wait > 0 {
		part = min(1, float64(j.now-q.Submit)/wait)
	}
	least := min(j.knob("slack-min"), factor)
	least += float64(part * (factor - least))
	return fair + job.Time(math.Floor(float64(wait*(least-1))+1e-6))
}

func (j *judge) knob(name string) float64 { return j.Knobs.Float(name) }

// starts is where each waiting job starts if those of a set do now and the others
// are planned in the order of their submission.
func (j *judge) startsWith(set []job.Index) map[job.Index]job.Time {
	p, out := j.runningPlan(), map[job.Index]job.Time{}
	for _, k := range set {
		p.hold(j.asks(k), j.now, j.now+j.length(k))
		out[k] = j.now // on the wall
	}
	for _, k := range j.waiting(j.member) {
		if !slices.Contains(set, k) {
			out[k] = p.book(j.asks(k), j.length(k), j.now)
		}
	}
	return out
}

// tooLate is the first job, in no set, that would start after its latest start.
func (j *judge) tooLate(set []job.Index) job.Index {
	starts := j.startsWith(set)
	for _, k := range j.waiting(j.member) {
		if !slices.Contains(set, k) && starts[k] > j.latest(k) {
			return k
		}
	}
	return job.None
}

// judgeNode: the set X was tried with the job as well.
func (j *judge) judgeNode() []job.Index {
	r, s := j.record, j.searching()
	if !j.ok(r.X >= 0 && int(r.X) < len(s.sets), "the set is one that was kept") {
		return nil
	}
	if s.times[r.Job] == 0 {
		s.before[r.Job] = len(s.sets)
	}
	s.times[r.Job]++
	s.tried++
	j.holds(!j.jobs[r.Job].started, "the job waits")
	j.holds(!slices.Contains(s.sets[r.X], r.Job), "the job is not in the set yet")
	j.holds(r.Code == log.PastSlack || r.Y == 0, "y means nothing")
	j.is("set", r.X, int64(s.times[r.Job]-1))
	return append(slices.Clone(s.sets[r.X]), r.Job)
}

// needs is what the jobs of a set need together.
func (j *judge) needs(set []job.Index) amount {
	a := make(amount, len(j.all()))
	for _, k := range set {
		for i, n := range j.asks(k) {
			a[i] += n
		}
	}
	return a
}

func (j *judge) judgeTooMuch() {
	set := j.judgeNode()
	j.holds(!j.free().has(j.needs(set)), "it needs more than is free")
}

func (j *judge) judgePastSlack() {
	r, set := j.record, j.judgeNode()
	j.holds(j.free().has(j.needs(set)), "what it needs is free")
	j.holds(j.tooLate(set) == r.Other, "the other is the first that would start too late")
	j.is("latest start", r.Y, j.latest(r.Other))
}

func (j *judge) judgeKept() {
	set := j.judgeNode()
	j.holds(j.free().has(j.needs(set)), "what it needs is free")
	j.holds(j.tooLate(set) == job.None, "none would start too late")
	s, sc := j.search, score{good: true}
	for k, at := range j.startsWith(set) {
		sc.late += max(0, at-j.jobs[k].fair)
		sc.early += max(0, j.jobs[k].fair-at)
	}
	sc.used = j.all()[0] - s.free[0] + j.needs(set)[0]
	s.sets, s.scores = append(s.sets, set), append(s.scores, sc)
}

func (j *judge) judgeKeptSoFar() {
	r, set := j.record, j.judgeNode()
	late := j.tooLate(set)
	j.holds(j.free().has(j.needs(set)), "what it needs is free")
	j.holds(late > r.Job, "only one behind it would start too late")
	j.search.sets, j.search.scores = append(j.search.sets, set), append(j.search.scores, score{})
}

// judgeScored: with the set kept last, jobs start X after their fair starts, and Y
// before.
func (j *judge) judgeScored() {
	r, s := j.record, j.searching()
	last := s.scores[len(s.scores)-1]
	j.holds(last.good, "the last set keeps all within their slack")
	j.is("after fair starts", r.X, last.late)
	j.is("before fair starts", r.Y, last.early)
	j.holds(r.Code == log.NoReason, "it has no reason")
	s.scores[len(s.scores)-1].good = true
}

// judgeChoice: of Y sets tried, number X of those kept starts.
func (j *judge) judgeChoice() {
	r, s := j.record, j.searching()
	j.is("sets tried", r.Y, int64(s.tried))
	j.is("set that starts", r.X, int64(j.bestOf(s)))
	code := log.Planned
	if r.X != 0 {
		code = j.goal()
	}
	j.holds(r.Code == code, "it is for the goal")
	c := *r
	s.chosen = &c
}

// goal is the reason of the sets that start.
func (j *judge) goal() log.Code {
	if j.Knobs.Text("goal") == "utilization" {
		return log.BusySet
	}
	return log.FairSet
}

// best is the number of the set that the goal chooses (Jin 2009, section 5.3, steps
// 8 to 11), 0 if none is good.
func (j *judge) bestOf(s *search) int {
	var good []int
	for i := range s.scores {
		if s.scores[i].good {
			good = append(good, i)
		}
	}
	if good == nil {
		return 0
	}
	first := good[0]
	for _, i := range good {
		x, b := s.scores[i], s.scores[first]
		if j.goal() == log.BusySet && x.used > b.used || j.goal() == log.FairSet && (x.late < b.late || x.late == b.late && x.used > b.used) {
			first = i
		}
	}
	saved := first
	for _, i := range good {
		if i != first && j.within(s.scores[first], s.scores[saved], s.scores[i]) {
			saved = i
		}
	}
	return saved
}

// within reports whether a set is within the ranges of the first and of the one
// taken so far.
func (j *judge) within(first, saved, x score) bool {
	rangeOf := func(name string, fair, busy float64) float64 {
		switch {
		case j.Knobs.Text(name) != "auto":
			return j.knob(name)
		case j.goal() == log.BusySet:
			return busy
		}
		return fair
	}
	late, early, used := rangeOf("range-unfairness", 1.1, 1), rangeOf("range-skip", 1.5, 1), rangeOf("range-utilization", 1.02, 1.05)
	atMost := func(a, b float64) bool { return a <= b+1e-9*math.Abs(b) }
	if j.goal() == log.BusySet {
		return atMost(float64(first.used), used*float64(x.used)) && atMost(late*float64(x.late), float64(saved.late)) &&
			atMost(early*float64(x.early), float64(saved.early))
	}
	allowed := j.knob("range-unfairness-abs") * float64(len(j.waiting(j.member)))
	return atMost(float64(x.late), late*float64(first.late)+allowed) && atMost(float64(x.early), early*float64(saved.early)) &&
		atMost(used*float64(saved.used), float64(x.used))
}

// judgeSet: the job is of the set that was chosen; with it waiting jobs start x
// after their fair starts on average, and y processors are in use.
func (j *judge) judgeSet() {
	r, s := j.record, j.search
	if !j.ok(s != nil && j.searchedAt == j.now && s.chosen != nil && s.chosen.X > 0, "a set was chosen now") {
		return
	}
	i := s.chosen.X
	j.holds(slices.Contains(s.sets[i], r.Job), "the job is in the set")
	n := int64(len(j.instantWaiting()))
	j.is("mean start after the fair one", r.X, (s.scores[i].late+n/2)/n)
	j.is("processors in use", r.Y, s.scores[i].used)
	j.holds(r.Code == s.chosen.Code, "it is for the goal")
	j.holds(j.fits(r.Job), "it fits")
}

// instantWaiting is who waited at the search: those who wait now, and the chosen
// that have started.
func (j *judge) instantWaiting() []job.Index {
	out := j.waiting(j.member)
	for _, k := range j.search.sets[j.search.chosen.X] {
		if j.jobs[k].started {
			out = append(out, k)
		}
	}
	return out
}

// judgeLeftOut: it fits what is free, but with it another would start too late, or
// the set with it is no better: it was tried with each of the sets before it, or
// someone is too late anyway.
func (j *judge) judgeLeftOut() {
	k := j.record.Job
	j.holds(j.fits(k), "it fits")
	if s := j.search; s != nil && j.searchedAt == j.now && s.tried > 0 {
		j.holds(s.times[k] > 0 && s.times[k] == s.before[k], "it was tried with each set")
		return
	}
	j.holds(j.tooLate([]job.Index{k}) != job.None, "another would start too late")
}

// judgeUnsearched: it fits what is free, but was not tried with each set before it.
func (j *judge) judgeUnsearched() {
	k, s := j.record.Job, j.search
	j.holds(j.fits(k), "it fits")
	tried := s != nil && j.searchedAt == j.now && s.times[k] > 0 && s.times[k] == s.before[k]
	j.holds(!tried, "it was not tried with each set")
}

// judgeExpected: it waits for room; by the plan it was to start at x.
func (j *judge) judgeExpected() {
	r := j.record
	if j.Policy == "glomarc-ts" {
		what, length := j.apart(r.Job)
		j.is("planned start", r.X, j.planBefore(r.Job).first(what, length, j.now))
		j.is("now", j.log.Jobs[r.Job].Submit, j.now)
		return
	}
	j.holds(!j.fits(r.Job), "it does not fit")
	j.is("planned start", r.X, j.startsWith(nil)[r.Job])
}

// judgeFair: the fair start of the job, which is submitted now, is X.
func (j *judge) judgeFair() {
	r := j.record
	j.holds(r.Code == log.NoReason && r.Y == 0, "it has no reason")
	j.holds(j.jobs[r.Job].fair == unplanned, "it has no fair start yet")
	j.is("now", j.log.Jobs[r.Job].Submit, j.now)
	p, last := j.runningPlan(), j.now
	var before []job.Index
	for _, k := range j.waiting(j.member) {
		if k < r.Job {
			before = append(before, k)
			last = max(last, p.book(j.asks(k), j.length(k), j.now))
		}
	}
	switch j.Knobs.Text("jin-fst") {
	case "append":
		j.is("fair start", r.X, p.first(j.asks(r.Job), j.length(r.Job), last))
	case "conservative":
		j.is("fair start", r.X, p.first(j.asks(r.Job), j.length(r.Job), j.now))
	default:
		j.is("fair start", r.X, j.fairBySlack(p, before))
	}
}

// fairBySlack is the first moment at which what is free by the plan changes and at
// which the job lets each of the others start by its latest start.
func (j *judge) fairBySlack(p *plan, others []job.Index) job.Time {
	k := j.record.Job
	sure := p.first(j.asks(k), j.length(k), j.now)
	for at := j.now; at < sure; at++ {
		if at > j.now && p.free(at)[0] == p.free(at - 1)[0] {
			continue
		}
		with := j.runningPlan()
		if !with.fits(j.asks(k), at, j.length(k)) {
			continue
		}
		with.hold(j.asks(k), at, at+j.length(k))
		late := slices.ContainsFunc(others, func(o job.Index) bool {
			return with.book(j.asks(o), j.length(o), j.now) > j.latest(o)
		})
		if !late {
			return at
		}
	}
	return sure
}
