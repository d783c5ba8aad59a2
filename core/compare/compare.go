// Package compare does not judge: which of two schedules is better depends on
// whom one asks. It says how what became of the same jobs differs - who starts
// sooner, who later, by how much - and how waits and slowdowns are spread over
// classes of jobs. It never sees the engine.
package compare

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Side is the jobs of a schedule and what became of them, both by job index.
type Side struct {
	Jobs []job.Job
	Ends []log.Outcome
}

// Shift is by how much a job differs on the other side; below 0, earlier or
// shorter. A shift is of known times: it is job.Never where either is not known.
type Shift struct {
	Job   job.Index // in the base
	Other job.Index // the same job in the other schedule, job.None if it is missing there

	Start, Wait, Finish job.Time
}

// Difference is how a schedule differs from a base.
type Difference struct {
	Shifts []Shift // by job index of the base
	Gone   int     // jobs of the base that the other schedule lacks
	New    int     // jobs that the base lacks
}

// Of compares a schedule with a base. Match gives for each job of the base its
// index on the other side, job.None where it is missing; nil is the same jobs.
func Of(base, other Side, match []job.Index) *Difference {
	d := &Difference{Shifts: make([]Shift, len(base.Jobs)), New: len(other.Jobs)}
	for i := range d.Shifts {
		k := job.Index(i)
		if match != nil {
			k = match[i]
		}
		s := &d.Shifts[i]
		*s = Shift{job.Index(i), k, job.Never, job.Never, job.Never}
		if k == job.None {
			d.Gone++
			continue
		}
		d.New--
		a, b := &base.Ends[i], &other.Ends[k]
		s.Start, s.Finish = shift(a.Start, b.Start), shift(a.Finish, b.Finish)
		if s.Start != job.Never {
			s.Wait = s.Start - (other.Jobs[k].Submit - base.Jobs[i].Submit)
		}
	}
	return d
}

func shift(from, to job.Time) job.Time {
	if from == job.Never || to == job.Never {
		return job.Never
	}
	return to - from
}

// Match finds for each job of a base the job of the same id in another workload,
// job.None where there is none. Of several with one id the first goes with the
// first, the second with the second.
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
