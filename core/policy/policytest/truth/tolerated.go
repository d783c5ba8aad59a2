package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// nodesNeeded returns the nodes that a set takes beside those that its jobs have.
func (j *judge) nodesNeeded(s *set) int {
	wide, sum := j.nodesWith(s.primary, j.inGroup(s.primary)), 0
	for _, k := range s.matched {
		sum += j.nodesWith(k, j.inGroup(k))
	}
	switch s.code {
	case log.CaseRunning:
		return max(0, wide-sum)
	case log.CaseJoin:
		return max(0, sum-wide)
	}
	return max(wide, sum)
}

// judged notes what becomes of the set X, whose primary the job is.
func (j *judge) judgedSet(code log.Code) *set {
	s := j.setOf(j.record.X)
	if s == nil || !j.ok(s.primary == j.record.Job && s.made != log.TooLittle && len(s.matched) > 0, "the job is its primary") {
		return nil
	}
	j.holds(s.judged == log.NoReason, "it was not judged yet")
	s.judged = code
	return s
}

func (j *judge) judgeNoNodes() {
	if s := j.judgedSet(log.NoNodes); s != nil {
		j.is("nodes needed", j.record.Y, int64(j.nodesNeeded(s)))
		j.holds(j.record.Y > int64(j.openNodes()), "they are more than are free")
	}
}

// judgeNotForLong: nodes are free, but not beside the jobs before it for as long.
func (j *judge) judgeNotForLong() {
	s := j.judgedSet(log.NotForLong)
	if s == nil {
		return
	}
	j.is("nodes needed", j.record.Y, int64(j.nodesNeeded(s)))
	j.holds(j.record.Y <= int64(j.openNodes()), "as many are free now")
	ends, _ := j.life(s.primary, s.matched)
	last := job.Time(0)
	for _, t := range ends {
		last = max(last, whole(t))
	}
	waiting := slices.DeleteFunc(append([]job.Index{s.primary}, s.matched...), func(k job.Index) bool { return j.jobs[k].started })
	what := j.needs(waiting)
	what[0] = j.record.Y
	fits := j.planBefore(s.primary).fits(what, j.now, last) && (!j.visiting() || j.hostNodes().fits(what, j.now, min(last, j.turn.Y-j.now)))
	j.holds(!fits || j.lacksExtra(what), "they are not for that long")
}

// lacksExtra reports whether jobs of other types hold extra resources of an amount.
func (j *judge) lacksExtra(what amount) bool {
	open := j.free()
	for i := range j.jobs {
		if k := job.Index(i); j.jobs[k].started && !j.jobs[k].on && !j.jobs[k].done && j.member(k) {
			open = open.less(j.asks(k))
		}
	}
	open[0] = what[0]
	return !open.has(what)
}

func (j *judge) judgeTolerated() {
	j.holds(j.record.Y == 0, "y means nothing")
	if s := j.judgedSet(log.Tolerated); s != nil {
		late := j.firstLate(s)
		j.holds(late == job.None, "no job ends too late, but %s does", j.id(late))
		j.holds(j.nodesNeeded(s) <= j.openNodes(), "it has its nodes")
	}
}

func (j *judge) judgeUnfair() {
	r := j.record
	if s := j.judgedSet(log.Unfair); s != nil {
		late := j.firstLate(s)
		j.holds(late == r.Other, "the other is the first that ends too late, not %s", j.id(late))
		j.is("longest response", r.Y, int64(j.limitOfResponse(r.Other)))
	}
}
