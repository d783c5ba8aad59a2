package metrics

import (
	"cmp"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// Step is the state of the machine from a moment until the next step.
type Step struct {
	At      job.Time
	Busy    int // processors in use
	Waiting int // jobs submitted and never started
	Nodes   int // nodes in use, where they are counted
}

// Steps reads how use of the machine and length of the queue change over time:
// one step for each moment at which a job is submitted, goes on the machine or
// leaves it. Intervals are half open, so what ends at a moment and what begins
// at it meet in one step.
func Steps(s *schedule.Schedule) []Step { return steps(inOrder(s), nil) }

// inOrder returns the rows in submit order.
func inOrder(s *schedule.Schedule) []schedule.Row {
	bySubmit := func(a, b schedule.Row) int { return cmp.Compare(a.Submit, b.Submit) }
	if slices.IsSortedFunc(s.Rows, bySubmit) {
		return s.Rows
	}
	rows := slices.Clone(s.Rows)
	slices.SortStableFunc(rows, bySubmit)
	return rows
}

// change is what happens at a moment: a job arrives, begins a segment, perhaps the
// first one, or ends it.
type change struct {
	at            job.Time
	row           int32
	busy, waiting int8 // 1, 0 or -1
}

// steps also counts nodes in use where on is not nil.
func steps(rows []schedule.Row, on *nodes) []Step {
	arrive, begin, end := changes(rows)
	out := make([]Step, 0, len(arrive)+len(begin)+len(end))
	now := Step{}
	for {
		t := min(arrive.at(), begin.at(), end.at())
		if t == job.Never {
			return out
		}
		now.At = t
		arrive.apply(&now, rows, on)
		begin.apply(&now, rows, on)
		end.apply(&now, rows, on)
		out = append(out, now)
	}
}

// queue is changes in the order of time, taken from the front.
type queue []change

func (q *queue) at() job.Time {
	if len(*q) == 0 {
		return job.Never
	}
	return (*q)[0].at
}

// apply takes the changes of the moment s.At and adds them to s.
func (q *queue) apply(s *Step, rows []schedule.Row, on *nodes) {
	for q.at() == s.At {
		c := (*q)[0]
		s.Waiting += int(c.waiting)
		if c.busy != 0 {
			s.Busy += int(c.busy) * rows[c.row].Procs
			s.Nodes += on.change(&rows[c.row], int32(c.busy))
		}
		*q = (*q)[1:]
	}
}

// changes lists arrivals, begins and ends, each in the order of time.
func changes(rows []schedule.Row) (arrive, begin, end queue) {
	arrive = make(queue, 0, len(rows))
	begin = make(queue, 0, len(rows))
	end = make(queue, 0, len(rows))
	for i := range rows {
		r, row := &rows[i], int32(i)
		arrive = append(arrive, change{r.Submit, row, 0, 1})
		if r.Start != job.Never {
			begin = append(begin, change{r.Start, row, 0, -1})
		}
		for k, g := range r.Segments {
			if last := len(begin) - 1; k == 0 && g.From == r.Start {
				begin[last].busy = 1
			} else {
				begin = append(begin, change{g.From, row, 1, 0})
			}
			end = append(end, change{g.To, row, -1, 0})
		}
	}
	byTime := func(a, b change) int { return cmp.Compare(a.at, b.at) }
	slices.SortFunc(begin, byTime)
	slices.SortFunc(end, byTime)
	return arrive, begin, end
}
