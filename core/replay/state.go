package replay

import (
	"slices"
	"sort"

	"backfill-lab/core/explain"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile"
	"backfill-lab/core/timeline"
)

// Waiting holds a waiting job with its planned start.
type Waiting struct {
	Job    job.Index
	Procs  int      // planned number of processors, see timeline.Plans
	Length job.Time // estimated runtime on Procs processors
	Start  job.Time // planned start, or job.Never if none is recorded
	view   uint8    // number of the virtual machine whose policy planned the start; 0 without time slices
}

// State holds the waiting, running and preempted jobs after an event.
type State struct {
	At        job.Time
	Waiting   []Waiting        // in index order
	Running   []explain.Holder // sorted by estimated end
	Preempted []job.Index      // suspended jobs, in index order

	replay *Replay
}

// State returns the state after event n, or the initial state for n = 0. It begins with the state one
// second before event n, which the index provides. It then applies the events at the time of event n,
// up to event n.
func (p *Replay) State(n int) State {
	at := p.At(n)
	s := State{At: at, replay: p}
	m := p.index.At(at - 1)
	s.Running = m.Running
	slices.Sort(m.Waiting)
	for _, j := range m.Waiting {
		s.addWaiting(j, at-1)
	}
	s.Preempted = slices.Sorted(p.chart.Preempted(at - 1))
	for _, r := range p.plans.Reservations(at - 1) {
		s.setPlanned(r.Job, r.Start, r.View)
	}
	for k := p.countBefore(at) + 1; k <= n; k++ {
		s.applyEvent(k)
	}
	return s
}

// StatesAround returns the states before and after event n.
func (p *Replay) StatesAround(n int) (before, after State) {
	before = p.State(max(n-1, 0))
	if n < 1 || p.At(n) != before.At {
		return before, p.State(n)
	}
	after = before
	after.Waiting, after.Running, after.Preempted = slices.Clone(before.Waiting), slices.Clone(before.Running), slices.Clone(before.Preempted)
	after.applyEvent(n)
	return before, after
}

// applyEvent updates the state with event n.
func (s *State) applyEvent(n int) {
	if r := s.replay.record(n); r != nil {
		s.apply(r)
	} else {
		s.addWaiting(s.replay.Job(n), s.At-1) // jobs are in order of submission, so the jobs that wait already have lower indexes
	}
}

// addWaiting appends job j to the waiting jobs, with the size that was planned for it at the given
// time.
func (s *State) addWaiting(j job.Index, at job.Time) {
	procs, length := s.replay.plans.PlannedSize(j, at)
	s.Waiting = append(s.Waiting, Waiting{Job: j, Procs: procs, Length: length, Start: job.Never})
}

// findWaiting returns the position of job j in Waiting, and reports whether the job waits.
func (s *State) findWaiting(j job.Index) (int, bool) {
	i := sort.Search(len(s.Waiting), func(i int) bool { return s.Waiting[i].Job >= j })
	return i, i < len(s.Waiting) && s.Waiting[i].Job == j
}

// setPlanned sets the planned start of job j, if the job waits.
func (s *State) setPlanned(j job.Index, start job.Time, view uint8) {
	if i, ok := s.findWaiting(j); ok {
		s.Waiting[i].Start, s.Waiting[i].view = start, view
	}
}

// Planned returns the planned start of job j. It returns job.Never if the job does not wait or no
// planned start is recorded.
func (s *State) Planned(j job.Index) job.Time {
	if i, ok := s.findWaiting(j); ok {
		return s.Waiting[i].Start
	}
	return job.Never
}

// apply updates the state with a log record.
func (s *State) apply(r *log.Record) {
	switch r.Kind {
	case log.Promise:
		s.setPlanned(r.Job, r.X, r.View)
	case log.Move:
		s.setPlanned(r.Job, r.Y, r.View)
	case log.Hold:
		s.applyWaitReason(r)
	case log.Resize:
		if i, ok := s.findWaiting(r.Job); ok {
			s.Waiting[i].Procs, s.Waiting[i].Length = int(r.Y), s.replay.log.Jobs[r.Job].Speedup().Seconds(int(r.Y))
		}
	case log.Start, log.Resume:
		if i, ok := s.findWaiting(r.Job); ok {
			s.Waiting = append(s.Waiting[:i], s.Waiting[i+1:]...)
		}
		if i, found := slices.BinarySearch(s.Preempted, r.Job); found {
			s.Preempted = slices.Delete(s.Preempted, i, i+1)
		}
		s.addRunning(r.Job, r.At)
	case log.Finish, log.Suspend:
		if r.Kind == log.Suspend {
			i, _ := slices.BinarySearch(s.Preempted, r.Job)
			s.Preempted = slices.Insert(s.Preempted, i, r.Job)
		}
		s.removeRunning(r.Job)
	case log.RateChange: // a new rate changes the estimated end
		if s.removeRunning(r.Job) {
			s.addRunning(r.Job, r.At)
		}
	}
}

// removeRunning removes job j from Running and reports whether it was there.
func (s *State) removeRunning(j job.Index) bool {
	i := slices.IndexFunc(s.Running, func(h explain.Holder) bool { return h.Job == j })
	if i >= 0 {
		s.Running = slices.Delete(s.Running, i, i+1)
	}
	return i >= 0
}

// addRunning inserts job j into Running. It uses the estimated end that was known at the given
// time.
func (s *State) addRunning(j job.Index, at job.Time) {
	h := explain.Holder{Job: j, Slots: s.replay.log.Alloc(j).Count(), Until: s.replay.index.HoldsUntil(j, at)}
	i := len(s.Running)
	s.Running = append(s.Running, h)
	for ; i > 0 && (s.Running[i-1].Until > h.Until || s.Running[i-1].Until == h.Until && s.Running[i-1].Job > j); i-- {
		s.Running[i] = s.Running[i-1]
	}
	s.Running[i] = h
}

// applyWaitReason sets the planned start of a waiting job if r, the record of why it waits,
// contains one. Only the head of a queue has the reason Blocked. The reservation of the head replaces
// all other planned starts of the same virtual machine.
func (s *State) applyWaitReason(r *log.Record) {
	if !timeline.XIsPlannedStart(r.Code) {
		return
	}
	for i := range s.Waiting {
		if r.Code == log.Blocked && s.Waiting[i].view == r.View {
			s.Waiting[i].Start = job.Never
		}
	}
	s.setPlanned(r.Job, r.X, r.View)
}

// Free returns the estimated number of free processors as a function of time, starting at the given
// time. It subtracts outages, running jobs and jobs with a planned start.
func (s *State) Free(from job.Time) []profile.Step {
	l := s.replay.log
	steps := changes{{At: from, Free: l.Machine.Slots()}}
	subtract := func(n int, start, end job.Time) {
		if start = max(start, from); start < end {
			steps = append(steps, profile.Step{At: start, Free: -n}, profile.Step{At: end, Free: n})
		}
	}
	for _, o := range l.Machine.Outages {
		subtract(o.Procs, o.From, o.To)
	}
	for _, h := range s.Running {
		subtract(h.Slots, from, h.Until)
	}
	for _, w := range s.Waiting {
		if w.Start != job.Never {
			start := max(w.Start, from)
			subtract(w.Procs, start, start+w.Length)
		}
	}
	sort.Sort(steps)
	return steps.levels()
}

// changes lists times at which the number of free processors changes. Each Step.Free holds the
// change, not the free amount.
type changes []profile.Step

func (c changes) Len() int           { return len(c) }
func (c changes) Less(i, j int) bool { return c[i].At < c[j].At }
func (c changes) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

// levels adds up sorted changes. It returns the number of free processors after each time at which
// the number changes. Negative sums become 0: while a policy replans, old and new planned starts
// can overlap.
func (c changes) levels() []profile.Step {
	var out []profile.Step
	free := 0
	for i, change := range c {
		free += change.Free
		if i+1 < len(c) && c[i+1].At == change.At {
			continue
		}
		if n := len(out); n == 0 || out[n-1].Free != max(free, 0) {
			out = append(out, profile.Step{At: change.At, Free: max(free, 0)})
		}
	}
	return out
}

// Pieces returns the bars of a Gantt chart of the state: running jobs until their estimated ends,
// and waiting jobs at their planned starts.
func (s *State) Pieces() []gantt.Piece {
	var running []timeline.RunningJob
	for _, h := range s.Running {
		running = append(running, timeline.RunningJob{Job: h.Job, Until: h.Until})
	}
	return s.replay.chart.PlanPieces(s.At, running, s.reservations())
}

// reservations returns the planned starts of the waiting jobs, in index order.
func (s *State) reservations() (out []timeline.Reservation) {
	for _, w := range s.Waiting {
		if w.Start != job.Never {
			out = append(out, timeline.Reservation{Job: w.Job, Start: max(w.Start, s.At), Length: w.Length, Procs: w.Procs})
		}
	}
	return out
}
