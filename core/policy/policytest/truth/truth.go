// Package truth is not part of the product: it is the second opinion on reasons.
// It reads a log that was recorded in full and finds, for each record with a
// reason, from plain facts alone - submissions, starts, ends, estimates, processors,
// promises, slices - whether it is literally true, number by number. A Reader then
// judges answers to why as a person reads them, text for text, at any time asked
// about (answers.go, reading.go, sentences.go): a sentence that it does not know is
// untrue. It uses none of the policies, of their plans or of what explain finds; what
// has to be planned it plans in the simplest way (plan.go).
//
// What is found anew, beside that the policy with its knobs records such a reason at
// all, and names another job and numbers only as the sentence does:
//
//	head, first-fit, no-room, lacks       order of the queue, what is free, who fits
//	blocked, before-, beside-shadow       first of the queue, when it can start by the estimates, what is to spare, ends
//	beside-plan                           reservations of the first jobs, planned one after the other
//	least-used, best-balance, fuller      who may start first, shares in use and left
//	reserved, planned, at-once, moved-*   promises and moves so far, the earliest place beside them, ends and their estimates
//	budget-spent ... soonest              the sizes, by handing out, trying or planning anew; what a processor saves
//	replanned                             a plan of all waiting jobs made anew
//	fair-set, busy-set, kept ... expected sets and scores, latest starts by slack, the choice by the goal, fair starts
//	alone ... grouped-apart               nodes, processes on them, who shares them; plans in nodes
//	case-*, suited ... not-for-long       slowdowns, gains and ends of groups second by second, who would end too late
//	sliced, slice-begin, awaits-slice     the layout of slices, short ones by who needs them, and that none begins sooner
//	filled, entered, held-by-other        whose slice it is, until when, who holds what is lacking, both plans beside a guest
//	planned-slice                         the plan on the clock of the type, of the last moment at which its policy acted
//	behind-head and what explain derives  reading.go
//
// Where a reason has to be on record, a log without it is untrue as well: who waits at
// the head of the queue, who fits and is left out, what those wait for that came now.
//
// In time slices, processors to spare, in use, and free for a set of jobs are those of
// the virtual machine of a type. Its promises and moves are not on record: virtual.go
// finds them.
package truth

import (
	"fmt"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
)

// Case is a log and what ran.
type Case struct {
	Log    *log.Log
	Policy string                       // by name
	Knobs  policy.Values                // all of them
	Cos    func(i, j job.Index) float64 // slowdown of job i next to job j; nil where nodes are not shared

	sliced bool // Policy is that inside of time slices
}

// Counts is how often each reason was looked at.
type Counts map[log.Code]int

// Check says what is untrue in the log, a line each, and counts the reasons that
// it looked at.
func (c *Case) Check(seen Counts) (untrue []string) {
	f := newFacts(inside(c))
	j := &judge{facts: f, seen: seen, usual: map[job.Index]float64{}, front: job.None}
	j.virtuals.moment = unplanned
	for i := range c.Log.Len() {
		j.place, j.record = i, c.Log.Record(i)
		j.read()
		if len(j.untrue) > 0 {
			break // what follows may only follow from it
		}
	}
	j.endOfInstant()
	return j.untrue
}

// judge goes through a log record by record: facts is what was before the record.
type judge struct {
	*facts
	place    int
	record   *log.Record
	seen     Counts
	untrue   []string
	searches [4]*search // by view
	choices  [4]moment
	forming  *forming
	primary  job.Index
	best     *set
	usual    map[job.Index]float64 // by job: share of its response without groups
	front    job.Index             // first of the queue after the last instant
	telling  telling
	plans    map[job.Index]job.Time // by waiting job: planned start on the clock of its type, when there last was a plan
	virtuals virtuals
	limits   map[job.Index]job.Time // see limitOf
}

// read judges a record and takes it in. What cannot even be read is untrue.
func (j *judge) read() {
	defer func() {
		if r := recover(); r != nil {
			if text := fmt.Sprint(r); strings.Contains(text, "truth:") {
				panic(r)
			}
			j.wrong("does not agree with the records before it: %v", r)
		}
	}()
	if !j.sane() {
		return
	}
	r := j.record
	if r.At > j.now {
		j.pass(r.At)
	}
	if j.sliced && acts(r) {
		j.lay()
	}
	if j.type_ = 0; j.sliced && r.Job != job.None {
		j.type_ = j.class(r.Job)
	} else if j.sliced && r.Kind != log.Slice {
		j.type_ = int(r.View)
	}
	if j.Policy == "glomarc-ts" && acts(r) && !j.acted {
		j.eachType(j.promiseUsual)
	}
	if acts(r) {
		j.foresee()
	}
	j.judge()
	j.keepChoice()
	if j.sliced {
		j.takeTold(r)
	}
	j.take(r)
}

// pass lets time pass until a moment. Jobs can come to which no record tells anything,
// and policies can act for nobody.
func (j *judge) pass(until job.Time) {
	for at := j.now; at < until && len(j.untrue) == 0; at = j.next() {
		if at > j.now {
			j.begin(at)
		}
		j.endOfInstant()
		j.remember()
	}
	j.begin(until)
}

// next returns the first moment after this one at which a job comes or a policy wakes.
func (j *judge) next() job.Time {
	at := job.Never
	for k := range j.log.Jobs {
		if s := j.log.Jobs[k].Submit; s > j.now {
			at = min(at, s)
		}
	}
	for _, wake := range j.wakes() {
		if wake > j.now {
			at = min(at, wake)
		}
	}
	return at
}

// wrong notes that the record is untrue.
func (j *judge) wrong(format string, args ...any) {
	r := j.record
	j.untrue = append(j.untrue, fmt.Sprintf("record %d, at %d %s of job %s (%s, other %s, x=%d, y=%d, view %d): ", j.place, r.At,
		name(len(log.Kinds), int(r.Kind), func() string { return log.Kinds[r.Kind].Name }), j.id(r.Job),
		name(len(log.Codes), int(r.Code), func() string { return log.Codes[r.Code].Name }), j.id(r.Other), r.X, r.Y, r.View)+fmt.Sprintf(format, args...))
}

func name(n, i int, of func() string) string {
	if i < n {
		return of()
	}
	return "?"
}

func (j *judge) id(k job.Index) string {
	if k < 0 || int(k) >= len(j.jobs) {
		return "-"
	}
	return j.log.Jobs[k].ID
}

// is notes a number that is not the one found.
func (j *judge) is(what string, told, found int64) {
	if told != found {
		j.wrong("%s is %d, found %d", what, told, found)
	}
}

// ok returns holds, and reports whether it is so.
func (j *judge) ok(so bool, format string, args ...any) bool {
	j.holds(so, format, args...)
	return so
}

// holds notes a claim that is not true.
func (j *judge) holds(so bool, format string, args ...any) {
	if !so {
		j.wrong("not so: "+format, args...)
	}
}
