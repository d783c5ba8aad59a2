package truth

import (
	"slices"

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

// signed returns a gain in millionths.
func signed(u float64) int64 {
	if u < 0 {
		return -millionths(-u)
	}
	return millionths(u)
}

// form returns the formation that the record belongs to.
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

// candidate returns the slowdowns of a job and of its primary beside each other.
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
