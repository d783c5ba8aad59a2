// Package gantt turns a log into lanes and rectangles. It is not a drawing
// surface and not an analysis: it knows no pixels beyond the number of columns
// and rows of a question, computes no metric, and never asks the engine. All of
// it is a pure function of the log; text and SVG are written from the same
// pieces that the page draws on its canvas.
package gantt

import (
	"cmp"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt/interval"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Chart is the picture of one run: the stretches of its jobs in the order of
// their begins, equal begins from the lowest lane up. Lanes are slots, which
// on single-core machines are the nodes. What is seen of a chart never changes.
type Chart struct {
	Lanes int
	End   job.Time // end of the last stretch

	log      *log.Log
	from, to []job.Time
	jobs     []job.Index
	flags    []Flags
	spans    interval.Set
	waits    interval.Set // by job: from submission to start
	first    []int32      // by job: its first stretch, -1 if it never ran
	next     []int32      // by stretch: the job's next one, -1 if none; nil if all are
	parts    parts        // of preempted jobs
	paces    paces
	shared   []share
	steps    steps
	use      []level // by extra resource, read when it is first asked for
	turns    *turns  // so are the time slices
}

// New reads the chart of a log. It takes time in proportion to the records,
// and memory to the stretches.
func New(l *log.Log) *Chart {
	c := &Chart{Lanes: l.Machine.Slots(), log: l}
	raw := l.Spans()
	c.End = closeOpen(l, raw)
	raw = slices.DeleteFunc(raw, func(s log.Span) bool { return s.To <= s.From })
	lane := func(s log.Span) int32 { return l.Alloc(s.Job)[0].Lo }
	slices.SortFunc(raw, func(a, b log.Span) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(lane(a), lane(b)))
	})
	c.fill(raw)
	c.link()
	c.parts = readParts(c)
	readPaces(c)
	c.mark()
	c.spans = interval.New(c.from, c.to)
	c.waits = waits(l)
	c.steps = readSteps(c)
	return c
}

// closeOpen gives the jobs that still run at the end of the log an end one
// second after it, so that they are seen. It returns the end of the chart.
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

func (c *Chart) fill(raw []log.Span) {
	c.from, c.to = make([]job.Time, len(raw)), make([]job.Time, len(raw))
	c.jobs, c.flags = make([]job.Index, len(raw)), make([]Flags, len(raw))
	for i, s := range raw {
		c.from[i], c.to[i], c.jobs[i] = s.From, s.To, s.Job
	}
}

// link chains the stretches of each job.
func (c *Chart) link() {
	c.first = make([]int32, len(c.log.Jobs))
	for j := range c.first {
		c.first[j] = -1
	}
	for i := len(c.jobs) - 1; i >= 0; i-- {
		after := c.first[c.jobs[i]]
		c.first[c.jobs[i]] = int32(i)
		if after < 0 {
			continue
		}
		if c.next == nil {
			c.next = slices.Repeat([]int32{-1}, len(c.jobs))
		}
		c.next[i] = after
	}
}

// Log returns the log that the chart shows.
func (c *Chart) Log() *log.Log { return c.log }

// Len returns the number of stretches.
func (c *Chart) Len() int { return len(c.jobs) }

func (c *Chart) slots(i int) cluster.Set { return c.log.Alloc(c.jobs[i]) }

// waits returns the times from submission to start, by job.
func waits(l *log.Log) interval.Set {
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
