package worker

import (
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile"
	"backfill-lab/core/replay"
	"backfill-lab/ui/protocol"
)

const (
	mostInstead   = 10 // jobs for which the player explains why they did not start instead
	mostQueued    = 12 // jobs listed per state; longer lists are not readable
	mostStretches = 14 // columns in the table of free processors
)

// replayed returns the replay of the result, event by event.
func (r *result) replayed() *replay.Replay {
	if r.replay == nil {
		r.replay = replay.New(r.explained(), r.gantt())
	}
	return r.replay
}

func (s *Session) player(m Message, q protocol.Player) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	p := r.replayed().WithClock(rs.clock)
	n, found := max(0, min(q.Event, p.Len())), true
	if q.Place != nil {
		n, found = p.Find(*q.Place)
	}
	if q.By != 0 {
		n, found = p.Step(n, q.By, q.Stops)
	}
	head := played(p, n)
	head.Generation, head.Result, head.Found, head.TimeSlice = rs.generation, q.Result, found, r.turn(head.At, rs.clock)
	rs.addExpectedStarts(&head)
	s.host.Post("played", m.ID, head, nil)
	return nil
}

// played describes event n and the state after it, marking what changed since the state
// before.
func played(p *replay.Replay, n int) protocol.Played {
	before, after := p.StatesAround(n)
	head := protocol.Played{Event: n, Events: p.Len(), At: after.At, Place: p.Ref(n), Kind: p.Kind(n), Job: int(p.Job(n)), Moves: p.RecordsMoves(), Instead: list(p.WhyOthersWait(n, mostInstead)),
		Line: protocol.Line{At: timeOrNil(after.At), Parts: parts(p.Text(n))}, Waiting: []protocol.Queued{}, Running: []protocol.Queued{}}
	for _, w := range after.Waiting {
		if len(head.Waiting) == mostQueued {
			break
		}
		head.Waiting = append(head.Waiting, queued(p, w, &before, p.Kind(n) == replay.Submitted && p.Job(n) == w.Job))
	}
	head.Last = n == p.Len() || p.At(n+1) > after.At
	head.MoreWaiting = len(after.Waiting) - len(head.Waiting)
	for _, h := range after.Running[:min(mostQueued, len(after.Running))] {
		head.Running = append(head.Running, protocol.Queued{Job: int(h.Job), ID: p.Jobs()[h.Job].ID, At: timeOrNil(h.Until), New: len(before.Running) < len(after.Running) && p.Job(n) == h.Job})
	}
	head.MoreRunning = len(after.Running) - len(head.Running)
	for _, j := range after.Preempted[:min(mostQueued, len(after.Preempted))] {
		head.Preempted = append(head.Preempted, protocol.Queued{Job: int(j), ID: p.Jobs()[j].ID, New: p.Kind(n) == log.Kinds[log.Suspend].Name && p.Job(n) == j})
	}
	head.MorePreempted = len(after.Preempted) - len(head.Preempted)
	head.Free, head.Cut = compareProfiles(before.Free(after.At), after.Free(after.At))
	return head
}

func queued(p *replay.Replay, w replay.Waiting, before *replay.State, new bool) protocol.Queued {
	out := protocol.Queued{Job: int(w.Job), ID: p.Jobs()[w.Job].ID, At: timeOrNil(w.Start), New: new}
	if was := before.Planned(w.Job); was != w.Start {
		out.PreviousAt = timeOrNil(was)
	}
	return out
}

// compareProfiles merges two profiles of free processors into one table. cut is true if the
// table is too long to show all of it.
func compareProfiles(before, after []profile.Step) (out []protocol.Stretch, cut bool) {
	for i, k := 0, 0; i < len(before) || k < len(after); {
		if len(out) == mostStretches {
			return out, true
		}
		at := min(stepTime(before, i), stepTime(after, k))
		if stepTime(before, i) == at {
			i++
		}
		if stepTime(after, k) == at {
			k++
		}
		out = append(out, protocol.Stretch{At: at, Before: before[i-1].Free, After: after[k-1].Free})
	}
	return out, false
}

// stepTime returns the start time of step i, or job.Never after the last step.
func stepTime(steps []profile.Step, i int) job.Time {
	if i < len(steps) {
		return steps[i].At
	}
	return job.Never
}

// planned returns the planned schedule after event n, as seen at time at. n = -1 stands for
// the last event at that time, and n = -2 for the state before all events at that time. If
// the event moves a job, the list begins with its previous planned start, flagged
// gantt.Resumed.
func planned(p *replay.Replay, n int, at job.Time) []gantt.Piece {
	if n < 0 {
		place := replay.EventRef{Time: at, Event: replay.After}
		if n < -1 {
			place.Event = replay.Before
		}
		n, _ = p.Find(place)
	}
	n = min(n, p.Len())
	state := p.State(n)
	state.At = max(state.At, at)
	var out []gantt.Piece
	if p.Kind(n) == log.Kinds[log.Move].Name && p.At(n) == at {
		before := p.State(n - 1)
		for _, x := range before.Pieces() {
			if x.Job == p.Job(n) && x.Flags == gantt.Planned {
				x.Flags |= gantt.Resumed
				out = append(out, x)
			}
		}
	}
	return append(out, state.Pieces()...)
}
