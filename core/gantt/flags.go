package gantt

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Flags holds properties of a piece.
type Flags uint8

// These are the flags of a piece.
const (
	Bin        Flags = 1 << iota // the piece shows several spans that are too small to draw one by one
	Backfilled                   // the job was backfilled: it started before a job ahead of it in the queue, or on idle processors in a slice of another type
	Resumed                      // the job was suspended before this span
	Continues                    // the job does not finish before the end of the log; in PlanPieces: the job runs at the time of the plan
	Planned                      // the piece shows the planned start of a waiting job
	Outage                       // the piece shows an outage
)

// reasonFlags holds the flags that a reason for starting a job gives to the span of this job. The
// field overtaking holds flags that apply only if another job, ahead in the queue, still waits.
type reasonFlags struct{ flags, overtaking Flags }

// startFlags returns the flags of a span whose job started for reason c. If c is not one of the
// shared reasons, the job counts as backfilled if it overtook a job that still waits.
func startFlags(c log.Code) reasonFlags {
	if c.IsShared() {
		return sharedFlags[c]
	}
	return reasonFlags{overtaking: Backfilled}
}

// sharedFlags holds, by reason code, the flags for the shared reasons (see log.Code.IsShared).
var sharedFlags = [256]reasonFlags{
	log.FirstFit:            {flags: Backfilled},
	log.DelaysNoReservation: {flags: Backfilled},
	log.BeforeShadow:        {flags: Backfilled},
	log.WithinExtra:         {flags: Backfilled},
	log.LeastUsed:           {flags: Backfilled},
	log.BestBalance:         {flags: Backfilled},
	log.LeavesLessFree:      {flags: Backfilled},
	log.FairSet:             {flags: Backfilled},
	log.UtilizationSet:      {flags: Backfilled},
	log.BackfilledAlone:     {flags: Backfilled},
	log.StartedAsGuest:      {flags: Backfilled},
	log.ResumedAsGuest:      {flags: Backfilled},
	log.Planned:             {overtaking: Backfilled},
	log.Replanned:           {overtaking: Backfilled},
	log.AtOnce:              {overtaking: Backfilled},
	log.MovedAfterEarlyEnd:  {overtaking: Backfilled},
	log.MovedNow:            {overtaking: Backfilled},
	log.MovedToKeepPlace:    {overtaking: Backfilled},
	log.MovedAfterProgress:  {overtaking: Backfilled},
}

// setFlags sets the flags of every span from the records of the log.
func (c *Chart) setFlags() {
	m := flagSetter{Chart: c, jobFlags: make([]Flags, len(c.log.Jobs)), current: slices.Clone(c.First)}
	queues := readQueues(c.log)
	for r := range c.log.All() {
		switch r.Kind {
		case log.Start:
			m.jobFlags[r.Job] = startFlags(r.Code).flags
			if queues.removeStarted(r.Job, r.View) {
				m.jobFlags[r.Job] |= startFlags(r.Code).overtaking
			}
		case log.Resume:
			m.jobFlags[r.Job] = Resumed | startFlags(r.Code).flags
		case log.Suspend, log.Finish:
			m.endSpan(r.Job, r.At)
		}
	}
	m.markUnfinished()
}

// flagSetter holds the state of setFlags while it reads the log.
type flagSetter struct {
	*Chart
	jobFlags []Flags // by job: flags of its current span
	current  []int32 // by job: its current or next span, or -1 after its last span
}

// endSpan sets the flags of the span of job j that ends at the given time. It skips a span of
// length 0, which is not in the chart.
func (m *flagSetter) endSpan(j job.Index, at job.Time) {
	i := m.current[j]
	if i < 0 || m.From[i] >= at {
		return
	}
	m.flags[i] = m.jobFlags[j]
	m.current[j] = m.NextSpan(i)
}

// markUnfinished sets the flags of spans that have no end in the log, and the flag Continues on all
// spans of jobs that do not finish.
func (m *flagSetter) markUnfinished() {
	done := make([]bool, len(m.jobFlags))
	for r := range m.log.All() {
		if r.Kind == log.Finish {
			done[r.Job] = true
		}
	}
	for j := range m.current {
		m.endSpan(job.Index(j), job.Never)
	}
	for i, j := range m.Jobs {
		if !done[j] {
			m.flags[i] |= Continues
		}
	}
}

// waitingQueues tracks which job is first in each queue. With time slices, each type of job has its
// own virtual machine with its own queue.
type waitingQueues struct {
	view    []uint8  // by job: the virtual machine in which it starts
	started []bool   // by job
	first   [256]int // by virtual machine: all jobs in its queue with lower indexes than this have started
}

// readQueues returns the state of the queues before any job starts.
func readQueues(l *log.Log) *waitingQueues {
	q := &waitingQueues{view: make([]uint8, len(l.Jobs)), started: make([]bool, len(l.Jobs))}
	for r := range l.All() {
		if r.Kind == log.Start {
			q.view[r.Job] = r.View
		}
	}
	return q
}

// removeStarted removes job j from its queue when the job starts. It reports whether an earlier job
// in the queue still waits.
func (q *waitingQueues) removeStarted(j job.Index, view uint8) bool {
	q.started[j] = true
	i := &q.first[view]
	for *i < len(q.started) && (q.started[*i] || q.view[*i] != view) {
		*i++
	}
	return *i < int(j)
}

// Backfilled reports whether job j was backfilled: it started before a job ahead of it in the queue,
// or on idle processors in a time slice of another type.
func (c *Chart) Backfilled(j job.Index) bool {
	i := c.First[j]
	return i >= 0 && c.flags[i]&Backfilled != 0
}
