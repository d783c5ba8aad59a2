package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// search holds what the records so far say about a search for a set of jobs (fair-slack).
type search struct {
	setContext
	at         job.Time          // instant of the search
	sets       [][]job.Index     // sets that were kept; number 0 is the empty set
	scores     []score           // by set number; zero if the set does not keep every job within its slack
	tried      int               // number of sets tried
	lastTried  job.Index         // job tried last, or job.None
	triedWith  map[job.Index]int // by job: number of sets tried with it
	setsBefore map[job.Index]int // by job: number of sets kept before its first trial
	choice     *log.Record       // record of the choice that ended the search, or nil
}

// score holds the scores of a set that the search kept.
type score struct {
	withinSlack         bool  // whether every job starts within its slack
	lateness, earliness int64 // total seconds by which waiting jobs start after and before their fair starts
	procsUsed           int64 // processors in use with the set
}

// currentSearch returns the search that the current record belongs to. A new search starts at a new
// instant, or after the choice that ended the last search.
func (c *checker) currentSearch() *search {
	if s := c.searches[c.currentType]; s == nil || s.at != c.now || s.choice != nil {
		resumes := c.record.Job != job.None && c.jobs[c.record.Job].started
		c.searches[c.currentType] = &search{setContext: c.newSetContext(resumes), at: c.now, lastTried: job.None, sets: [][]job.Index{nil}, scores: make([]score, 1),
			triedWith: map[job.Index]int{}, setsBefore: map[job.Index]int{}}
	}
	return c.searches[c.currentType]
}

// searchOfInstant returns the last search at this instant for the current type, or nil.
func (c *checker) searchOfInstant() *search {
	if s := c.searches[c.currentType]; s != nil && s.at == c.now {
		return s
	}
	return nil
}

// checkSetTried checks a record of fair-slack's search for a set: the policy adds the record's job to set
// number X, which it kept before. The policy must try each job with the kept sets in the order of their
// numbers. checkSetTried returns the enlarged set.
func (c *checker) checkSetTried() []job.Index {
	r, s := c.record, c.currentSearch()
	if !c.expect(r.X >= 0 && int(r.X) < len(s.sets), "the set was kept before") {
		return nil
	}
	c.expect(r.Job == s.lastTried || r.Job == c.nextToTry(s), "the job is next in the search")
	if s.triedWith[r.Job] == 0 {
		s.setsBefore[r.Job] = len(s.sets)
	}
	s.triedWith[r.Job]++
	s.tried, s.lastTried = s.tried+1, r.Job
	c.expect(!slices.Contains(s.sets[r.X], r.Job), "the set does not contain the job")
	c.expect(r.Code == log.PastSlack || r.Y == 0, "Y is 0, since the reason does not use it")
	c.expectEqual("set", r.X, int64(s.triedWith[r.Job]-1))
	return append(slices.Clone(s.sets[r.X]), r.Job)
}

// nextToTry returns the job that the search tries next. Of the candidates after the job tried last,
// this is the first that fits the free resources. The knob lookahead limits the number of
// candidates. nextToTry returns job.None if no candidate fits. It also returns job.None if the
// search must still try the last job with another set: every job is tried with all sets kept before
// its first trial.
func (c *checker) nextToTry(s *search) job.Index {
	if s.lastTried != job.None && s.triedWith[s.lastTried] != s.setsBefore[s.lastTried] {
		return job.None
	}
	for _, k := range s.candidates[:min(len(s.candidates), c.Knobs.Int("lookahead"))] {
		if k > s.lastTried && s.free.covers(c.demand(k)) {
			return k
		}
	}
	return job.None
}

// totalDemand returns the total demand of the jobs of a set.
func (c *checker) totalDemand(set []job.Index) amount {
	total := make(amount, len(c.capacity()))
	for _, k := range set {
		for i, n := range c.demand(k) {
			total[i] += n
		}
	}
	return total
}

// checkSetTooLarge checks that the jobs of the set need more resources than are free.
func (c *checker) checkSetTooLarge() {
	set := c.checkSetTried()
	c.expect(!c.searchOfInstant().free.covers(c.totalDemand(set)), "the set needs more than is free")
}

// checkPastSlack checks that the set fits, but would make other jobs start too late. The record's other
// job must be the first of these jobs, and Y must be its latest start.
func (c *checker) checkPastSlack() {
	r, set := c.record, c.checkSetTried()
	c.expect(c.searchOfInstant().free.covers(c.totalDemand(set)), "the demand of the set is free")
	c.expect(c.firstTooLate(&c.searchOfInstant().setContext, set) == r.Other, "the other job is the first that would start too late")
	c.expectEqual("latest start", r.Y, c.latestStart(r.Other))
}

// checkSetKept checks that the set fits and that every job outside the set starts within its slack.
// It computes the scores of the set.
func (c *checker) checkSetKept() {
	set := c.checkSetTried()
	s, result := c.searchOfInstant(), score{withinSlack: true}
	c.expect(s.free.covers(c.totalDemand(set)), "the demand of the set is free")
	c.expect(c.firstTooLate(&s.setContext, set) == job.None, "no job would start too late")
	for _, start := range c.startsWithSet(&s.setContext, set) {
		result.lateness += max(0, start.at-c.jobs[start.job].fairStart)
		result.earliness += max(0, c.jobs[start.job].fairStart-start.at)
	}
	result.procsUsed = c.capacity()[0] - s.free[0] + c.totalDemand(set)[0]
	s.sets, s.scores = append(s.sets, set), append(s.scores, result)
}

// checkSetKeptSoFar checks that the set fits, and that only jobs submitted after the record's job
// would start too late.
func (c *checker) checkSetKeptSoFar() {
	r, set := c.record, c.checkSetTried()
	s := c.searchOfInstant()
	firstLate := c.firstTooLate(&s.setContext, set)
	c.expect(s.free.covers(c.totalDemand(set)), "the demand of the set is free")
	c.expect(firstLate > r.Job && slices.Contains(s.queue, firstLate), "the first job that would start too late is behind the tried job")
	s.sets, s.scores = append(s.sets, set), append(s.scores, score{})
}

// checkScored checks the scores of the set kept last. X is the total number of seconds by which
// waiting jobs start after their fair starts. Y is the total by which they start before their fair
// starts.
func (c *checker) checkScored() {
	r, s := c.record, c.currentSearch()
	last := s.scores[len(s.scores)-1]
	c.expect(last.withinSlack, "the last set keeps every job within its slack")
	c.expectEqual("after fair starts", r.X, last.lateness)
	c.expectEqual("before fair starts", r.Y, last.earliness)
	c.expect(r.Code == log.NoReason, "the record has no reason")
}

// checkChoice checks that the search tried Y sets, and that X is the number of the best set that it
// kept (see bestSet).
func (c *checker) checkChoice() {
	r, s := c.record, c.currentSearch()
	c.expectEqual("sets tried", r.Y, int64(s.tried))
	c.expect(c.nextToTry(s) == job.None || len(s.sets) > c.Knobs.Int("node-limit"), "all sets were tried")
	c.expectEqual("set that starts", r.X, int64(c.bestSet(s)))
	code := log.Replanned
	if r.X != 0 {
		code = c.goalReason()
	}
	c.expect(r.Code == code, "the reason belongs to the goal")
	choice := *r
	s.choice = &choice
}

// checkSet checks that the record's job is in the selected set. With this set, waiting jobs start
// on average X s after their fair starts, and Y processors are in use.
func (c *checker) checkSet() {
	r, s := c.record, c.searchOfInstant()
	if !c.expect(s != nil && s.choice != nil && s.choice.X > 0, "a set was selected at this instant") {
		return
	}
	set, jobs := s.choice.X, s.affectedJobs()
	c.expect(slices.Contains(s.sets[set], r.Job), "the job is in the set")
	c.expectEqual("mean delay after the fair start", r.X, (s.scores[set].lateness+jobs/2)/jobs)
	c.expectEqual("processors in use", r.Y, s.scores[set].procsUsed)
	c.expect(r.Code == s.choice.Code, "the reason is the same as in the choice record")
}

// checkLeftOut checks that the record's job fits but is not in the selected set. If there was a
// search, it must have tried the job with each set kept before the job's first trial. Otherwise,
// the job alone must make another job start too late.
func (c *checker) checkLeftOut() {
	k := c.record.Job
	c.expect(c.fitsWithStarting(k), "the job fits")
	if s := c.searchOfInstant(); s != nil && s.tried > 0 {
		c.expect(s.triedWith[k] > 0 && s.triedWith[k] == s.setsBefore[k], "the job was tried with each set")
		return
	}
	c.runInSetChoiceState(func() {
		s := c.newSetContext(false)
		c.expect(c.firstTooLate(&s, []job.Index{k}) != job.None, "another job would have started too late")
	})
}

// checkUnsearched checks that the record's job fits, but that the search did not try it with each
// set. Only the sets kept before the job's first trial count.
func (c *checker) checkUnsearched() {
	k, s := c.record.Job, c.searchOfInstant()
	c.expect(c.fitsWithStarting(k), "the job fits")
	c.expect(s == nil || s.triedWith[k] == 0 || s.triedWith[k] != s.setsBefore[k], "the job was not tried with each set")
}

// checkExpected checks that X is the planned start of the record's job. Under glomarc-ts, the job
// must be submitted now. Under other policies, it must not fit now.
func (c *checker) checkExpected() {
	r := c.record
	if c.Policy == "glomarc-ts" {
		demand, length := c.aloneDemand(r.Job)
		c.expectEqual("planned start", r.X, c.wallTime(c.planBefore(r.Job).earliest(demand, length, c.now)))
		c.expectEqual("now", c.Log.Jobs[r.Job].Submit, c.now)
		return
	}
	c.expect(!c.fitsWithStarting(r.Job), "the job does not fit")
	c.expectEqual("planned start", r.X, c.wallTime(c.startInNewPlan(r.Job)))
}
