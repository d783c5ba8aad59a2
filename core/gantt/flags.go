package gantt

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Flags says what is special about a piece.
type Flags uint8

const (
	Bin        Flags = 1 << iota // no single job: several, too small to be drawn alone
	Backfilled                   // the job started ahead of others by the right to fill a hole
	Resumed                      // a later stretch of a job that was suspended
	Continues                    // the job is not finished at the end of the log
	Planned                      // a reservation, not yet a job on the machine
	Away                         // no job: processors that a block takes
)

// rights says which reasons of a start make it a backfilled one.
// A start by a plan is a backfilled one if an earlier job waits at that moment.
var rights = [256]struct{ flags, ahead Flags }{
	log.FirstFit:     {flags: Backfilled},
	log.BesidePlan:   {flags: Backfilled},
	log.BeforeShadow: {flags: Backfilled},
	log.BesideShadow: {flags: Backfilled},
	log.LeastUsed:    {flags: Backfilled},
	log.BestBalance:  {flags: Backfilled},
	log.Fuller:       {flags: Backfilled},
	log.Entered:      {flags: Backfilled},
	log.Filled:       {flags: Backfilled},
	log.Planned:      {ahead: Backfilled},
	log.Replanned:    {ahead: Backfilled},
	log.AtOnce:       {ahead: Backfilled},
	log.MovedUp:      {ahead: Backfilled},
	log.MovedNow:     {ahead: Backfilled},
	log.MovedAhead:   {ahead: Backfilled},
	log.MovedSooner:  {ahead: Backfilled},
}

// mark sets the flags of every stretch from the records of the log.
func (c *Chart) mark() {
	m := marker{Chart: c, now: make([]Flags, len(c.log.Jobs)), at: slices.Clone(c.first)}
	waiting := readQueues(c.log)
	for r := range c.log.All() {
		switch r.Kind {
		case log.Start:
			m.now[r.Job] = rights[r.Code].flags
			if waiting.start(r.Job, r.View) {
				m.now[r.Job] |= rights[r.Code].ahead
			}
		case log.Resume:
			m.now[r.Job] = Resumed | rights[r.Code].flags
		case log.Suspend, log.Finish:
			m.end(r.Job, r.At)
		}
	}
	m.unfinished()
}

// marker walks over the stretches of all jobs side by side.
type marker struct {
	*Chart
	now []Flags // by job: of the stretch that it is in
	at  []int32 // by job: its place in the chart, -1 after the last one
}

// end sets the flags of a stretch that ends; one of no length is not in the
// chart.
func (m *marker) end(j job.Index, at job.Time) {
	i := m.at[j]
	if i < 0 || m.from[i] >= at {
		return
	}
	m.flags[i] = m.now[j]
	m.at[j] = -1
	if m.next != nil {
		m.at[j] = m.next[i]
	}
}

// unfinished marks the stretches of the jobs that are not done at the end of the
// log.
func (m *marker) unfinished() {
	done := make([]bool, len(m.now))
	for r := range m.log.All() {
		if r.Kind == log.Finish {
			done[r.Job] = true
		}
	}
	for j := range m.at {
		m.end(job.Index(j), job.Never)
	}
	for i, j := range m.jobs {
		if !done[j] {
			m.flags[i] |= Continues
		}
	}
}

// queues knows, of each queue, the first job that has not started. Each virtual
// machine has its own queue.
type queues struct {
	view    []uint8 // by job: that of its start
	started []bool  // by job
	first   [256]int
}

func readQueues(l *log.Log) *queues {
	q := &queues{view: make([]uint8, len(l.Jobs)), started: make([]bool, len(l.Jobs))}
	for r := range l.All() {
		if r.Kind == log.Start {
			q.view[r.Job] = r.View
		}
	}
	return q
}

// start takes a job out of its queue and reports whether an earlier one stays.
func (q *queues) start(j job.Index, view uint8) bool {
	q.started[j] = true
	i := &q.first[view]
	for *i < len(q.started) && (q.started[*i] || q.view[*i] != view) {
		*i++
	}
	return *i < int(j)
}

// Backfilled reports whether job j started ahead of others by the right to fill a
// hole.
func (c *Chart) Backfilled(j job.Index) bool {
	i := c.first[j]
	return i >= 0 && c.flags[i]&Backfilled != 0
}
