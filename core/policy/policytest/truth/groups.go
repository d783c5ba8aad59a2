package truth

import (
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

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

// must returns the job that every set must have, job.None if there is none: the first
// waiting job beside a running primary, and the serial job for which a parallel one
// behind it is tried as the primary.
func (j *judge) must() job.Index {
	f := j.form()
	switch w := j.waiting(j.member); {
	case f.code == log.CaseJoin && len(w) > 0:
		return w[0]
	case f.code == log.CaseWaiting && len(f.suited) > 0 && f.suited[0] < j.primary:
		return f.suited[0]
	}
	return job.None
}

// widens returns the best set before that has one job less, all the others in the same
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

// setOf returns the set with a number.
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
