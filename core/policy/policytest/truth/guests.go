package truth

import (
	"slices"

	"backfill-lab/core/job"
)

// judgeFilled: it uses the slice of another type until x; it was preempted before.
func (j *judge) judgeFilled() {
	r := j.record
	j.holds(j.jobs[r.Job].started && !j.jobs[r.Job].on, "it was preempted")
	j.guest(r.X, j.stays(r.Job))
}

// judgeEntered: it started in the slice of another type, until x; it delays no planned
// start of either.
func (j *judge) judgeEntered() {
	r := j.record
	j.holds(j.open(r.Job) >= j.asks(r.Job)[0], "there are idle processors")
	j.guest(r.X, j.length(r.Job))
	p, plans := j.leftToGuests()
	j.holds(plans && p.fits(j.asks(r.Job), j.now, min(j.turn.Y-j.now, j.length(r.Job))), "it delays no planned start of those whose slice it is")
	j.holds(j.startsAnyway(r.Job), "it delays no planned start of its own type")
}

// leftToGuests returns the plan of all jobs on the machine and of the planned ones whose
// slice it is; without plans nobody may enter while jobs of the slice wait.
func (j *judge) leftToGuests() (p *plan, plans bool) {
	p, plans = &plan{all: j.all()}, true
	for _, k := range j.running(everyone) {
		p.hold(j.asks(k), j.now, j.now+j.remaining(k))
	}
	j.as(j.present(), func() {
		hosts := j.waiting(j.member)
		plans = j.Policy != "fcfs" || len(hosts) == 0
		for _, k := range hosts {
			if at := j.planned(k); at != job.Never {
				p.hold(j.asks(k), at, at+j.length(k))
			}
		}
	})
	return p, plans
}

// startsAnyway reports whether the policy of the type of a job has it start now, whoever
// else is on the machine.
func (j *judge) startsAnyway(k job.Index) bool {
	switch {
	case !j.virtual().has(j.asks(k)):
		return false
	case j.Policy == "fcfs" || j.Policy == "easy" && j.head() == k:
		return j.head() == k
	case j.Policy == "easy" && j.Knobs.Text("reservations") == "1":
		at, spare := j.shadow(j.head())
		return j.now+j.length(k) <= at || spare.has(j.asks(k))
	case j.Policy == "easy":
		return j.reservations(k).fits(j.asks(k), j.now, j.length(k))
	}
	return j.planned(k) == j.now
}

// guest: the job uses the slice of another type until a moment, if it needs so long.
func (j *judge) guest(until, length job.Time) {
	k := j.record.Job
	j.holds(j.present() > 0 && j.present() != j.class(k), "the slice is of another type")
	j.is("until", until, min(j.turn.Y, j.now+length))
	j.holds(!slices.ContainsFunc(j.running(everyone), func(o job.Index) bool {
		return o != k && j.log.Alloc(o).Intersect(j.log.Alloc(k)) != nil
	}), "no one is on its processors")
}

// open returns the processors that no job is on and that none of the type of a job keeps.
func (j *judge) open(k job.Index) (n int64) {
	taken := make([]bool, j.log.Machine.Slots())
	for i := range j.jobs {
		l, o := &j.jobs[i], job.Index(i)
		if l.on || l.started && !l.done && j.class(o) == j.class(k) {
			for _, s := range j.log.Alloc(o) {
				for t := s.Lo; t < s.Hi; t++ {
					taken[t] = true
				}
			}
		}
	}
	for _, t := range taken {
		if !t {
			n++
		}
	}
	return n
}

// virtual returns what jobs of the type leave of the machine, wherever others are.
func (j *judge) virtual() amount {
	a := j.all()
	for i := range j.jobs {
		if k := job.Index(i); j.jobs[i].started && !j.jobs[i].done && j.member(k) {
			a = a.less(j.asks(k))
		}
	}
	return a
}

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

// hostNodes returns the nodes in the slice of another type: its jobs where it plans them,
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

// holdUnion holds what the jobs of a union have: a node until the last job on it has
// ended, or, where the group is backfilled now, all until the last one has.
func (j *judge) holdUnion(p *plan, u *union) {
	ends, until := j.ends(u), map[int]job.Time{}
	if u.filled == j.now {
		last := job.Time(0)
		for _, t := range ends {
			last = max(last, t)
		}
		for k := range ends {
			ends[k] = last
		}
	}
	for _, k := range u.members() {
		for _, n := range j.nodesOf(k) {
			until[n] = max(until[n], ends[k])
		}
		p.hold(j.onNodes(k, 0), j.now, ends[k])
	}
	one := make(amount, len(p.all))
	one[0] = 1
	for _, t := range until {
		p.hold(one, j.now, t)
	}
}

// stays returns how much longer a preempted job runs, by the plan of its type.
func (j *judge) stays(k job.Index) job.Time {
	if j.Policy != "glomarc-ts" {
		return j.remaining(k)
	}
	i := slices.IndexFunc(j.units, func(u *union) bool { return u.has(k) })
	return j.ends(j.units[i])[k] - j.now
}
