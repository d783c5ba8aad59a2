package truth

import (
	"slices"

	"backfill-lab/core/job"
)

// visiting reports whether the type of the record is in the slice of another.
func (j *judge) visiting() bool { return j.sliced && j.present() != j.type_ }

// as does something for a type.
func (j *judge) as(of int, do func()) {
	defer func(was int) { j.type_ = was }(j.type_)
	j.type_ = of
	do()
}

// eachType does something for each type, where there are types.
func (j *judge) eachType(do func()) {
	if !j.sliced {
		do()
		return
	}
	for of := 1; of <= 3; of++ {
		j.as(of, do)
	}
}

// hostNodes is the nodes in the slice of another type: its jobs where it plans them,
// and the guests that are there, each node until the last job on it has ended.
func (j *judge) hostNodes() (p *plan) {
	host := j.present()
	j.as(host, func() {
		p = j.nodePlanPlain()
		own := j.nodePlan()
		for _, k := range j.waiting(j.member) {
			what, length := j.apart(k)
			at := own.book(what, length, j.now)
			p.hold(what, at, at+length)
		}
	})
	j.eachType(func() {
		if j.type_ == host {
			return
		}
		for _, u := range j.unions() {
			if j.jobs[u.primary].on {
				j.holdUnion(p, u)
			}
		}
	})
	return p
}

// holdUnion holds what the jobs of a union have.
func (j *judge) holdUnion(p *plan, u *union) {
	ends, until, last := j.ends(u), map[int]job.Time{}, job.Time(0)
	for _, k := range u.members() {
		last = max(last, ends[k])
		for _, n := range j.nodesOf(k) {
			until[n] = max(until[n], ends[k])
		}
		p.hold(j.onNodes(k, 0), j.now, ends[k])
	}
	one := make(amount, len(p.all))
	one[0] = 1
	for _, t := range until {
		if u.filled == j.now {
			t = last
		}
		p.hold(one, j.now, t)
	}
}

// stays is how much longer a preempted job runs, by the plan of its type.
func (j *judge) stays(k job.Index) job.Time {
	if j.Policy != "glomarc-ts" {
		return j.remaining(k)
	}
	i := slices.IndexFunc(j.units, func(u *union) bool { return u.has(k) })
	return j.ends(j.units[i])[k] - j.now
}
