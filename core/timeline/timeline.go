// Package timeline finds which jobs of a log wait or run at a given time, and which reservations
// the waiting jobs have at that time.
package timeline

import (
	"cmp"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline/interval"
)

// Timeline holds the spans of one run. A span is a period in which a job runs without interruption.
// Spans are sorted by start, and then by lowest slot. Callers must not change a timeline.
type Timeline struct {
	End   job.Time     // end of the last span
	From  []job.Time   // by span: its start
	To    []job.Time   // by span: its end
	Jobs  []job.Index  // by span: its job
	First []int32      // by job: the index of its first span, or -1 if it never ran
	Next  []int32      // by span: the index of the next span of the same job, or -1; nil if all elements are -1
	Spans interval.Set // intervals [From,To)

	log   *log.Log
	waits interval.Set // by job: the interval from its submission to its start
}

// New returns the timeline of a log, which must hold the slots of every job that started. It leaves
// out spans of length 0. Its memory is proportional to the number of spans and jobs.
func New(l *log.Log) *Timeline {
	t := &Timeline{log: l}
	spans := l.Spans()
	t.End = closeSpans(l, spans)
	spans = slices.DeleteFunc(spans, func(s log.Span) bool { return s.To <= s.From })
	slot := func(s log.Span) int32 { return l.Alloc(s.Job)[0].Lo }
	slices.SortStableFunc(spans, func(a, b log.Span) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(slot(a), slot(b)))
	})
	t.From, t.To = make([]job.Time, len(spans)), make([]job.Time, len(spans))
	t.Jobs = make([]job.Index, len(spans))
	for i, s := range spans {
		t.From[i], t.To[i], t.Jobs[i] = s.From, s.To, s.Job
	}
	t.linkSpans()
	t.Spans = interval.New(t.From, t.To)
	t.waits = waitIntervals(l)
	return t
}

// Log returns the log from which the timeline was made.
func (t *Timeline) Log() *log.Log { return t.log }

// closeSpans ends the spans of jobs that still run at the end of the log. They get an end one
// second after the last record, so that they are visible. It returns the end of the timeline.
func closeSpans(l *log.Log, spans []log.Span) job.Time {
	last := job.Time(0)
	if n := l.Len(); n > 0 {
		last = l.Record(n - 1).At
	}
	end := job.Time(0)
	for i := range spans {
		if spans[i].To == job.Never {
			spans[i].To = last + 1
		}
		end = max(end, spans[i].To)
	}
	return end
}

// linkSpans sets First and Next, which connect the spans of each job.
func (t *Timeline) linkSpans() {
	t.First = make([]int32, len(t.log.Jobs))
	for j := range t.First {
		t.First[j] = -1
	}
	for i := len(t.Jobs) - 1; i >= 0; i-- {
		after := t.First[t.Jobs[i]]
		t.First[t.Jobs[i]] = int32(i)
		if after < 0 {
			continue
		}
		if t.Next == nil {
			t.Next = slices.Repeat([]int32{-1}, len(t.Jobs))
		}
		t.Next[i] = after
	}
}

// waitIntervals returns, for each job, the interval from its submission to its start.
func waitIntervals(l *log.Log) interval.Set {
	from, to := make([]job.Time, len(l.Jobs)), make([]job.Time, len(l.Jobs))
	for j := range l.Jobs {
		from[j], to[j] = l.Jobs[j].Submit, job.Never
	}
	for r := range l.All() {
		if r.Kind == log.Start {
			to[r.Job] = r.At
		}
	}
	return interval.New(from, to)
}
