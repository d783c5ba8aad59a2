package truth

import (
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// forming is what the records tell so far of the formation of a group.
type forming struct {
	at     job.Time
	view   uint8
	code   log.Code // of the last form
	suited []job.Index
	next   []job.Index // members of the set that is told next
	sets   []set       // number 1 is the first
}

type set struct {
	code, made log.Code // the case, and how it was made or why it is not kept
	primary    job.Index
	matched    []job.Index
	gain       float64
	judged     log.Code
}

// signed is a gain in millionths.
func signed(u float64) int64 {
	if u < 0 {
		return -millionths(-u)
	}
	return millionths(u)
}

// form is the formation that the record belongs to.
func (j *judge) form() *forming {
	if f := j.forming; f == nil || f.at != j.now || f.view != j.record.View {
		j.forming = &forming{at: j.now, view: j.record.View}
	}
	return j.forming
}

// runs reports whether a job is on the machine and in no group.
func (j *judge) runsAlone(k job.Index) bool {
	return slices.ContainsFunc(j.units, func(u *union) bool { return u.primary == k && len(u.matched) == 0 })
}

// judgeForm: the job is tried as a primary; it needs X nodes and Y are free.
func (j *judge) judgeForm() {
	r, f := j.record, j.form()
	j.count(r.Code)
	f.code, f.suited, f.next = r.Code, nil, nil
	switch r.Code {
	case log.CaseWaiting, log.CaseRunning:
		j.holds(!j.jobs[r.Job].started, "it waits")
		j.holds(r.Code == log.CaseWaiting || j.head() == r.Job, "it is first in the queue")
	case log.CaseJoin:
		j.holds(j.runsAlone(r.Job), "it runs, alone")
	default:
		j.wrong("is no case")
		return
	}
	j.is("nodes", r.X, int64(j.nodesWith(r.Job, j.inGroup(r.Job))))
	j.is("free nodes", r.Y, int64(j.openNodes()))
	j.primary = r.Job
}

// class is the type of a job by its estimate.
func (f *facts) class(k job.Index) int {
	e := f.log.Jobs[k].Estimate
	switch {
	case e <= int64(f.Knobs.Int("short-max")):
		return 1
	case e <= int64(f.Knobs.Int("medium-max")):
		return 2
	}
	return 3
}

// candidate is the slowdowns of a job and of its primary beside each other.
func (j *judge) candidate() (slow, burden float64) {
	r := j.record
	slow = float64(j.beside(r.Job, r.Other) * j.own(r.Job, j.inGroup(r.Job)))
	burden = float64(j.beside(r.Other, r.Job) * j.own(r.Other, j.inGroup(r.Other)))
	j.holds(r.Other == j.primary && r.Job != r.Other && j.form().code != log.NoReason, "the other is tried as the primary")
	j.holds(j.class(r.Job) == j.class(r.Other), "they are of one type")
	if j.form().code == log.CaseRunning {
		j.holds(j.runsAlone(r.Job), "it runs, alone")
	} else {
		j.holds(!j.jobs[r.Job].started, "it waits")
	}
	j.is("slowdown", r.X, millionths(slow))
	j.is("slowdown of the other", r.Y, millionths(burden))
	return slow, burden
}

func (j *judge) tolerates(slow float64) bool { return slow <= j.knob("max-slowdown")+1e-9 }

// longer reports whether a job would run on too long after its primary.
func (j *judge) longer(slow, burden float64) bool {
	r := j.record
	return j.left(r.Job)*slow > j.left(r.Other)*burden+j.knob("longer-than-primary")+1e-9
}

func (j *judge) judgeSuited() {
	slow, burden := j.candidate()
	j.holds(j.tolerates(slow) && j.tolerates(burden) && !j.longer(slow, burden), "they suit each other")
	j.holds(!slices.Contains(j.form().suited, j.record.Job), "it was not looked at yet")
	j.form().suited = append(j.form().suited, j.record.Job)
}

func (j *judge) judgeSlowedDown() {
	slow, _ := j.candidate()
	j.holds(!j.tolerates(slow), "it tolerates less")
}

func (j *judge) judgeSlowsPrimary() {
	slow, burden := j.candidate()
	j.holds(j.tolerates(slow) && !j.tolerates(burden), "the other tolerates less")
}

func (j *judge) judgeRunsLonger() {
	slow, burden := j.candidate()
	j.holds(j.tolerates(slow) && j.tolerates(burden) && j.longer(slow, burden), "it runs on too long")
}

// judgeMember: the job is in the set that is told next.
func (j *judge) judgeMember() {
	r, f := j.record, j.form()
	j.is("set", r.X, int64(len(f.sets)+1))
	j.holds(slices.Contains(f.suited, r.Job) && !slices.Contains(f.next, r.Job), "it suits the primary")
	j.holds(r.Code == log.NoReason && r.Y == 0, "it has no reason")
	f.next = append(f.next, r.Job)
}

// judgeGains: the set X of the jobs told before gains Y with the job as primary.
func (j *judge) judgeGains() {
	r, f := j.record, j.form()
	j.count(r.Code)
	j.is("set", r.X, int64(len(f.sets)+1))
	s := set{code: f.code, made: r.Code, primary: r.Job, matched: f.next}
	f.next = nil
	if r.Code == log.CaseAlone {
		s.code = log.CaseAlone
		j.holds(len(s.matched) == 0 && !j.jobs[r.Job].started && j.spaced(r.Job) == 4, "it waits, and has four processes on a node")
		n := min(4, j.log.Jobs[r.Job].Procs)
		s.gain = float64(n)/j.own(r.Job, n) - 1
	} else if j.ok(r.Job == j.primary && len(s.matched) > 0, "there is such a group") {
		_, s.gain = j.life(s.primary, s.matched)
		j.made(&s)
	}
	j.is("gain", r.Y, signed(s.gain))
	f.sets = append(f.sets, s)
}

// made judges how a set is made.
func (j *judge) made(s *set) {
	sum, room := 0, float64(j.nodesWith(s.primary, j.inGroup(s.primary)))*(1+j.knob("exceed-primary"))
	for _, k := range s.matched {
		sum += j.nodesWith(k, j.inGroup(k))
	}
	j.holds(float64(sum) <= room+1e-9, "the jobs fit the nodes")
	least := j.knob("min-gain") - 1e-9
	switch s.made {
	case log.TooLittle:
		j.holds(s.gain < least, "it gains too little")
	case log.Window:
		j.holds(s.gain >= least, "it gains enough")
		j.holds(j.pairs() && len(s.matched) == 1 || j.neighbours(s.matched), "the jobs follow one another")
	case log.Widened:
		before := j.widens(s)
		j.holds(before != nil && s.gain > before.gain+1e-9, "one more job raises the gain")
	default:
		j.wrong("is no such reason")
	}
}

// pairs reports whether groups are of two jobs.
func (j *judge) pairs() bool { return strings.HasPrefix(j.Knobs.Text("variant"), "cst") }

// neighbours reports whether jobs follow one another among the candidates, but for
// the first waiting job, which some sets must have.
func (j *judge) neighbours(of []job.Index) bool {
	order := slices.Clone(j.form().suited)
	if v := j.Knobs.Text("variant"); v != "nh" && v != "ns" {
		must := slices.DeleteFunc(slices.Clone(of), func(k job.Index) bool { return k != j.must() })
		order = slices.DeleteFunc(order, func(k job.Index) bool { return slices.Contains(must, k) })
		order = order[:min(len(order), j.Knobs.Int("block-size"))]
		slices.SortStableFunc(order, func(a, b job.Index) int {
			switch x, y := j.left(a), j.left(b); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		of = slices.DeleteFunc(slices.Clone(of), func(k job.Index) bool { return slices.Contains(must, k) })
	} else {
		order = slices.DeleteFunc(order, func(k job.Index) bool { return k == j.must() && of[0] == k })
		if of[0] == j.must() {
			of = of[1:]
		}
	}
	if len(of) == 0 {
		return true
	}
	i := slices.Index(order, of[0])
	return i >= 0 && i+len(of) <= len(order) && slices.Equal(order[i:i+len(of)], of)
}

// must is the job that groups of the head of the queue must have: the first waiting
// one, unless it is their primary.
func (j *judge) must() job.Index {
	w := j.waiting(j.member)
	if len(w) == 0 || w[0] == j.primary {
		return job.None
	}
	return w[0]
}

// widens is the best set before that has one job less, all the others in the same
// order.
func (j *judge) widens(s *set) (before *set) {
	for i := range j.form().sets {
		b := &j.form().sets[i]
		if b.primary == s.primary && b.code == s.code && len(b.matched) == len(s.matched)-1 && slices.Equal(b.matched, s.matched[:len(b.matched)]) && b.made != log.TooLittle {
			before = b
		}
	}
	return before
}

// setOf is the set with a number.
func (j *judge) setOf(n int64) *set {
	f := j.form()
	if !j.ok(n >= 1 && int(n) <= len(f.sets), "there is such a set") {
		return nil
	}
	return &f.sets[n-1]
}

// judgePurge: the job is taken out of the set X, which then gains Y.
func (j *judge) judgePurge() {
	r := j.record
	s := j.setOf(r.X)
	if s == nil || !j.ok(slices.Contains(s.matched, r.Job), "the job is in the set") {
		return
	}
	var out []job.Index // with those told next
	for i := j.place; i < j.log.Len(); i++ {
		x := j.log.Record(i)
		if x.Kind != log.Purge || x.X != r.X || x.At != r.At {
			break
		}
		out = append(out, x.Job)
	}
	stay := slices.DeleteFunc(slices.Clone(s.matched), func(k job.Index) bool { return slices.Contains(out, k) })
	_, gain := j.life(s.primary, stay)
	j.is("gain", r.Y, signed(gain))
	j.holds(r.Code == log.NoReason, "it has no reason")
	s.matched = slices.DeleteFunc(slices.Clone(s.matched), func(k job.Index) bool { return k == r.Job })
	s.gain = gain
}

// nodesNeeded is the nodes that a set takes beside those that its jobs have.
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
	what := make(amount, len(j.all()))
	what[0] = j.record.Y
	j.holds(!j.planBefore(s.primary).fits(what, j.now, last) || j.visiting() && !j.hostNodes().fits(what, j.now, min(last, j.turn.Y-j.now)), "they are not for that long")
}

// planBefore is the plan of what runs and of the waiting jobs before job k.
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

// limitOfResponse is the longest response of a job that is fair.
func (j *judge) limitOfResponse(k job.Index) float64 { return j.knob("slack") * j.usual[k] }

// firstLate is the first job that would end too late with a group: of its own jobs,
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

// withoutGroup is when each job ends if no group starts now.
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

// nodePlanPlain is nodePlan with each node held no longer than there are jobs on it.
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
