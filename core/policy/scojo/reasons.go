package scojo

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// recordNewWaits records why the jobs submitted at this instant wait.
func (s *Scojo) recordNewWaits(p *sim.Pass) {
	if p.Level() < log.Decisions {
		return
	}
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted && len(p.Slots(ev.Job)) == 0 {
			s.recordWait(p, ev.Job)
		}
	}
}

// recordWait records why job j waits: for its planned start, or only for a slice of its type. It
// records nothing if neither reason applies.
func (s *Scojo) recordWait(p *sim.Pass, j job.Index) {
	now, c := p.Now(), s.Class(p.Job(j))
	v := s.types[c]
	if planner, ok := v.inner.(sim.Planner); ok {
		if planned := planner.PlannedStart(j); planned > v.Now(now) && planned != job.Never {
			p.RecordWait(j, log.Reason{Code: log.PlannedSlice, Other: job.None, X: s.WallClockAt(p, v.View, planned)})
			return
		}
	}
	if !s.clockRuns || s.slices[0].class != c {
		p.RecordWait(j, log.Reason{Code: log.AwaitsSlice, Other: job.None, X: s.wallTimeAfter(c, 0, now)})
		s.awaiting = append(s.awaiting, j)
	}
}

// updateAwaiting records a new reason to wait for each job in s.awaiting whose class is affected. A
// class is affected if its slice has begun, or will begin later than recorded.
func (s *Scojo) updateAwaiting(p *sim.Pass, affected func(class) bool) {
	jobs := s.awaiting
	s.awaiting = nil
	for _, j := range jobs {
		switch {
		case len(p.Slots(j)) > 0:
		case affected(s.Class(p.Job(j))):
			s.recordWait(p, j)
		default:
			s.awaiting = append(s.awaiting, j)
		}
	}
}

// recordBlocked records, once per slice, that job j should start now but lacks processors or an extra
// resource. As the cause it names the guest that holds the lacking resource and can stay longest.
func (s *Scojo) recordBlocked(p *sim.Pass, j job.Index) {
	if slices.Contains(s.blocked, j) {
		return
	}
	s.blocked = append(s.blocked, j)
	guest, until, own := job.None, job.Time(0), s.Class(p.Job(j))
	lacking := s.lackingResource(p, j)
	for g := range p.Running() {
		holds := lacking < 0 || p.Job(g).Extra(lacking) > 0
		if to := s.guestEnd(p.Now(), p.Remaining(g)); holds && s.Class(p.Job(g)) != own && to > until {
			guest, until = g, to
		}
	}
	p.RecordWait(j, log.Reason{Code: log.HeldByOther, Other: guest, X: until})
}

// lackingResource returns the index of the first extra resource of which job j needs more than is
// free. It returns -1 if there is none, that is, if j lacks only processors.
func (s *Scojo) lackingResource(p *sim.Pass, j job.Index) int {
	for k := range p.Machine().Resources {
		if p.Job(j).Extra(k) > p.FreeExtra(k) {
			return k
		}
	}
	return -1
}

// updateBlocked records a new reason to wait for each job that was blocked in the current slice and
// has not started. It is called at the end of the slice.
func (s *Scojo) updateBlocked(p *sim.Pass) {
	for _, j := range s.blocked {
		if len(p.Slots(j)) == 0 {
			s.recordWait(p, j)
		}
	}
	s.blocked = s.blocked[:0]
}
