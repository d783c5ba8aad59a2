// Package replay steps through the log of a finished run, one event at a time. Several events can
// happen in the same second. An event is either a log record about a job or the submission of a
// job. The log has no records of submissions. The package does not simulate the run again.
package replay

import (
	"sort"

	"backfill-lab/core/explain"
	"backfill-lab/core/format"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline"
)

// Replay holds the events of a log in order. They are numbered from 1 to Len. Number 0 stands for
// the initial state before all events.
type Replay struct {
	log    *log.Log
	index  *explain.Index
	chart  *gantt.Chart
	plans  *timeline.Plans
	events []event
}

// event refers to a log record or to the submission of a job.
type event struct {
	record int32     // index of the log record, or -1 for a submission
	job    job.Index // job of the record or submission, or job.None
}

// New returns the replay of the log that x indexes. The argument c must be the chart of the same
// log.
func New(x *explain.Index, c *gantt.Chart) *Replay {
	p := &Replay{log: x.Log(), index: x, chart: c, plans: x.Plans()}
	p.events = make([]event, 0, p.log.Len()+len(p.log.Jobs))
	next := job.Index(0)
	for i := 0; i < p.log.Len(); {
		at := p.log.Record(i).At
		next = p.addSubmissions(next, p.firstAfter(next, at-1))
		i, next = p.addInstant(i, next)
	}
	p.addSubmissions(next, job.Index(len(p.log.Jobs)))
	return p
}

// WithClock returns a replay of the same events that formats times with clock c.
func (p *Replay) WithClock(c format.Clock) *Replay {
	q := *p
	q.index = p.index.WithClock(c)
	return &q
}

// firstAfter returns the first job that is submitted after the given time. The search begins at job
// nextJob.
func (p *Replay) firstAfter(nextJob job.Index, at job.Time) job.Index {
	for int(nextJob) < len(p.log.Jobs) && p.log.Jobs[nextJob].Submit <= at {
		nextJob++
	}
	return nextJob
}

// addSubmissions appends a submission event for each job in [nextJob,end), and returns the new
// value of nextJob.
func (p *Replay) addSubmissions(nextJob, end job.Index) job.Index {
	for ; nextJob < end; nextJob++ {
		p.events = append(p.events, event{-1, nextJob})
	}
	return nextJob
}

// addInstant appends the events that have the same time as record i, which is the first record at that time. The
// submissions of the jobs from nextJob on have not been added to the events yet. addInstant returns the first record at
// a later time, and the new value of nextJob.
//
// A policy that makes promises handles the ends of jobs first, and then each submission on its own. So if there is a
// promise at this time, a submission is placed before the first record that names its job. Otherwise, all submissions
// are placed after the ends and rate changes.
func (p *Replay) addInstant(i int, nextJob job.Index) (int, job.Index) {
	at := p.log.Record(i).At
	end := p.firstAfter(nextJob, at)
	promises := false
	after := i
	for ; after < p.log.Len() && p.log.Record(after).At == at; after++ {
		promises = promises || p.log.Record(after).Kind == log.Promise
	}
	for ; i < after; i++ {
		r := p.log.Record(i)
		if r.Job == job.None || p.belongsToStart(i) {
			continue
		}
		if !promises && r.Kind != log.Finish && r.Kind != log.RateChange {
			nextJob = p.addSubmissions(nextJob, end)
		}
		nextJob = p.addSubmissions(nextJob, min(max(r.Job, r.Other)+1, end))
		p.events = append(p.events, event{int32(i), r.Job})
	}
	return after, p.addSubmissions(nextJob, end)
}

// belongsToStart reports whether record i only states the size or rate with which a moldable job
// starts. Such a record is not an event of its own.
func (p *Replay) belongsToStart(i int) bool {
	r := p.log.Record(i)
	switch r.Kind {
	case log.Size:
		return true
	case log.RateChange:
		before := p.log.Record(max(i-1, 0))
		return p.log.Jobs[r.Job].Speedup() != nil && before.Kind == log.Start && before.Job == r.Job
	}
	return false
}

// Len returns the number of events.
func (p *Replay) Len() int { return len(p.events) }

// RecordsMoves reports whether the log records every change of a planned start.
func (p *Replay) RecordsMoves() bool { return p.log.Level == log.Full }

// Jobs returns the jobs of the log.
func (p *Replay) Jobs() []job.Job { return p.log.Jobs }

// record returns the record of event n, or nil for a submission or the initial state.
func (p *Replay) record(n int) *log.Record {
	if n < 1 || p.events[n-1].record < 0 {
		return nil
	}
	return p.log.Record(int(p.events[n-1].record))
}

// At returns the time of event n. At(0) is the time of the first event, or 0 if there are no
// events.
func (p *Replay) At(n int) job.Time {
	if len(p.events) == 0 {
		return 0
	}
	n = max(n, 1)
	if r := p.record(n); r != nil {
		return r.At
	}
	return p.log.Jobs[p.events[n-1].job].Submit
}

// Job returns the job of event n, or job.None for the initial state.
func (p *Replay) Job(n int) job.Index {
	if n < 1 {
		return job.None
	}
	return p.events[n-1].job
}

// Submitted is the name that Kind returns for a submission.
const Submitted = "submit"

// Kind returns the name of the kind of event n: Submitted, or a name from log.Kinds. It returns ""
// for the initial state.
func (p *Replay) Kind(n int) string {
	switch r := p.record(n); {
	case n < 1:
		return ""
	case r == nil:
		return Submitted
	default:
		return log.Kinds[r.Kind].Name
	}
}

// Text returns a sentence that describes event n.
func (p *Replay) Text(n int) explain.Sentence {
	switch r := p.record(n); {
	case n < 1:
		return p.index.BeforeFirstEvent()
	case r == nil:
		return p.index.SubmissionText(p.events[n-1].job)
	default:
		return p.index.RecordText(r)
	}
}

// countBefore returns the number of events before time t.
func (p *Replay) countBefore(t job.Time) int {
	return sort.Search(len(p.events), func(i int) bool { return p.At(i+1) >= t })
}

// EventRef identifies an event by its properties instead of its number. It stays valid if a change
// of the scenario adds or removes other events.
type EventRef struct {
	Time  job.Time `json:"time"`
	Event string   `json:"event"`         // Before, After, Submitted or a name from log.Kinds
	Job   string   `json:"job,omitempty"` // ID of the job; empty means any job
	Nth   int      `json:"nth,omitempty"` // selects one of several matching events, from 1; 0 means 1
}

// Before and After are values of EventRef.Event. They stand for the states before and after all
// events at EventRef.Time.
const (
	Before = "before"
	After  = "after"
)

// Find returns the number of the event that ref identifies. If there is none, ok is false, and Find
// returns the last event up to the time of ref.
func (p *Replay) Find(ref EventRef) (n int, ok bool) {
	first, last := p.countBefore(ref.Time), p.countBefore(ref.Time+1)
	switch ref.Event {
	case Before:
		return first, true
	case After:
		return last, true
	}
	nth := max(ref.Nth, 1)
	for n := first + 1; n <= last; n++ {
		if p.Kind(n) != ref.Event || ref.Job != "" && p.log.Jobs[p.Job(n)].ID != ref.Job {
			continue
		}
		if nth--; nth == 0 {
			return n, true
		}
	}
	return last, false
}

// Ref returns a reference to event n, so that p.Find(p.Ref(n)) returns n. For n = 0 it refers to
// the state before all events at the time of the first event.
func (p *Replay) Ref(n int) EventRef {
	if n == 0 {
		return EventRef{Time: p.At(0), Event: Before}
	}
	ref := EventRef{Time: p.At(n), Event: p.Kind(n)}
	if j := p.Job(n); j >= 0 {
		ref.Job = p.log.Jobs[j].ID
	}
	for ref.Nth = 1; ; ref.Nth++ {
		if found, ok := p.Find(ref); !ok || found == n {
			break
		}
	}
	if ref.Nth == 1 {
		ref.Nth = 0
	}
	return ref
}

// IsEventName reports whether name is a valid value of EventRef.Event.
func IsEventName(name string) bool {
	if name == Before || name == After || name == Submitted {
		return true
	}
	for _, k := range log.Kinds {
		if k.Name == name {
			return true
		}
	}
	return false
}
