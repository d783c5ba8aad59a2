package replay

import (
	"cmp"
	"slices"
	"sort"

	"backfill-lab/core/explain"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile"
)

// Waiting is a job that waits.
type Waiting struct {
	Job   job.Index
	Start job.Time // the planned one, job.Never where the log knows none
}

// State is what waits and what runs after an event.
type State struct {
	At      job.Time
	Waiting []Waiting        // in the order of submission
	Running []explain.Holder // in the order in which they come free by the estimates

	replay *Replay
}

// State is the state after event n; after 0 it is that before the first.
// The state at the end of the moment before is known at once; the events of the
// moment are then applied one by one.
func (p *Replay) State(n int) State {
	at := p.At(n)
	s := State{At: at, replay: p}
	m := p.index.At(at - 1)
	s.Running = m.Running
	slices.Sort(m.Waiting)
	for _, j := range m.Waiting {
		s.Waiting = append(s.Waiting, Waiting{j, job.Never})
	}
	for _, r := range p.plans.Reserved(at - 1) {
		s.plan(r.Job, r.Start)
	}
	for k := p.before(at) + 1; k <= n; k++ {
		if r := p.record(k); r != nil {
			s.apply(r)
		} else {
			s.submit(p.Job(k))
		}
	}
	slices.SortStableFunc(s.Running, func(a, b explain.Holder) int {
		return cmp.Or(cmp.Compare(a.Until, b.Until), cmp.Compare(a.Job, b.Job))
	})
	return s
}

func (s *State) submit(j job.Index) {
	i, _ := s.find(j)
	s.Waiting = slices.Insert(s.Waiting, i, Waiting{j, job.Never})
}

// find is the place of job j among the waiting jobs.
func (s *State) find(j job.Index) (int, bool) {
	i := sort.Search(len(s.Waiting), func(i int) bool { return s.Waiting[i].Job >= j })
	return i, i < len(s.Waiting) && s.Waiting[i].Job == j
}

func (s *State) plan(j job.Index, start job.Time) {
	if i, ok := s.find(j); ok {
		s.Waiting[i].Start = start
	}
}

// Planned is the planned start of job j, job.Never if it does not wait or the
// log knows none.
func (s *State) Planned(j job.Index) job.Time {
	if i, ok := s.find(j); ok {
		return s.Waiting[i].Start
	}
	return job.Never
}

// apply lets a record happen.
func (s *State) apply(r *log.Record) {
	switch r.Kind {
	case log.Promise:
		s.plan(r.Job, r.X)
	case log.Move:
		s.plan(r.Job, r.Y)
	case log.Hold:
		s.hold(r)
	case log.Start, log.Resume:
		if i, ok := s.find(r.Job); ok {
			s.Waiting = slices.Delete(s.Waiting, i, i+1)
		}
		s.Running = append(s.Running, s.replay.holder(r.Job, r.At))
	case log.Finish, log.Suspend:
		s.Running = slices.DeleteFunc(s.Running, func(h explain.Holder) bool { return h.Job == r.Job })
	}
}

// hold takes the planned start that a reason to wait names. Only one job of a
// queue is Blocked: its reservation takes the place of all others.
func (s *State) hold(r *log.Record) {
	if !gantt.NamesStart(r.Code) {
		return
	}
	for i := range s.Waiting {
		if r.Code == log.Blocked {
			s.Waiting[i].Start = job.Never
		}
	}
	s.plan(r.Job, r.X)
}

// holder is the job j that has just come on the machine.
func (p *Replay) holder(j job.Index, at job.Time) explain.Holder {
	return explain.Holder{Job: j, Slots: p.log.Alloc(j).Count(), Until: p.index.Predict(j, at)}
}

// Free is how many processors are free by the estimates from the moment from
// on, beside the running jobs and the planned starts.
func (s *State) Free(from job.Time) []profile.Step {
	l := s.replay.log
	steps := []profile.Step{{At: from, Free: l.Machine.Slots()}}
	take := func(n int, a, b job.Time) {
		if a = max(a, from); a < b {
			steps = append(steps, profile.Step{At: a, Free: -n}, profile.Step{At: b, Free: n})
		}
	}
	for _, h := range s.Running {
		take(h.Slots, from, h.Until)
	}
	for _, w := range s.Waiting {
		if w.Start != job.Never {
			start := max(w.Start, from)
			take(l.Jobs[w.Job].Procs, start, start+l.Jobs[w.Job].Estimate)
		}
	}
	slices.SortStableFunc(steps, func(a, b profile.Step) int { return cmp.Compare(a.At, b.At) })
	return summed(steps)
}

// summed turns changes into levels, one for each moment at which they differ.
// While a policy is about to plan anew, old plans and new ones may overlap;
// fewer than none are never free.
func summed(changes []profile.Step) []profile.Step {
	var out []profile.Step
	free := 0
	for i, c := range changes {
		free += c.Free
		if i+1 < len(changes) && changes[i+1].At == c.At {
			continue
		}
		if n := len(out); n == 0 || out[n-1].Free != max(free, 0) {
			out = append(out, profile.Step{At: c.At, Free: max(free, 0)})
		}
	}
	return out
}

// Pieces is the state as a picture: what the running jobs hold from the moment
// of the event to their ends by the estimates, and the planned starts.
func (s *State) Pieces() []gantt.Piece {
	var held []gantt.Holding
	var plan []gantt.Reservation
	for _, h := range s.Running {
		held = append(held, gantt.Holding{Job: h.Job, Until: h.Until})
	}
	for _, w := range s.Waiting {
		if w.Start != job.Never {
			plan = append(plan, gantt.Reservation{Job: w.Job, Start: max(w.Start, s.At)})
		}
	}
	return s.replay.index.Chart().Lay(s.At, held, plan)
}
