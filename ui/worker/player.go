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
	maxInstead    = 10 // largest number of other waiting jobs for which the player explains why they did not start
	maxListedJobs = 12 // largest number of jobs listed for a state, such as waiting; longer lists are not readable
	maxFreeSteps  = 14 // largest number of columns in the table of free processors over time
)

// eventReplay returns the event-by-event replay of the result, built on first use.
func (r *result) eventReplay() *replay.Replay {
	if r.replay == nil {
		r.replay = replay.New(r.explainIndex(), r.gantt())
	}
	return r.replay
}

// player answers with an event that the player shows, and the state after it.
func (s *Session) player(m Message, q protocol.PlayerQuery) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	p := r.eventReplay().WithClock(rs.clock)
	n, found := max(0, min(q.Event, p.Len())), true
	if q.Place != nil {
		n, found = p.Find(*q.Place)
	}
	if q.By != 0 {
		n, found = p.Step(n, q.By, q.Stops)
	}
	head := describeEvent(p, n)
	head.Generation, head.Result, head.Found, head.TimeSlice = rs.generation, q.Result, found, r.sliceText(head.At, rs.clock)
	rs.addExpectedStarts(&head)
	s.host.Post("played", m.ID, head, nil)
	return nil
}

// describeEvent describes event n and the state after it. It marks what the event has changed.
func describeEvent(p *replay.Replay, n int) protocol.Played {
	before, after := p.StatesAround(n)
	head := protocol.Played{Event: n, Events: p.Len(), At: after.At, Place: p.Ref(n), Kind: p.Kind(n), Job: int(p.Job(n)), RecordsMoves: p.RecordsMoves(), WhyOthersWait: protocolList(p.WhyOthersWait(n, maxInstead)),
		Line: protocol.Line{At: timeOrNil(after.At), Parts: sentenceParts(p.Text(n))}, Waiting: []protocol.PlayerJob{}, Running: []protocol.PlayerJob{}}
	for _, w := range after.Waiting {
		if len(head.Waiting) == maxListedJobs {
			break
		}
		head.Waiting = append(head.Waiting, waitingJob(p, w, &before, p.Kind(n) == replay.Submitted && p.Job(n) == w.Job))
	}
	head.Last = n == p.Len() || p.At(n+1) > after.At
	head.MoreWaiting = len(after.Waiting) - len(head.Waiting)
	for _, h := range after.Running[:min(maxListedJobs, len(after.Running))] {
		head.Running = append(head.Running, protocol.PlayerJob{Job: int(h.Job), ID: p.Jobs()[h.Job].ID, At: timeOrNil(h.Until), New: len(before.Running) < len(after.Running) && p.Job(n) == h.Job})
	}
	head.MoreRunning = len(after.Running) - len(head.Running)
	for _, j := range after.Preempted[:min(maxListedJobs, len(after.Preempted))] {
		head.Preempted = append(head.Preempted, protocol.PlayerJob{Job: int(j), ID: p.Jobs()[j].ID, New: p.Kind(n) == log.Kinds[log.Suspend].Name && p.Job(n) == j})
	}
	head.MorePreempted = len(after.Preempted) - len(head.Preempted)
	head.Free, head.FreeCut = compareProfiles(before.Free(after.At), after.Free(after.At))
	return head
}

// waitingJob describes a job that waits after an event. stateBefore is the state before the event. isNew says whether
// the event submitted the job.
func waitingJob(p *replay.Replay, w replay.Waiting, stateBefore *replay.State, isNew bool) protocol.PlayerJob {
	out := protocol.PlayerJob{Job: int(w.Job), ID: p.Jobs()[w.Job].ID, At: timeOrNil(w.Start), New: isNew}
	if was := stateBefore.Planned(w.Job); was != w.Start {
		out.PreviousAt = timeOrNil(was)
	}
	return out
}

// compareProfiles merges the numbers of free processors over time, before and after an event, into one table. It also
// reports whether it cut the table after maxFreeSteps steps.
func compareProfiles(before, after []profile.Step) (out []protocol.FreeStep, cut bool) {
	for i, k := 0, 0; i < len(before) || k < len(after); {
		if len(out) == maxFreeSteps {
			return out, true
		}
		at := min(stepTime(before, i), stepTime(after, k))
		if stepTime(before, i) == at {
			i++
		}
		if stepTime(after, k) == at {
			k++
		}
		out = append(out, protocol.FreeStep{At: at, Before: before[i-1].Free, After: after[k-1].Free})
	}
	return out, false
}

// stepTime returns the start time of step i. It returns job.Never if there is no such step.
func stepTime(steps []profile.Step, i int) job.Time {
	if i < len(steps) {
		return steps[i].At
	}
	return job.Never
}

// plannedPieces returns the pieces of the schedule that is planned at the given time, after event n. Two values
// of n are special: -1 stands for the last event at that time, and -2 asks for the plan before all events at that
// time. If event n moves a job, the list begins with the previous pieces of this job, which have the flag
// gantt.Resumed.
func plannedPieces(p *replay.Replay, n int, at job.Time) []gantt.Piece {
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
