// Package compare reports how two schedules of the same jobs differ: which jobs start earlier or
// later, and by how much. It also computes the distributions of waits and slowdowns within classes
// of jobs. It does not say which schedule is better.
package compare

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Result holds the jobs of one schedule and the outcome of each job.
type Result struct {
	Jobs     []job.Job
	Outcomes []log.Outcome // one for each job
}

// Shift holds the differences between the times of one job in two schedules, in seconds. Each value
// is the time in the other schedule minus the time in the base, so a negative value means earlier
// or shorter. A value is job.Never if either time is unknown.
type Shift struct {
	Job   job.Index // index in the base
	Other job.Index // the same job in the other schedule, or job.None if it is missing there

	Start, Wait, Finish job.Time
}

// Difference records how a schedule differs from a base schedule.
type Difference struct {
	Shifts  []Shift // one for each job of the base
	Missing int     // number of jobs that are only in the base
	Extra   int     // number of jobs that are only in the other schedule
}

// Diff compares a schedule with a base. For each job of the base, indexInOther holds the index of
// the same job in the other schedule, or job.None if it is missing there. A nil indexInOther means
// that both schedules have the same jobs in the same order.
func Diff(base, other Result, indexInOther []job.Index) *Difference {
	d := &Difference{Shifts: make([]Shift, len(base.Jobs)), Extra: len(other.Jobs)}
	for i := range d.Shifts {
		k := job.Index(i)
		if indexInOther != nil {
			k = indexInOther[i]
		}
		s := &d.Shifts[i]
		*s = Shift{job.Index(i), k, job.Never, job.Never, job.Never}
		if k == job.None {
			d.Missing++
			continue
		}
		d.Extra--
		a, b := &base.Outcomes[i], &other.Outcomes[k]
		s.Start, s.Finish = timeShift(a.Start, b.Start), timeShift(a.Finish, b.Finish)
		if s.Start != job.Never {
			s.Wait = s.Start - (other.Jobs[k].Submit - base.Jobs[i].Submit)
		}
	}
	return d
}

// timeShift returns the number of seconds from one time to another, or job.Never if either time is
// job.Never.
func timeShift(from, to job.Time) job.Time {
	if from == job.Never || to == job.Never {
		return job.Never
	}
	return to - from
}

// Match returns, for each job of a base, the index of the job with the same ID in another
// workload, or job.None. If an ID occurs several times, Match pairs the first with the first, the
// second with the second, and so on.
func Match(base, other []job.Job) []job.Index {
	first, next := make(map[string]job.Index, len(other)), make([]job.Index, len(other))
	for i := len(other) - 1; i >= 0; i-- {
		next[i] = job.None
		if k, twice := first[other[i].ID]; twice {
			next[i] = k
		}
		first[other[i].ID] = job.Index(i)
	}
	match := make([]job.Index, len(base))
	for i := range base {
		match[i] = job.None
		if k, ok := first[base[i].ID]; ok && k != job.None {
			match[i], first[base[i].ID] = k, next[k]
		}
	}
	return match
}
