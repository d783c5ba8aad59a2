package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// processes returns the most processes of a job on one node.
func (j *judge) processes(k job.Index) int64 {
	on, most := map[int]int64{}, int64(0)
	for _, s := range j.log.Alloc(k) {
		for i := s.Lo; i < s.Hi; i++ {
			n := j.log.Machine.Node(int(i))
			on[n]++
			most = max(most, on[n])
		}
	}
	return most
}

// ofItsOwn reports whether no job is on the nodes of a job.
func (j *judge) ofItsOwn(k job.Index) bool {
	mine := j.nodesOf(k)
	return !slices.ContainsFunc(j.running(everyone), func(o job.Index) bool {
		return o != k && slices.ContainsFunc(j.nodesOf(o), func(n int) bool { return slices.Contains(mine, n) })
	})
}

// judgeAlone: it was first in the queue and has nodes of its own with up to x
// processes on each: y were free.
func (j *judge) judgeAlone() {
	r := j.record
	j.holds(j.head() == r.Job, "it is first in the queue")
	j.is("processes on a node", r.X, j.processes(r.Job))
	j.is("free nodes", r.Y, int64(j.openNodes()))
	j.holds(j.ofItsOwn(r.Job), "its nodes are its own")
}

// judgeAloneFilled: the same, and by the estimates it ends by y and delays no job
// before it.
func (j *judge) judgeAloneFilled() {
	r := j.record
	j.is("processes on a node", r.X, j.processes(r.Job))
	j.holds(j.ofItsOwn(r.Job), "its nodes are its own")
	length := whole(float64(j.log.Jobs[r.Job].Estimate) * j.own(r.Job, j.perNodeOf(r.Job)))
	j.is("end", r.Y, j.wall(j.now+length))
	j.holds(j.visiting() || j.head() != r.Job, "it is not first in the queue")
	j.holds(j.planBefore(r.Job).fits(j.onNodes(r.Job, len(j.nodesOf(r.Job))), j.now, length), "it delays no job before it")
}

// groupOf returns the group that starts now with a primary, as told after it.
func (j *judge) groupOf(primary job.Index) (of []*log.Record) {
	for i := j.place; i < j.log.Len(); i++ {
		x := j.log.Record(i)
		if x.At != j.now || len(of) > 0 && x.Kind != log.Group {
			break
		}
		if x.Kind == log.Group && x.Other == primary {
			of = append(of, x)
		}
	}
	return of
}

// judgeLeads: it shares its nodes as the primary of a group, whose gain is x.
func (j *judge) judgeLeads() {
	r := j.record
	of := j.groupOf(r.Job)
	if !j.ok(len(of) > 0, "a group of it starts now") {
		return
	}
	j.is("gain", r.X, of[0].X)
	h := j.head()
	j.fills = j.visiting() || h != r.Job && !slices.ContainsFunc(of, func(x *log.Record) bool { return x.Job == h })
	var matched []job.Index
	for _, x := range of {
		matched = append(matched, x.Job)
	}
	s := j.tolerated(r.Job, matched)
	if j.ok(s != nil, "the group was tolerated now") {
		j.is("gain", r.X, signed(s.gain))
	}
}

// tolerated returns the set, found fair now, of a primary with just these jobs.
func (j *judge) tolerated(primary job.Index, matched []job.Index) *set {
	f := j.form()
	for i := range f.sets {
		if s := &f.sets[i]; s.primary == primary && s.judged == log.Tolerated && slices.Equal(s.matched, matched) {
			return s
		}
	}
	return nil
}

// judgeGrouped: it shares nodes with the other, or is in its group on further ones.
func (j *judge) judgeGrouped() {
	r := j.record
	theirs := j.nodesOf(r.Other)
	j.holds(j.jobs[r.Other].on, "the other runs")
	of := j.groupOf(r.Other)
	j.holds(slices.ContainsFunc(of, func(x *log.Record) bool { return x.Job == r.Job }), "they are a group")
	common := slices.ContainsFunc(j.nodesOf(r.Job), func(n int) bool { return slices.Contains(theirs, n) })
	j.holds(common == (r.Code == log.Grouped), "they have a node in common, or not")
	j.holds(common || j.ofItsOwn(r.Job), "its nodes are its own")
}

// judgeGroup: the job is matched with the other in a group of Y matched jobs that
// gains X, by the case.
func (j *judge) judgeGroup() {
	r := j.record
	j.count(r.Code)
	j.holds(j.jobs[r.Job].on && j.jobs[r.Other].on, "both run")
	var matched []job.Index // those told before, and next
	for _, u := range j.units {
		if u.primary == r.Other {
			matched = slices.Clone(u.matched)
		}
	}
	j.holds(!slices.Contains(matched, r.Job), "it is in no group yet")
	for _, x := range j.groupOf(r.Other) {
		matched = append(matched, x.Job)
	}
	j.is("matched jobs", r.Y, int64(len(matched)))
	if s := j.tolerated(r.Other, matched); j.ok(s != nil, "the group was tolerated now") {
		j.is("gain", r.X, signed(s.gain))
		j.holds(r.Code == s.code, "it is that case")
		j.best = s
	}
}

// judgeGroupChoice: of Y sets tried, number X starts, by the case; of those kept none
// that may start gains more.
func (j *judge) judgeGroupChoice() {
	r, f := j.record, j.form()
	if r.Code != log.NoReason {
		j.count(r.Code)
	}
	j.is("sets tried", r.Y, int64(len(f.sets)))
	if r.X == 0 {
		j.holds(r.Code == log.NoReason, "none starts")
		j.holds(!slices.ContainsFunc(f.sets, func(s set) bool { return s.judged == log.Tolerated }), "none is tolerated")
	} else if s := j.setOf(r.X); s != nil {
		j.holds(r.Code == s.code, "it is that case")
		j.holds(j.jobs[s.primary].on, "its primary runs")
		j.holds(s.code == log.CaseAlone || s.judged == log.Tolerated && j.best == s, "it is the group that starts")
	}
	j.forming, j.best = nil, nil
}
