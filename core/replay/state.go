package replay

import (
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
	Job    job.Index
	Procs  int      // what it is to start with, see gantt.Plans
	Length job.Time // by its estimate
	Start  job.Time // the planned one, job.Never where the log knows none
	view   uint8    // virtual machine of that plan
}

// State is what waits and what runs after an event.
type State struct {
	At        job.Time
	Waiting   []Waiting        // in the order of submission
	Running   []explain.Holder // in the order in which they come free by the estimates
	Preempted []job.Index      // off the machine between two of their pieces, in the order of submission

	replay *Replay
}

// State returns the state after event n; after 0 it is that before the first.
// The state at the end of the moment before is known at once; the events of the
// moment are then applied one by one.
func (p *Replay) State(n int) State {
	at := p.At(n)
	s := State{At: at, replay: p}
	m := p.index.At(at - 1)
	s.Running = m.Running
	slices.Sort(m.Waiting)
	for _, j := range m.Waiting {
		s.wait(j, at-1)
	}
	s.Preempted = slices.Sorted(p.index.Chart().Preempted(at - 1))
	for _, r := range p.plans.Reserved(at - 1) {
		s.plan(r.Job, r.Start, r.View)
	}
	for k := p.before(at) + 1; k <= n; k++ {
		s.happen(k)
	}
	return s
}

// Around returns the states before and after event n.
func (p *Replay) Around(n int) (before, after State) {
	before = p.State(max(n-1, 0))
	if n < 1 || p.At(n) != before.At {
		return before, p.State(n)
	}
	after = before
	after.Waiting, after.Running, after.Preempted = slices.Clone(before.Waiting), slices.Clone(before.Running), slices.Clone(before.Preempted)
	after.happen(n)
	return before, after
}

// happen lets event n happen.
func (s *State) happen(n int) {
	if r := s.replay.record(n); r != nil {
		s.apply(r)
	} else {
		s.wait(s.replay.Job(n), s.At-1) // later than all others
	}
}

// wait puts job j behind the waiting ones, with the size it had at a moment.
func (s *State) wait(j job.Index, at job.Time) {
	procs, length := s.replay.plans.Asks(j, at)
	s.Waiting = append(s.Waiting, Waiting{Job: j, Procs: procs, Length: length, Start: job.Never})
}

// find returns the place of job j among the waiting jobs.
func (s *State) find(j job.Index) (int, bool) {
	i := sort.Search(len(s.Waiting), func(i int) bool { return s.Waiting[i].Job >= j })
	return i, i < len(s.Waiting) && s.Waiting[i].Job == j
}

func (s *State) plan(j job.Index, start job.Time, view uint8) {
	if i, ok := s.find(j); ok {
		s.Waiting[i].Start, s.Waiting[i].view = start, view
	}
}

// Planned returns the planned start of job j, job.Never if it does not wait or the
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
		s.plan(r.Job, r.X, r.View)
	case log.Move:
		s.plan(r.Job, r.Y, r.View)
	case log.Hold:
		s.hold(r)
	case log.Resize:
		if i, ok := s.find(r.Job); ok {
			s.Waiting[i].Procs, s.Waiting[i].Length = int(r.Y), s.replay.log.Jobs[r.Job].Speedup().Seconds(int(r.Y))
		}
	case log.Start, log.Resume:
		if i, ok := s.find(r.Job); ok {
			s.Waiting = append(s.Waiting[:i], s.Waiting[i+1:]...)
		}
		if i, off := slices.BinarySearch(s.Preempted, r.Job); off {
			s.Preempted = slices.Delete(s.Preempted, i, i+1)
		}
		s.run(r.Job, r.At)
	case log.Finish, log.Suspend:
		if r.Kind == log.Suspend {
			i, _ := slices.BinarySearch(s.Preempted, r.Job)
			s.Preempted = slices.Insert(s.Preempted, i, r.Job)
		}
		s.stop(r.Job)
	case log.Reprice: // it ends sooner or later than was known
		if s.stop(r.Job) {
			s.run(r.Job, r.At)
		}
	}
}

// stop takes job j out of the running ones, and reports whether it was there.
func (s *State) stop(j job.Index) bool {
	i := slices.IndexFunc(s.Running, func(h explain.Holder) bool { return h.Job == j })
	if i >= 0 {
		s.Running = slices.Delete(s.Running, i, i+1)
	}
	return i >= 0
}

// run puts job j among the running ones.
func (s *State) run(j job.Index, at job.Time) {
	h := explain.Holder{Job: j, Slots: s.replay.log.Alloc(j).Count(), Until: s.replay.index.Until(j, at)}
	i := len(s.Running)
	s.Running = append(s.Running, h)
	for ; i > 0 && (s.Running[i-1].Until > h.Until || s.Running[i-1].Until == h.Until && s.Running[i-1].Job > j); i-- {
		s.Running[i] = s.Running[i-1]
	}
	s.Running[i] = h
}

// hold takes the planned start that a reason to wait names. Only one job of a
// queue is Blocked: its reservation takes the place of all others.
func (s *State) hold(r *log.Record) {
	if !gantt.NamesStart(r.Code) {
		return
	}
	for i := range s.Waiting {
		if r.Code == log.Blocked && s.Waiting[i].view == r.View {
			s.Waiting[i].Start = job.Never
		}
	}
	s.plan(r.Job, r.X, r.View)
}

// Free returns how many processors are free by the estimates from the moment from
// on, beside the running jobs and the planned starts.
func (s *State) Free(from job.Time) []profile.Step {
	l := s.replay.log
	steps := changes{{At: from, Free: l.Machine.Slots()}}
	take := func(n int, a, b job.Time) {
		if a = max(a, from); a < b {
			steps = append(steps, profile.Step{At: a, Free: -n}, profile.Step{At: b, Free: n})
		}
	}
	for _, b := range l.Machine.Outages {
		take(b.Procs, b.From, b.To)
	}
	for _, h := range s.Running {
		take(h.Slots, from, h.Until)
	}
	for _, w := range s.Waiting {
		if w.Start != job.Never {
			start := max(w.Start, from)
			take(w.Procs, start, start+w.Length)
		}
	}
	sort.Sort(steps)
	return steps.summed()
}

// changes is by how much a number of processors changes, and when.
type changes []profile.Step

func (c changes) Len() int           { return len(c) }
func (c changes) Less(i, j int) bool { return c[i].At < c[j].At }
func (c changes) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

// summed turns changes into levels, one for each moment at which they differ.
// While a policy is about to plan anew, old plans and new ones may overlap;
// fewer than none are never free.
func (c changes) summed() []profile.Step {
	var out []profile.Step
	free := 0
	for i, x := range c {
		free += x.Free
		if i+1 < len(c) && c[i+1].At == x.At {
			continue
		}
		if n := len(out); n == 0 || out[n-1].Free != max(free, 0) {
			out = append(out, profile.Step{At: x.At, Free: max(free, 0)})
		}
	}
	return out
}

// Pieces returns the state as a picture: what the running jobs hold from the moment
// of the event to their ends by the estimates, and the planned starts.
func (s *State) Pieces() []gantt.Piece {
	var held []gantt.Holding
	var plan []gantt.Reservation
	for _, h := range s.Running {
		held = append(held, gantt.Holding{Job: h.Job, Until: h.Until})
	}
	for _, w := range s.Waiting {
		if w.Start != job.Never {
			plan = append(plan, gantt.Reservation{Job: w.Job, Start: max(w.Start, s.At), Length: w.Length, Procs: w.Procs})
		}
	}
	return s.replay.index.Chart().Lay(s.At, held, plan)
}
