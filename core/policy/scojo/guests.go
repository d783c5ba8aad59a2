package scojo

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// measureGuestCapacity computes the capacity that the current slice leaves to guests, that is, to
// jobs of other types. It subtracts what the running jobs use, and what each waiting job of the
// slice's type will use from its planned start on. It returns false if guests get no capacity: no
// processor is free, or jobs of the slice's type wait and their policy does not plan starts.
func (s *Scojo) measureGuestCapacity(p *sim.Pass) bool {
	if p.Free() == 0 {
		return false
	}
	now, own := p.Now(), s.slices[0]
	s.guestCapacity.Reset(policy.WholeCapacity(p.Machine(), p.Machine().Slots()), now, own.to)
	for j := range p.Running() {
		s.guestCapacity.Take(p.Job(j).Demand(), now, now+p.Remaining(j))
	}
	planner, plans := s.types[own.class].inner.(sim.Planner)
	virtualNow := s.types[own.class].Now(now)
	for j := range p.Waiting() {
		q := p.Job(j)
		switch {
		case s.Class(q) != own.class:
		case !plans:
			return false
		default:
			if planned := planner.PlannedStart(j); planned != job.Never {
				start := now + planned - virtualNow
				s.guestCapacity.Take(q.Demand(), start, start+q.Estimate)
			}
		}
	}
	return true
}

// guestEnd returns when a guest frees its nodes: at its own end (after the given length of time) or
// at the end of the slice, whichever is earlier.
func (s *Scojo) guestEnd(now, length job.Time) job.Time { return min(s.slices[0].to, now+length) }

// resumeGuests resumes preempted jobs of other types as guests, if their slots and extra resources
// are free. They must also fit the guest capacity, unless their inner policy has already checked
// the delays that they cause.
func (s *Scojo) resumeGuests(p *sim.Pass) {
	now := p.Now()
	for c := range classes {
		if c == s.slices[0].class {
			continue
		}
		candidates, delaysChecked := s.resumableGuests(p, c)
		for _, j := range candidates {
			demand, length := s.heldDemand(p, j, p.Remaining(j))
			to := s.guestEnd(now, length)
			if p.Resumable(j) && (delaysChecked || s.guestCapacity.Has(demand, to)) {
				s.guestCapacity.Take(demand, now, to)
				p.Resume(j, log.Reason{Code: log.ResumedAsGuest, Other: job.None, X: to})
			}
		}
	}
}

// resumableGuests returns the preempted jobs of class c that may resume as guests. It also reports
// whether the inner policy has checked the delays that these jobs cause (see sim.Idle.DelaysChecked).
func (s *Scojo) resumableGuests(p *sim.Pass, c class) (jobs []job.Index, delaysChecked bool) {
	jobs = s.suspendedJobs(p, c)
	filler, ok := s.types[c].inner.(sim.Filler)
	if !ok {
		return jobs, false
	}
	n := 0
	for _, j := range jobs {
		if p.Resumable(j) {
			jobs[n] = j
			n++
		}
	}
	if n == 0 {
		return nil, false
	}
	idle := s.describeIdle(p, jobs[:n])
	p.RunFiller(s.types[c].View, s.types[s.slices[0].class].View, idle, filler.Recall)
	return idle.Preempted, idle.DelaysChecked
}

// reportProgress calls AddProgress for each running guest, so that the view of the guest takes
// the progress of the guest into account.
func (s *Scojo) reportProgress(p *sim.Pass) {
	for j := range p.Running() {
		if c := s.Class(p.Job(j)); c != s.slices[0].class {
			s.types[c].AddProgress(j)
		}
	}
}

// startGuests lets waiting jobs of view v start as guests. If the inner policy is a sim.Filler,
// startGuests calls the method Fill of the policy, and otherwise the method Schedule.
func (s *Scojo) startGuests(p *sim.Pass, v typeView) {
	s.idle = s.describeIdle(p, nil)
	if filler, ok := v.inner.(sim.Filler); ok {
		p.RunFiller(v.View, s.types[s.slices[0].class].View, s.idle, filler.Fill)
	} else {
		p.RunInner(v.View, v.inner)
	}
	s.idle = nil
}

// describeIdle describes the current slice for a sim.Filler that schedules jobs of another type.
func (s *Scojo) describeIdle(p *sim.Pass, preempted []job.Index) *sim.Idle {
	own := s.slices[0]
	holds := func(j job.Index) (job.Demand, job.Time) { return s.heldDemand(p, j, p.Remaining(j)) }
	return &sim.Idle{Owner: s.types[own.class].inner, Until: own.to, Holds: holds, Preempted: preempted}
}

// Admit implements sim.Host. It admits jobs in the slices of their own type, and as guests in other
// slices if the idle capacity suffices. It does not check whether a guest delays jobs of its own
// type: the inner policy starts only jobs that are due in its plan, or has checked the delays. If a
// job lacks resources in a slice of its own type, Admit records this.
func (s *Scojo) Admit(p *sim.Pass, v *sim.View, j job.Index, open *cluster.Free, why log.Reason) (cluster.Set, log.Reason) {
	q, now := p.Job(j), p.Now()
	own := s.clockRuns && s.slices[0].class == class(v.Number-1)
	if !own {
		if s.idle == nil {
			return nil, why
		}
		to := s.guestEnd(now, q.Estimate)
		if open.Count() < q.Procs || !s.idle.DelaysChecked && !s.guestCapacity.Has(q.Demand(), to) {
			return nil, why
		}
		s.guestCapacity.Take(q.Demand(), now, to)
		if !s.idle.DelaysChecked {
			why = log.Reason{Code: log.StartedAsGuest, Other: job.None, X: to}
		}
	}
	if open.Count() < q.Procs {
		s.recordBlocked(p, j)
		return nil, why
	}
	return s.selectSlots(p, open, q.Procs), why
}

// WallClockAt returns the wall-clock time at which the clock of the view will show t, as predicted by
// wallTimeAfter.
func (s *Scojo) WallClockAt(p *sim.Pass, v *sim.View, t job.Time) job.Time {
	now := p.Now()
	return s.wallTimeAfter(class(v.Number-1), max(0, t-v.Now(now)), now)
}

// selectSlots selects the given number of open slots. By default it selects the lowest ones. If
// leastShared is set, it selects the slots to which the fewest suspended jobs are bound, which gives
// suspended jobs more chances to resume as guests.
func (s *Scojo) selectSlots(p *sim.Pass, open *cluster.Free, procs int) cluster.Set {
	if !s.leastShared {
		return open.TakeLowest(procs, nil)
	}
	bound := make([]uint8, p.Machine().Slots()) // by slot: number of suspended jobs bound to it, at most one of each type
	for j := range p.Suspended() {
		for _, r := range p.Slots(j) {
			for k := r.Lo; k < r.Hi; k++ {
				bound[k]++
			}
		}
	}
	limit, atLimit := fewestBound(bound, open.Set(), procs)
	var out cluster.Set
	for _, r := range open.Set() {
		for k := r.Lo; k < r.Hi; k++ {
			if bound[k] > limit || bound[k] == limit && atLimit == 0 {
				continue
			}
			if bound[k] == limit {
				atLimit--
			}
			out = out.Append(k, k+1)
		}
	}
	return out
}

// fewestBound tells how to select the given number of open slots, those with the fewest bound jobs
// first: all slots with fewer than limit bound jobs, and atLimit of the slots with exactly limit
// bound jobs. The argument boundJobs holds the number of bound jobs of each slot.
func fewestBound(boundJobs []uint8, open cluster.Set, procs int) (limit uint8, atLimit int) {
	var count [classes + 1]int // by number of bound jobs: number of slots
	for _, r := range open {
		for k := r.Lo; k < r.Hi; k++ {
			count[boundJobs[k]]++
		}
	}
	atLimit = procs
	for atLimit > count[limit] {
		atLimit -= count[limit]
		limit++
	}
	return limit, atLimit
}
