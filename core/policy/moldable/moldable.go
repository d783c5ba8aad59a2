// Package moldable implements the scheduling of moldable jobs, whose number of processors the
// scheduler decides (Wu et al. 2015). A sizer decides the size, in processors, of each waiting
// job. A selection starts jobs with these sizes, for example in FCFS order. Rigid jobs and
// running jobs keep their sizes.
package moldable

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Moldable implements the policy moldable. Its sizer and its selection share one queue.
type Moldable struct {
	waiting             waiting         // queue of the waiting jobs
	releases            policy.Releases // running jobs by predicted end
	sizer               sizer           // decides the sizes of waiting jobs
	selection           selection       // decides which waiting job starts next
	allocateAfterStarts bool            // realloc=start: allocate also after each start, not only once per instant
	queueChanged        bool            // the queue has changed since the last allocation
}

// sizer decides the sizes of waiting jobs, either in add or in allocate.
type sizer interface {
	// add tells the sizer that job j has just entered the queue, with one processor if it is
	// moldable.
	add(p *sim.Pass, w *waiting, j job.Index)
	// remove tells the sizer that job j has started.
	remove(p *sim.Pass, j job.Index)
	// allocate recomputes the sizes of the waiting jobs.
	allocate(p *sim.Pass, w *waiting)
	// why returns why a moldable job got procs processors on a machine of m processors. The
	// argument gain is the time, in seconds, that one more processor would save.
	why(m, procs int, gain float64) log.Code
	clone() sizer
}

// selection decides which waiting job starts next.
type selection interface {
	// restart makes the selection begin at the head of the queue again. It is called when sizes or
	// free processors have changed.
	restart()
	// next returns the index in the queue of the next job to start, or -1 if there is none. It
	// also returns the reason for the start. The method may also record why the head of the queue
	// waits.
	next(p *sim.Pass, w *waiting, r *policy.Releases) (i int, why log.Reason)
	clone() selection
}

func (m *Moldable) Clone() sim.Policy {
	c := *m
	c.waiting, c.releases = m.waiting.clone(), m.releases.Clone()
	c.sizer, c.selection = m.sizer.clone(), m.selection.clone()
	return &c
}

func (m *Moldable) Schedule(p *sim.Pass) {
	m.releases.Update(p)
	changed := false // whether anything other than a requested wake has happened
	for _, ev := range p.Events() {
		changed = changed || ev.Kind != sim.Woke
		if ev.Kind == sim.Submitted {
			m.waiting.enter(p, ev.Job)
			m.sizer.add(p, &m.waiting, ev.Job)
			m.queueChanged = true
		}
	}
	if m.queueChanged && changed {
		m.allocate(p)
	}
	m.selection.restart()
	for m.startNext(p) {
		if m.allocateAfterStarts {
			m.allocate(p)
			m.selection.restart()
		}
	}
}

// allocate recomputes the sizes of the waiting jobs, and records the sizes that have changed.
func (m *Moldable) allocate(p *sim.Pass) {
	m.sizer.allocate(p, &m.waiting)
	m.waiting.recordSizes(p)
	m.queueChanged = false
}

// startNext starts the next job, and reports whether one started.
func (m *Moldable) startNext(p *sim.Pass) bool {
	i, why := m.selection.next(p, &m.waiting, &m.releases)
	if i < 0 {
		return false
	}
	e := m.waiting.Entries[i]
	if !p.Start(e.Job, sim.Claim{Procs: int(e.Procs)}, why) {
		return false
	}
	m.recordReason(p, &e)
	m.releases.Add(p.PredictedEnd(e.Job), e.Job, e.Procs)
	m.waiting.leave(p, i)
	m.sizer.remove(p, e.Job)
	m.queueChanged = true
	return true
}

// recordReason records why a moldable job that has just started got its size.
func (m *Moldable) recordReason(p *sim.Pass, e *policy.Entry) {
	s := p.Job(e.Job).Speedup()
	if s == nil || p.Level() < log.Decisions {
		return
	}
	n, saved := int(e.Procs), 0.0
	if n > 1 {
		saved = s.Runtime(n-1) - s.Runtime(n)
	}
	gain := s.Runtime(n) - s.Runtime(n+1)
	p.RecordDecision(log.Size, e.Job, log.Reason{Code: m.sizer.why(p.Machine().Slots(), n, gain), Other: job.None, X: micros(saved), Y: micros(gain)})
}

// micros converts seconds to microseconds.
func micros(seconds float64) int64 { return int64(math.Round(seconds * 1e6)) }
