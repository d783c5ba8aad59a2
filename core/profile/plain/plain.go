// Package plain is not the profile that policies use: it is the same thing
// done so simply that it is right at a glance. It keeps the list of what is
// held and computes every answer from that list. Tests compare
// profile.Profile with it.
package plain

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/job"
)

// Profile is the free processors of a machine over time.
type Profile struct {
	Capacity int
	begin    job.Time // what was before is forgotten
	held     []Hold
}

// Hold says that Procs processors are held on [From,To). A release is a hold
// of less than nothing.
type Hold struct {
	Procs    int
	From, To job.Time
}

// New returns the profile of an idle machine.
func New(capacity int) *Profile { return &Profile{Capacity: capacity} }

// Clone returns a copy that shares nothing.
func (p *Profile) Clone() *Profile {
	return &Profile{p.Capacity, p.begin, slices.Clone(p.held)}
}

// Free is the number of processors free at t.
func (p *Profile) Free(t job.Time) int {
	free := p.Capacity
	for _, h := range p.held {
		if h.From <= t && t < h.To {
			free -= h.Procs
		}
	}
	return free
}

// changes is every moment at which the number of free processors may change,
// from the beginning on, in order.
func (p *Profile) changes() []job.Time {
	at := []job.Time{p.begin}
	for _, h := range p.held {
		for _, t := range []job.Time{h.From, h.To} {
			if t > p.begin {
				at = append(at, t)
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// Fits reports whether procs processors are free on [start,start+length).
func (p *Profile) Fits(procs int, length, start job.Time) bool {
	if p.Free(start) < procs {
		return false
	}
	for _, t := range p.changes() {
		if start < t && t < start+length && p.Free(t) < procs {
			return false
		}
	}
	return true
}

// Find returns the earliest start at or after from at which procs processors
// are free for length.
func (p *Profile) Find(procs int, length, from job.Time) job.Time {
	if p.Fits(procs, length, from) {
		return from
	}
	for _, t := range p.changes() {
		if t > from && p.Fits(procs, length, t) {
			return t
		}
	}
	panic("plain: the whole machine is never free")
}

// Earlier returns the earliest start in [from,planned) to which a job that
// holds procs processors on [planned,planned+length) can move: it is taken
// out, and a start is looked for.
func (p *Profile) Earlier(procs int, length, from, planned job.Time) job.Time {
	without := p.Clone()
	without.Release(procs, planned, planned+length)
	return min(without.Find(procs, length, from), planned)
}

// Reserve takes procs processors on [from,to).
func (p *Profile) Reserve(procs int, from, to job.Time) {
	p.held = append(p.held, Hold{procs, from, to})
}

// Release gives procs processors back on [from,to).
func (p *Profile) Release(procs int, from, to job.Time) { p.Reserve(-procs, from, to) }

// Shift moves a reservation of procs processors from [from,from+length) to
// [to,to+length).
func (p *Profile) Shift(procs int, length, from, to job.Time) {
	p.Release(procs, from, from+length)
	p.Reserve(procs, to, to+length)
}

// Trim forgets what was before now.
func (p *Profile) Trim(now job.Time) { p.begin = max(p.begin, now) }

// Reset makes p the profile of an idle machine again.
func (p *Profile) Reset() { p.begin, p.held = 0, nil }

// String is the profile as text: "0:4 5:2 7:4".
func (p *Profile) String() string {
	var parts []string
	last := -1
	for _, t := range p.changes() {
		if free := p.Free(t); free != last {
			parts = append(parts, fmt.Sprintf("%d:%d", t, free))
			last = free
		}
	}
	return strings.Join(parts, " ")
}
