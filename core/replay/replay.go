// Package replay walks through a log one event at a time, so that several
// moves of one moment are seen one by one. It is not a second run: it knows
// what the log recorded, and nothing between two records. Its only events
// without a record are submissions, which the jobs themselves tell.
package replay

import (
	"sort"

	"backfill-lab/core/explain"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Replay is the events of a log in order. They have the numbers 1 to Len; 0 is
// the beginning, before all of them.
type Replay struct {
	log    *log.Log
	index  *explain.Index
	plans  *gantt.Plans
	events []event
}

// event is a record, or the submission of a job.
type event struct {
	record int32 // -1: a submission
	job    job.Index
}

// New reads the events of the log of an index.
func New(x *explain.Index) *Replay {
	p := &Replay{log: x.Log(), index: x, plans: x.Plans()}
	p.events = make([]event, 0, p.log.Len()+len(p.log.Jobs))
	next := job.Index(0)
	for i := 0; i < p.log.Len(); {
		at := p.log.Record(i).At
		next = p.submit(next, p.arrived(next, at-1))
		i, next = p.instant(i, next)
	}
	p.submit(next, job.Index(len(p.log.Jobs)))
	return p
}

// arrived returns the first job from next on that is submitted after at.
func (p *Replay) arrived(next job.Index, at job.Time) job.Index {
	for int(next) < len(p.log.Jobs) && p.log.Jobs[next].Submit <= at {
		next++
	}
	return next
}

// submit adds the submissions of the jobs from next to before end.
func (p *Replay) submit(next, end job.Index) job.Index {
	for ; next < end; next++ {
		p.events = append(p.events, event{-1, next})
	}
	return next
}

// instant adds the events of one moment, whose first record is i. A policy
// that promises takes in the jobs of a moment one by one, after it has dealt
// with what ended: each is submitted just before the first record that names
// it. Others see all of them before they decide anything.
func (p *Replay) instant(i int, next job.Index) (int, job.Index) {
	at := p.log.Record(i).At
	end := p.arrived(next, at)
	promises := false
	last := i
	for ; last < p.log.Len() && p.log.Record(last).At == at; last++ {
		promises = promises || p.log.Record(last).Kind == log.Promise
	}
	for ; i < last; i++ {
		r := p.log.Record(i)
		if r.Job == job.None || p.aside(i) {
			continue
		}
		if !promises && r.Kind != log.Finish && r.Kind != log.Reprice {
			next = p.submit(next, end)
		}
		next = p.submit(next, min(max(r.Job, r.Other)+1, end))
		p.events = append(p.events, event{int32(i), r.Job})
	}
	return last, p.submit(next, end)
}

// aside reports whether record i belongs to the one before it: why a moldable
// job that starts is as wide as it is, and how fast it goes.
func (p *Replay) aside(i int) bool {
	r := p.log.Record(i)
	switch r.Kind {
	case log.Size:
		return true
	case log.Reprice:
		before := p.log.Record(max(i-1, 0))
		return p.log.Jobs[r.Job].Speedup() != nil && before.Kind == log.Start && before.Job == r.Job
	}
	return false
}

// Len returns the number of events.
func (p *Replay) Len() int { return len(p.events) }

// Full reports whether the log has every move of a planned start.
func (p *Replay) Full() bool { return p.log.Level == log.Full }

// Jobs returns the jobs of the log.
func (p *Replay) Jobs() []job.Job { return p.log.Jobs }

// record returns that of event n, nil for a submission and for the beginning.
func (p *Replay) record(n int) *log.Record {
	if n < 1 || p.events[n-1].record < 0 {
		return nil
	}
	return p.log.Record(int(p.events[n-1].record))
}

// At returns the moment of event n; of the beginning, that of the first event.
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

// Job returns the job of event n, job.None for the beginning.
func (p *Replay) Job(n int) job.Index {
	if n < 1 {
		return job.None
	}
	return p.events[n-1].job
}

// Submitted is the kind of a submission; the kinds of other events are those of
// the records.
const Submitted = "submit"

// Kind returns the kind of event n by its name, empty for the beginning.
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

// Text returns event n in words.
func (p *Replay) Text(n int) explain.Sentence {
	switch r := p.record(n); {
	case n < 1:
		return p.index.Begin()
	case r == nil:
		return p.index.Submission(p.events[n-1].job)
	default:
		return p.index.Tell(r)
	}
}

// before returns the number of events before the moment t.
func (p *Replay) before(t job.Time) int {
	return sort.Search(len(p.events), func(i int) bool { return p.At(i+1) >= t })
}
