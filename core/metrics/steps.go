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
}

// Steps reads how use of the machine and length of the queue change over time:
// one step for each moment at which a job is submitted, goes on the machine or
// leaves it. Intervals are half open, so what ends at a moment and what begins
// at it meet in one step.
func Steps(s *schedule.Schedule) []Step { return steps(inOrder(s)) }

// inOrder is the rows in submit order.
func inOrder(s *schedule.Schedule) []schedule.Row {
	bySubmit := func(a, b schedule.Row) int { return cmp.Compare(a.Submit, b.Submit) }
	if slices.IsSortedFunc(s.Rows, bySubmit) {
		return s.Rows
	}
	rows := slices.Clone(s.Rows)
	slices.SortStableFunc(rows, bySubmit)
	return rows
}

// change is what happens at a moment.
type change struct {
	at            job.Time
	busy, waiting int32
}

func steps(rows []schedule.Row) []Step {
	arrive, begin, end := changes(rows)
	out := make([]Step, 0, len(arrive)+len(begin)+len(end))
	now := Step{}
	for {
		t := min(arrive.at(), begin.at(), end.at())
		if t == job.Never {
			return out
		}
		now.At = t
		arrive.apply(&now)
		begin.apply(&now)
		end.apply(&now)
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
func (q *queue) apply(s *Step) {
	for q.at() == s.At {
		s.Busy += int((*q)[0].busy)
		s.Waiting += int((*q)[0].waiting)
		*q = (*q)[1:]
	}
}

// changes lists arrivals, begins and ends, each in the order of time.
func changes(rows []schedule.Row) (arrive, begin, end queue) {
	arrive = make(queue, 0, len(rows))
	begin = make(queue, 0, len(rows))
	end = make(queue, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		arrive = append(arrive, change{r.Submit, 0, 1})
		if r.Start != job.Never {
			begin = append(begin, change{r.Start, 0, -1})
		}
		for k, g := range r.Segments {
			if last := len(begin) - 1; k == 0 && g.From == r.Start {
				begin[last].busy = int32(r.Procs)
			} else {
				begin = append(begin, change{g.From, int32(r.Procs), 0})
			}
			end = append(end, change{g.To, int32(-r.Procs), 0})
		}
	}
	byTime := func(a, b change) int { return cmp.Compare(a.at, b.at) }
	slices.SortFunc(begin, byTime)
	slices.SortFunc(end, byTime)
	return arrive, begin, end
}
