package scojo

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// class is the type of a job. Each type has its own slices.
type class = policy.Class

const (
	short   = policy.Short
	medium  = policy.Medium
	long    = policy.Long
	classes = policy.Classes
)

// rules holds the values of the knobs.
type rules struct {
	policy.Bounds
	interval, overhead job.Time // length of an interval, and of the overhead at the start of each slice
	shortSlice         job.Time // length of the short slice with its overhead; -1 for short-slice=auto
	share              float64  // the medium slice gets this fraction of the time from the end of the short slice to the end of the interval
	allowGuests        bool     // jobs may run as guests
	leastShared        bool     // node-choice=least-shared
}

// mediumSliceLength returns the length of the medium slice, given the length of the short slice.
func (r *rules) mediumSliceLength(shortSlice job.Time) job.Time {
	return job.Time(math.Floor(float64(r.share*float64(r.interval-shortSlice)) + 0.5))
}

// maxShortSlice returns the maximum length of a short slice.
func (r *rules) maxShortSlice() job.Time {
	if r.shortSlice >= 0 {
		return r.shortSlice
	}
	return r.overhead + r.Short
}

// slice holds the time slice [from,to) of one class of jobs. It includes the overhead at its start.
type slice struct {
	class    class
	from, to job.Time
}

// appendSlices appends the slices of one interval to out. The interval begins at the given time,
// and its short slice lasts shortSlice seconds.
func (r *rules) appendSlices(out []slice, start, shortSlice job.Time) []slice {
	if shortSlice > 0 {
		out = append(out, slice{short, start, start + shortSlice})
	}
	from := start + shortSlice
	to := from + r.mediumSliceLength(shortSlice)
	return append(out, slice{medium, from, to}, slice{long, to, start + r.interval})
}

// shortSliceLength returns the length of the short slice of an interval that starts now. It is 0 if
// no short jobs are present. With short-slice=auto it is the overhead plus the time that these jobs
// need in a conservative plan, up to a maximum. Jobs submitted at this instant do not count.
func (s *Scojo) shortSliceLength(p *sim.Pass) job.Time {
	now := p.Now()
	plan, end := profile.ForMachine(p.Machine()), now
	for j := range p.Suspended() {
		if s.Class(p.Job(j)) == short {
			demand, length := s.heldDemand(p, j, p.Remaining(j))
			plan.Reserve(demand, now, now+length)
			end = max(end, now+length)
		}
	}
	for j := range p.Waiting() {
		if q := p.Job(j); q.Submit < now && s.Class(q) == short {
			demand, length := s.heldDemand(p, j, q.Estimate)
			end = max(end, plan.ReserveEarliest(demand, length, now)+length)
		}
	}
	switch {
	case end == now:
		return 0
	case s.rules.shortSlice >= 0:
		return s.rules.shortSlice
	}
	return s.overhead + min(s.Short, end-now)
}

// heldDemand returns the demand of job j and how long the job holds it. If the inner policy is a sim.Holder, the inner
// policy computes both. Otherwise, heldDemand returns the requested demand and the given length.
func (s *Scojo) heldDemand(p *sim.Pass, j job.Index, length job.Time) (job.Demand, job.Time) {
	if h, ok := s.types[s.Class(p.Job(j))].inner.(sim.Holder); ok {
		return h.Holds(p, j)
	}
	return p.Job(j).Demand(), length
}

// wallTimeAfter returns the wall-clock time at which the clock of class c will have advanced by
// length seconds, or job.Never if that is too far away. It uses the known slices of this interval,
// and laterSlice for the following intervals.
func (s *Scojo) wallTimeAfter(c class, length, now job.Time) job.Time {
	for _, x := range s.slices {
		if x.class == c {
			from := max(now, x.from+s.overhead)
			if length < x.to-from {
				return from + length
			}
			length -= max(0, x.to-from)
		}
	}
	later := &s.later[c]
	if length > later.maxLength {
		return job.Never
	}
	return s.next + later.from + length/later.usable*s.interval + length%later.usable
}

// laterSlice predicts the slice of one class in a later interval. The length of the short slice is
// not known yet. The prediction assumes the longest short slice for short jobs, and no short slice
// for other jobs.
type laterSlice struct {
	from      job.Time // start of the usable time, counted from the start of the interval
	usable    job.Time // length of the slice without overhead
	maxLength job.Time // longest time that wallTimeAfter can predict without overflow
}

// laterSlices returns the predicted slice of each class.
func (r *rules) laterSlices() (all [classes]laterSlice) {
	for c := range classes {
		shortSlice := job.Time(0)
		if c == short {
			shortSlice = r.maxShortSlice()
		}
		for _, x := range r.appendSlices(nil, 0, shortSlice) {
			if x.class == c {
				usable := x.to - x.from - r.overhead
				all[c] = laterSlice{x.from + r.overhead, usable, job.Never/4/r.interval*usable + usable - 1}
			}
		}
	}
	return all
}
