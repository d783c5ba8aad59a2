package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// limitOfResponse returns the longest response of a job that is fair.
func (j *judge) limitOfResponse(k job.Index) float64 { return j.knob("slack") * j.usual[k] }

// firstLate returns the first job that would end too late with a group: of its own jobs,
// of the running ones where those count, and of the waiting ones.
func (j *judge) firstLate(s *set) job.Index {
	ends, _ := j.life(s.primary, s.matched)
	without := j.withoutGroup()
	tooLate := func(k job.Index, end job.Time) bool {
		return float64(j.wall(end)-j.log.Jobs[k].Submit) > j.limitOfResponse(k)+1e-9 &&
			(j.Knobs.Text("unfair") == "any" || j.wall(end) > j.wall(without[k]))
	}
	all := append([]job.Index{s.primary}, s.matched...)
	for _, k := range all {
		if tooLate(k, j.now+whole(ends[k])) {
			return k
		}
	}
	var homes []*union
	for _, u := range j.unions() {
		if slices.Contains(all, u.primary) {
			homes = append(homes, u)
			continue
		}
		e := j.ends(u)
		for _, k := range u.members() {
			if j.Knobs.Text("unfair") == "any" && tooLate(k, e[k]) {
				return k
			}
		}
	}
	p := j.nodePlanPlain(homes...)
	j.holdSet(p, s, ends)
	for _, k := range j.waiting(j.member) {
		if slices.Contains(all, k) {
			continue
		}
		what, length := j.apart(k)
		if tooLate(k, p.book(what, length, j.now)+length) {
			return k
		}
	}
	return job.None
}

// withoutGroup returns when each job ends if no group starts now.
func (j *judge) withoutGroup() map[job.Index]job.Time {
	out := map[job.Index]job.Time{}
	for _, u := range j.unions() {
		for k, t := range j.ends(u) {
			out[k] = t
		}
	}
	p := j.nodePlanPlain()
	for _, k := range j.waiting(j.member) {
		what, length := j.apart(k)
		out[k] = p.book(what, length, j.now) + length
	}
	return out
}

// nodePlanPlain returns nodePlan with each node held no longer than there are jobs on it.
func (j *judge) nodePlanPlain(but ...*union) *plan {
	var was []job.Time
	for _, u := range j.units {
		was = append(was, u.filled)
		u.filled = unplanned
	}
	p := j.nodePlan(but...)
	for i, u := range j.units {
		u.filled = was[i]
	}
	return p
}

// holdSet holds the nodes of a set as it would lie on them, each until the last job
// on it has ended: the matched jobs side by side, the narrowest first, from the
// first node of the primary on, or, where they run, the primary on theirs.
func (j *judge) holdSet(p *plan, s *set, ends map[job.Index]float64) {
	end := func(k job.Index) job.Time { return j.now + whole(ends[k]) }
	var until []job.Time
	order := slices.Clone(s.matched)
	if s.code == log.CaseRunning {
		of := map[int]job.Index{}
		var nodes []int
		for _, k := range order {
			for _, n := range j.nodesOf(k) {
				of[n] = k
				nodes = append(nodes, n)
			}
		}
		slices.Sort(nodes)
		for _, n := range nodes {
			until = append(until, end(of[n]))
		}
	} else {
		slices.SortStableFunc(order, func(a, b job.Index) int {
			return j.nodesWith(a, j.inGroup(a)) - j.nodesWith(b, j.inGroup(b))
		})
		for _, k := range order {
			for range j.nodesWith(k, j.inGroup(k)) {
				until = append(until, end(k))
			}
		}
	}
	for i := range j.nodesWith(s.primary, j.inGroup(s.primary)) {
		if i == len(until) {
			until = append(until, 0)
		}
		until[i] = max(until[i], end(s.primary))
	}
	one := make(amount, len(p.all))
	one[0] = 1
	for _, t := range until {
		p.hold(one, j.now, t)
	}
	for _, k := range append([]job.Index{s.primary}, s.matched...) {
		p.hold(j.onNodes(k, 0), j.now, end(k))
	}
}

// promiseUsual finds, for the jobs that are submitted now, when they would end
// without groups, and of that the share that counts as usual.
func (j *judge) promiseUsual() {
	p := j.nodePlan()
	for _, k := range j.waiting(j.member) {
		what, length := j.apart(k)
		end := p.book(what, length, j.now) + length
		if j.log.Jobs[k].Submit == j.now {
			j.usual[k] = float64(j.knob("estimate-adjust") * float64(j.wall(end)-j.now))
		}
	}
}

// planBefore returns the plan of what runs and of the waiting jobs before job k.
func (j *judge) planBefore(k job.Index) *plan {
	p := j.nodePlan()
	for _, i := range j.waiting(j.member) {
		if i == k {
			break
		}
		what, length := j.apart(i)
		p.book(what, length, j.now)
	}
	return p
}
