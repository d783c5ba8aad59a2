// Package profile holds how many processors will be free, and when: the
// library that planning policies plan with. It knows no jobs and no policy; a
// plan is the private state of whoever owns a profile.
package profile

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/job"
)

// Step says that Free processors are free from At to the next step.
type Step struct {
	At   job.Time
	Free int
}

// Profile is the free processors over time, as steps in rising order. The last
// step has the whole machine free and lasts for ever; neighbouring steps
// differ.
type Profile struct {
	steps    []Step
	capacity int
	risen    Hole  // see Settle
	Looked   int64 // steps looked at by Fits, Find and Earlier, the cost measure of Lindsay et al. section 4.3
}

// Hole is a stretch of time in which processors were given back: nowhere in
// [From,To) more than Free are free. No hole is the one with Free 0.
type Hole struct {
	From, To job.Time
	Free     int
}

// Join makes h cover o as well.
func (h *Hole) Join(o Hole) {
	switch {
	case o.Free == 0:
	case h.Free == 0:
		*h = o
	default:
		*h = Hole{min(h.From, o.From), max(h.To, o.To), max(h.Free, o.Free)}
	}
}

// Settle returns what releases, and the second halves of shifts, have given
// back since the last Settle. What did not fit before can fit only there.
func (p *Profile) Settle() Hole {
	h := p.risen
	p.risen = Hole{}
	return h
}

// New returns the profile of an idle machine.
func New(capacity int) *Profile {
	return &Profile{steps: []Step{{0, capacity}}, capacity: capacity}
}

// Reset makes p the profile of an idle machine again.
func (p *Profile) Reset() {
	p.steps = append(p.steps[:0], Step{0, p.capacity})
	p.risen = Hole{0, job.Never, p.capacity}
}

// Clone returns a copy that shares nothing.
func (p *Profile) Clone() *Profile {
	c := *p
	c.steps = slices.Clone(p.steps)
	return &c
}

// Steps is the steps of the profile; valid until the next change.
func (p *Profile) Steps() []Step { return p.steps }

// Trim forgets what was before now.
func (p *Profile) Trim(now job.Time) {
	if k := p.at(now); k > 0 {
		p.steps = p.steps[k:]
	}
	p.steps[0].At = max(p.steps[0].At, now)
}

// Fits reports whether procs processors are free on [start,start+length).
func (p *Profile) Fits(procs int, length, start job.Time) bool {
	for i := p.at(start); i < len(p.steps) && p.steps[i].At < start+length; i++ {
		p.Looked++
		if p.steps[i].Free < procs {
			return false
		}
	}
	return true
}

// Find returns the earliest start at or after from at which procs processors
// are free for length. Since the whole machine is free in the end there always
// is one.
func (p *Profile) Find(procs int, length, from job.Time) job.Time {
	steps, start := p.steps, from
	i := p.at(from)
	first := i
	for ; ; i++ {
		if steps[i].Free < procs {
			start = steps[i+1].At
		} else if i+1 == len(steps) || steps[i+1].At-start >= length {
			break
		}
	}
	p.Looked += int64(i - first + 1)
	return start
}

// Earlier returns the earliest start in [from,before) to which a job that holds
// procs processors on [planned,planned+length) can move, planned if there is
// none; before is planned at most. Its own reservation counts as free (speed
// rule: it covers the rest of the way, so nothing is released to find out).
func (p *Profile) Earlier(procs int, length, from, before, planned job.Time) job.Time {
	if from >= before {
		return planned
	}
	steps, start := p.steps, from
	i := p.at(from)
	first := i
	for {
		if steps[i].Free < procs {
			if i+1 == len(steps) || steps[i+1].At >= before {
				start = planned
				break
			}
			start = steps[i+1].At
		} else if i+1 == len(steps) || steps[i+1].At >= min(start+length, planned) {
			break
		}
		i++
	}
	p.Looked += int64(i - first + 1)
	return start
}

// Reserve takes procs processors on [from,to).
func (p *Profile) Reserve(procs int, from, to job.Time) { p.add(-procs, from, to) }

// Release gives procs processors back on [from,to).
func (p *Profile) Release(procs int, from, to job.Time) { p.add(procs, from, to) }

// Shift moves a reservation of procs processors from [from,from+length) to the
// earlier [to,to+length); only the strips that differ change.
func (p *Profile) Shift(procs int, length, from, to job.Time) {
	p.add(-procs, to, min(to+length, from))
	p.add(procs, max(to+length, from), from+length)
}

func (p *Profile) add(procs int, from, to job.Time) {
	if from >= to {
		return
	}
	i := p.split(from)
	k, most := i, 0
	for ; k < len(p.steps) && p.steps[k].At < to; k++ {
		free := p.steps[k].Free + procs
		if free < 0 || free > p.capacity {
			panic(fmt.Sprintf("profile: %d of %d processors free at %d", free, p.capacity, p.steps[k].At))
		}
		p.steps[k].Free = free
		most = max(most, free)
	}
	if procs > 0 {
		p.risen.Join(Hole{from, to, most})
	}
	if k == len(p.steps) || p.steps[k].At > to {
		p.steps = slices.Insert(p.steps, k, Step{to, p.steps[k-1].Free - procs})
	}
	p.merge(k)
	p.merge(i)
}

// split makes a step begin at t and returns its index.
func (p *Profile) split(t job.Time) int {
	i := p.at(t)
	if p.steps[i].At == t {
		return i
	}
	p.steps = slices.Insert(p.steps, i+1, Step{t, p.steps[i].Free})
	return i + 1
}

// merge drops step i if it does not differ from the one before.
func (p *Profile) merge(i int) {
	if i > 0 && p.steps[i].Free == p.steps[i-1].Free {
		p.steps = slices.Delete(p.steps, i, i+1)
	}
}

// at is the index of the step that holds at t; the first one if t lies before.
func (p *Profile) at(t job.Time) int {
	if len(p.steps) == 1 || t < p.steps[1].At {
		return 0
	}
	lo, hi := 1, len(p.steps)
	for lo < hi {
		if mid := (lo + hi) / 2; p.steps[mid].At <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// String is the profile as text: "0:4 5:2 7:4".
func (p *Profile) String() string {
	var b strings.Builder
	for i, s := range p.steps {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d:%d", s.At, s.Free)
	}
	return b.String()
}
