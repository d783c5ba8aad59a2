package scojo

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// The types of jobs.
type class = policy.Class

const (
	short   = policy.Short
	medium  = policy.Medium
	long    = policy.Long
	classes = policy.Classes
)

// rules is the knobs.
type rules struct {
	policy.Bounds
	interval, overhead   job.Time
	shortSlice           job.Time // -1: by the jobs that are there
	share                float64
	nonType, leastShared bool
}

// medium returns the length of the medium slice beside a short one.
func (r *rules) medium(shortSlice job.Time) job.Time {
	return job.Time(math.Floor(float64(r.share*float64(r.interval-shortSlice)) + 0.5))
}

// longestShort returns the most that a short slice can last.
func (r *rules) longestShort() job.Time {
	if r.shortSlice >= 0 {
		return r.shortSlice
	}
	return r.overhead + r.Short
}

// slice is the time [from,to) of a type on the machine, of which the overhead
// at its begin is lost.
type slice struct {
	of       class
	from, to job.Time
}

// layout appends the slices of the interval that begins at start.
func (r *rules) layout(out []slice, start, shortSlice job.Time) []slice {
	if shortSlice > 0 {
		out = append(out, slice{short, start, start + shortSlice})
	}
	from := start + shortSlice
	to := from + r.medium(shortSlice)
	return append(out, slice{medium, from, to}, slice{long, to, start + r.interval})
}

// shortLength returns the length of the short slice of an interval that begins now:
// as long as the short jobs need that are there, planned conservatively; none if
// there are none. What is submitted at this very moment comes after it.
func (s *Scojo) shortLength(p *sim.Pass) job.Time {
	now := p.Now()
	plan, end := profile.Of(p.Machine()), now
	for j := range p.Suspended() {
		if s.Class(p.Job(j)) == short {
			need, length := s.holds(p, j, p.Remaining(j))
			plan.Reserve(need, now, now+length)
			end = max(end, now+length)
		}
	}
	for j := range p.Waiting() {
		if q := p.Job(j); q.Submit < now && s.Class(q) == short {
			need, length := s.holds(p, j, q.Estimate)
			end = max(end, plan.Book(need, length, now)+length)
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

// holds returns what job j holds and for how long: what it asks for and the usual
// length, unless its policy knows better.
func (s *Scojo) holds(p *sim.Pass, j job.Index, usual job.Time) (job.Demand, job.Time) {
	if h, ok := s.types[s.Class(p.Job(j))].inner.(sim.Holder); ok {
		return h.Holds(p, j)
	}
	return p.Job(j).Demand(), usual
}

// wall returns the moment at which the machine of type c will have run for length
// more: in the slices known of this interval, then in intervals without a short
// slice, or, of the short jobs, with the longest one (spec 4.4).
func (s *Scojo) wall(c class, length, now job.Time) job.Time {
	for _, x := range s.slices {
		if x.of == c {
			from := max(now, x.from+s.overhead)
			if length < x.to-from {
				return from + length
			}
			length -= max(0, x.to-from)
		}
	}
	x := &s.later[c]
	if length > x.most {
		return job.Never
	}
	return s.next + x.from + length/x.usable*s.interval + length%x.usable
}

// later is the usable time of a type in intervals to come, of which no one knows
// the short slices yet: there are none, and for the short jobs the longest ones.
type later struct {
	from, usable job.Time // after the begin of an interval
	most         job.Time // moments beyond cannot be told
}

func (r *rules) ahead() (all [classes]later) {
	for c := range classes {
		known := job.Time(0)
		if c == short {
			known = r.longestShort()
		}
		for _, x := range r.layout(nil, 0, known) {
			if x.of == c {
				usable := x.to - x.from - r.overhead
				all[c] = later{x.from + r.overhead, usable, job.Never/4/r.interval*usable + usable - 1}
			}
		}
	}
	return all
}
