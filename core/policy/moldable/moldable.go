// Package moldable is scheduling of jobs whose number of processors the
// scheduler chooses (Wu et al. 2015). It is no queue discipline of its own: a
// sizer chooses the sizes of the waiting jobs, a selection starts jobs with the
// sizes as they are. Running jobs keep theirs, and so do rigid jobs.
package moldable

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Moldable is the policy: a sizer and a selection over one queue.
type Moldable struct {
	waiting   waiting
	releases  policy.Releases
	sizer     sizer
	selection selection
	eager     bool // sizes are chosen anew after each start, not only at each instant
	stale     bool // the queue has changed since the sizes were chosen
}

// sizer chooses the sizes of waiting jobs, when they come or at each instant.
type sizer interface {
	// add takes in a job that has just entered the queue, one processor wide
	// unless it is rigid.
	add(p *sim.Pass, w *waiting, j job.Index)
	// remove takes out a job that starts.
	remove(p *sim.Pass, j job.Index)
	// allocate chooses the sizes of the waiting jobs anew.
	allocate(p *sim.Pass, w *waiting)
	// why says why a moldable job got procs processors and no more; gain is what
	// one more would take off its runtime.
	why(m, procs int, gain float64) log.Code
	clone() sizer
}

// selection says which waiting job starts next.
type selection interface {
	// begin makes it look at the whole queue again: sizes or the machine have
	// changed.
	begin()
	// next is the place of a job to start in the queue, -1 if there is none.
	next(p *sim.Pass, w *waiting, r *policy.Releases) (place int, why log.Reason)
	clone() selection
}

func (m *Moldable) Clone() sim.Policy {
	c := *m
	c.waiting, c.releases = m.waiting.clone(), m.releases.Clone()
	c.sizer, c.selection = m.sizer.clone(), m.selection.clone()
	return &c
}

func (m *Moldable) Schedule(p *sim.Pass) {
	m.releases.Observe(p)
	happened := false
	for _, ev := range p.Events() {
		happened = happened || ev.Kind != sim.Woke
		if ev.Kind == sim.Submitted {
			m.waiting.enter(p, ev.Job)
			m.sizer.add(p, &m.waiting, ev.Job)
			m.stale = true
		}
	}
	if m.stale && happened {
		m.allocate(p)
	}
	m.selection.begin()
	for m.startNext(p) {
		if m.eager {
			m.allocate(p)
			m.selection.begin()
		}
	}
}

func (m *Moldable) allocate(p *sim.Pass) {
	m.sizer.allocate(p, &m.waiting)
	m.waiting.tell(p)
	m.stale = false
}

// startNext starts the next job and reports whether there was one.
func (m *Moldable) startNext(p *sim.Pass) bool {
	i, why := m.selection.next(p, &m.waiting, &m.releases)
	if i < 0 {
		return false
	}
	e := m.waiting.Entries[i]
	if !p.Start(e.Job, sim.Claim{Procs: int(e.Procs)}, why) {
		return false
	}
	m.tell(p, &e)
	m.releases.Add(p.Predict(e.Job), e.Job, e.Procs)
	m.waiting.leave(p, i)
	m.sizer.remove(p, e.Job)
	m.stale = true
	return true
}

// tell records why a moldable job that has just started is as wide as it is.
func (m *Moldable) tell(p *sim.Pass, e *policy.Entry) {
	s := p.Job(e.Job).Speedup()
	if s == nil || p.Level() < log.Decisions {
		return
	}
	n, saved := int(e.Procs), 0.0
	if n > 1 {
		saved = s.Runtime(n-1) - s.Runtime(n)
	}
	gain := s.Runtime(n) - s.Runtime(n+1)
	p.Size(e.Job, log.Reason{Code: m.sizer.why(p.Machine().Slots(), n, gain), Other: job.None, X: micros(saved), Y: micros(gain)})
}

func micros(seconds float64) int64 { return int64(math.Round(seconds * 1e6)) }
