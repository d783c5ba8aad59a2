// Package gantt turns a log into the lanes and rectangles of a Gantt chart. It writes
// charts as text and SVG, and encodes the same rectangles for the page to draw. A chart
// depends on the log only. The package computes no metrics and does not use the engine.
package gantt

import (
	"cmp"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt/interval"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Chart holds the spans of one run. A span is an uninterrupted time that a job runs. Spans
// are sorted by their begins, ties by their lowest lanes. Lanes are slots; on machines
// with one core per node they are the nodes. A chart is immutable for its callers.
type Chart struct {
	Lanes int
	End   job.Time // end of the last span

	log         *log.Log
	from, to    []job.Time   // by span
	jobs        []job.Index  // by span
	flags       []Flags      // by span
	spans       interval.Set // intervals [from,to)
	waits       interval.Set // by job: from submission to start
	firstSpan   []int32      // by job: its first span, -1 if it never ran
	nextSpan    []int32      // by span: the next span of its job, -1 if there is none; nil if all are -1
	parts       jobParts     // parts of preempted jobs
	paces       pacePhases
	shares      []share
	usage       usage
	resourceUse []stepFunction // by extra resource; read on first use
	slices      *timeSlices    // read on first use
}

// New reads the chart of a log. Its time is proportional to the number of records, its
// memory to the number of spans.
func New(l *log.Log) *Chart {
	c := &Chart{Lanes: l.Machine.Slots(), log: l}
	spans := l.Spans()
	c.End = closeOpen(l, spans)
	spans = slices.DeleteFunc(spans, func(s log.Span) bool { return s.To <= s.From })
	lane := func(s log.Span) int32 { return l.Alloc(s.Job)[0].Lo }
	slices.SortFunc(spans, func(a, b log.Span) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(lane(a), lane(b)))
	})
	c.setSpans(spans)
	c.linkSpans()
	c.parts = readParts(c)
	readPaces(c)
	c.setFlags()
	c.spans = interval.New(c.from, c.to)
	c.waits = waitIntervals(l)
	c.usage = readUsage(c)
	return c
}

// closeOpen ends the spans that are still open at the end of the log one second after
// it, so that they are visible. It returns the end of the chart.
func closeOpen(l *log.Log, spans []log.Span) job.Time {
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

// setSpans copies sorted spans into the chart.
func (c *Chart) setSpans(raw []log.Span) {
	c.from, c.to = make([]job.Time, len(raw)), make([]job.Time, len(raw))
	c.jobs, c.flags = make([]job.Index, len(raw)), make([]Flags, len(raw))
	for i, s := range raw {
		c.from[i], c.to[i], c.jobs[i] = s.From, s.To, s.Job
	}
}

// linkSpans links the spans of each job.
func (c *Chart) linkSpans() {
	c.firstSpan = make([]int32, len(c.log.Jobs))
	for j := range c.firstSpan {
		c.firstSpan[j] = -1
	}
	for i := len(c.jobs) - 1; i >= 0; i-- {
		after := c.firstSpan[c.jobs[i]]
		c.firstSpan[c.jobs[i]] = int32(i)
		if after < 0 {
			continue
		}
		if c.nextSpan == nil {
			c.nextSpan = slices.Repeat([]int32{-1}, len(c.jobs))
		}
		c.nextSpan[i] = after
	}
}

// Log returns the log that the chart shows.
func (c *Chart) Log() *log.Log { return c.log }

// slotsOf returns the slots of span i.
func (c *Chart) slotsOf(i int) cluster.Set { return c.log.Alloc(c.jobs[i]) }

// waitIntervals returns the interval from submission to start of each job.
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
