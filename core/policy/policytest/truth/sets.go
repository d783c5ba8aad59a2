package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// search is what the records of a search for a set of jobs tell so far.
type search struct {
	scene
	at     job.Time
	sets   [][]job.Index // kept, the empty one first
	scores []score       // of those that keep all within their slack; of no set for the others
	tried  int
	last   job.Index         // the job tried last, job.None at first
	times  map[job.Index]int // by job: sets tried with it
	before map[job.Index]int // sets kept before it was tried first
	chosen *log.Record
}

type score struct {
	good        bool
	late, early int64
	used        int64
}

// searching returns the search that the record belongs to; one begins at an instant, or
// after the choice of another.
func (j *judge) searching() *search {
	if s := j.searches[j.type_]; s == nil || s.at != j.now || s.chosen != nil {
		back := j.record.Job != job.None && j.jobs[j.record.Job].started
		j.searches[j.type_] = &search{scene: j.scene(back), at: j.now, last: job.None, sets: [][]job.Index{nil}, scores: make([]score, 1),
			times: map[job.Index]int{}, before: map[job.Index]int{}}
	}
	return j.searches[j.type_]
}

// searched returns the last search of this instant for the type of the record, nil if there
// was none.
func (j *judge) searched() *search {
	if s := j.searches[j.type_]; s != nil && s.at == j.now {
		return s
	}
	return nil
}

// judgeNode: the set X was tried with the job as well.
func (j *judge) judgeNode() []job.Index {
	r, s := j.record, j.searching()
	if !j.ok(r.X >= 0 && int(r.X) < len(s.sets), "the set is one that was kept") {
		return nil
	}
	j.holds(r.Job == s.last || r.Job == j.nextOf(s), "it is the turn of the job")
	if s.times[r.Job] == 0 {
		s.before[r.Job] = len(s.sets)
	}
	s.times[r.Job]++
	s.tried, s.last = s.tried+1, r.Job
	j.holds(!slices.Contains(s.sets[r.X], r.Job), "the job is not in the set yet")
	j.holds(r.Code == log.PastSlack || r.Y == 0, "y means nothing")
	j.is("set", r.X, int64(s.times[r.Job]-1))
	return append(slices.Clone(s.sets[r.X]), r.Job)
}

// nextOf returns the job that a search tries next: the first, of those that it goes as far
// as, that fits what is free; job.None if the last one was not tried with all sets.
func (j *judge) nextOf(s *search) job.Index {
	if s.last != job.None && s.times[s.last] != s.before[s.last] {
		return job.None
	}
	for _, k := range s.from[:min(len(s.from), j.Knobs.Int("lookahead"))] {
		if k > s.last && s.room.has(j.asks(k)) {
			return k
		}
	}
	return job.None
}

// needs returns what the jobs of a set need together.
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
	j.holds(!j.searched().room.has(j.needs(set)), "it needs more than is free")
}

func (j *judge) judgePastSlack() {
	r, set := j.record, j.judgeNode()
	j.holds(j.searched().room.has(j.needs(set)), "what it needs is free")
	j.holds(j.tooLate(&j.searched().scene, set) == r.Other, "the other is the first that would start too late")
	j.is("latest start", r.Y, j.latest(r.Other))
}

func (j *judge) judgeKept() {
	set := j.judgeNode()
	s, sc := j.searched(), score{good: true}
	j.holds(s.room.has(j.needs(set)), "what it needs is free")
	j.holds(j.tooLate(&s.scene, set) == job.None, "none would start too late")
	for _, x := range j.startsWith(&s.scene, set) {
		sc.late += max(0, x.at-j.jobs[x.job].fair)
		sc.early += max(0, j.jobs[x.job].fair-x.at)
	}
	sc.used = j.all()[0] - s.room[0] + j.needs(set)[0]
	s.sets, s.scores = append(s.sets, set), append(s.scores, sc)
}

func (j *judge) judgeKeptSoFar() {
	r, set := j.record, j.judgeNode()
	s := j.searched()
	late := j.tooLate(&s.scene, set)
	j.holds(s.room.has(j.needs(set)), "what it needs is free")
	j.holds(late > r.Job && slices.Contains(s.queue, late), "only one behind it would start too late")
	s.sets, s.scores = append(s.sets, set), append(s.scores, score{})
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
}

// judgeChoice: of Y sets tried, number X of those kept starts.
func (j *judge) judgeChoice() {
	r, s := j.record, j.searching()
	j.is("sets tried", r.Y, int64(s.tried))
	j.holds(j.nextOf(s) == job.None || len(s.sets) > j.Knobs.Int("node-limit"), "all sets were tried")
	j.is("set that starts", r.X, int64(j.bestOf(s)))
	code := log.Replanned
	if r.X != 0 {
		code = j.goal()
	}
	j.holds(r.Code == code, "it is for the goal")
	c := *r
	s.chosen = &c
}

// judgeSet: the job is of the set that was chosen; with it waiting jobs start x
// after their fair starts on average, and y processors are in use.
func (j *judge) judgeSet() {
	r, s := j.record, j.searched()
	if !j.ok(s != nil && s.chosen != nil && s.chosen.X > 0, "a set was chosen now") {
		return
	}
	i, n := s.chosen.X, s.jobs()
	j.holds(slices.Contains(s.sets[i], r.Job), "the job is in the set")
	j.is("mean start after the fair one", r.X, (s.scores[i].late+n/2)/n)
	j.is("processors in use", r.Y, s.scores[i].used)
	j.holds(r.Code == s.chosen.Code, "it is for the goal")
}

// judgeLeftOut: it fits what is free, but with it another would have started too
// late, or the set with it is no better: it was tried with each of the sets before
// it, or someone is too late anyway.
func (j *judge) judgeLeftOut() {
	k := j.record.Job
	j.holds(j.fitsBeside(k), "it fits")
	if s := j.searched(); s != nil && s.tried > 0 {
		j.holds(s.times[k] > 0 && s.times[k] == s.before[k], "it was tried with each set")
		return
	}
	j.atChoice(func() {
		s := j.scene(false)
		j.holds(j.tooLate(&s, []job.Index{k}) != job.None, "another would have started too late")
	})
}

// judgeUnsearched: it fits what is free, but was not tried with each set before it.
func (j *judge) judgeUnsearched() {
	k, s := j.record.Job, j.searched()
	j.holds(j.fitsBeside(k), "it fits")
	j.holds(s == nil || s.times[k] == 0 || s.times[k] != s.before[k], "it was not tried with each set")
}

// judgeExpected: it waits for room; by the plan it was to start at x.
func (j *judge) judgeExpected() {
	r := j.record
	if j.Policy == "glomarc-ts" {
		what, length := j.apart(r.Job)
		j.is("planned start", r.X, j.wall(j.planBefore(r.Job).first(what, length, j.now)))
		j.is("now", j.log.Jobs[r.Job].Submit, j.now)
		return
	}
	j.holds(!j.fitsBeside(r.Job), "it does not fit")
	j.is("planned start", r.X, j.wall(j.replanned(r.Job)))
}
