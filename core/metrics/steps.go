package metrics

import (
	"cmp"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// step holds how many processors and nodes are in use, and how many jobs wait, from time At until
// the next step.
type step struct {
	At      job.Time
	Busy    int // processors in use
	Waiting int // jobs that were submitted but have not started
	Nodes   int // nodes in use; 0 if nodes are not counted
}

// sortedBySubmit returns the rows in order of submission. It does not change the schedule.
func sortedBySubmit(s *schedule.Schedule) []schedule.Row {
	if slices.IsSortedFunc(s.Rows, func(a, b schedule.Row) int { return cmp.Compare(a.Submit, b.Submit) }) {
		return s.Rows
	}
	rows := slices.Clone(s.Rows)
	job.SortByTime(rows, func(r *schedule.Row) job.Time { return r.Submit })
	return rows
}

// change records that a job arrives or starts, or that a segment of a job starts or ends.
type change struct {
	at            job.Time
	row           int32 // index of the row of the job
	busy, waiting int8  // -1, 0 or 1: by how much the numbers of running and of waiting jobs change
}

// steps returns one step for each time at which a job arrives, starts to run or stops. All changes
// at the same time form one step. The steps contain the number of nodes in use only if counts is
// not nil.
func steps(rows []schedule.Row, counts *nodeCounts) []step {
	arrivals, starts, ends := changes(rows)
	out := make([]step, 0, len(arrivals)+len(starts)+len(ends))
	now := step{}
	for {
		t := min(arrivals.next(), starts.next(), ends.next())
		if t == job.Never {
			return out
		}
		now.At = t
		arrivals.apply(&now, rows, counts)
		starts.apply(&now, rows, counts)
		ends.apply(&now, rows, counts)
		out = append(out, now)
	}
}

// changeQueue holds changes in order of time. Method apply removes them from the front.
type changeQueue []change

// next returns the time of the first change, or job.Never if the queue is empty.
func (q *changeQueue) next() job.Time {
	if len(*q) == 0 {
		return job.Never
	}
	return (*q)[0].at
}

// apply removes the changes at time s.At from the queue and updates s with them.
func (q *changeQueue) apply(s *step, rows []schedule.Row, counts *nodeCounts) {
	for q.next() == s.At {
		c := (*q)[0]
		s.Waiting += int(c.waiting)
		if c.busy != 0 {
			s.Busy += int(c.busy) * rows[c.row].Procs
			s.Nodes += counts.update(&rows[c.row], int32(c.busy))
		}
		*q = (*q)[1:]
	}
}

// changes returns three queues: the arrivals of jobs, the starts of jobs and segments, and the ends
// of segments.
func changes(rows []schedule.Row) (arrivals, starts, ends changeQueue) {
	arrivals = make(changeQueue, 0, len(rows))
	starts = make(changeQueue, 0, len(rows))
	ends = make(changeQueue, 0, len(rows))
	for i := range rows {
		r, row := &rows[i], int32(i)
		arrivals = append(arrivals, change{r.Submit, row, 0, 1})
		if r.Start != job.Never {
			starts = append(starts, change{r.Start, row, 0, -1})
		}
		for k, g := range r.Segments {
			if last := len(starts) - 1; k == 0 && g.From == r.Start {
				starts[last].busy = 1
			} else {
				starts = append(starts, change{g.From, row, 1, 0})
			}
			ends = append(ends, change{g.To, row, -1, 0})
		}
	}
	byTime := func(c *change) job.Time { return c.at }
	job.SortByTime(starts, byTime)
	job.SortByTime(ends, byTime)
	return arrivals, starts, ends
}
