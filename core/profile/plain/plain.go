// Package plain is not the profile that policies use: it is the same thing
// done so simply that it is right at a glance. It keeps the list of what is
// held and computes every answer from that list. Tests compare
// profile.Profile with it.
package plain

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Profile is what is free of a machine over time.
type Profile struct {
	Capacity job.Demand
	begin    job.Time // what was before is forgotten
	held     []Hold
	blocks   []cluster.Outage
}

// Hold says that Need is held on [From,To). A release is a hold of less than
// nothing.
type Hold struct {
	Need     job.Demand
	From, To job.Time
}

// New returns the profile of an idle machine.
func New(m *cluster.Machine) *Profile {
	p := &Profile{Capacity: job.Demand{Procs: m.Slots()}}
	for _, r := range m.Resources {
		p.Capacity.Extra = append(p.Capacity.Extra, r.Capacity)
	}
	p.blocks = m.Outages
	p.block()
	return p
}

// block holds what blocks take.
func (p *Profile) block() {
	for _, b := range p.blocks {
		p.held = append(p.held, Hold{job.Demand{Procs: b.Procs}, b.From, b.To})
	}
}

// Clone returns a copy that shares nothing.
func (p *Profile) Clone() *Profile {
	return &Profile{p.Capacity, p.begin, slices.Clone(p.held), p.blocks}
}

// Free returns what is free at t.
func (p *Profile) Free(t job.Time) job.Demand {
	free := job.Demand{Procs: p.Capacity.Procs, Extra: slices.Clone(p.Capacity.Extra)}
	for _, h := range p.held {
		if h.From <= t && t < h.To {
			free.Procs -= h.Need.Procs
			for k := range free.Extra {
				free.Extra[k] -= h.Need.Amount(k)
			}
		}
	}
	return free
}

// has reports whether n is free at t.
func (p *Profile) has(n job.Demand, t job.Time) bool {
	free := p.Free(t)
	for k := range free.Extra {
		if free.Extra[k] < n.Amount(k) {
			return false
		}
	}
	return free.Procs >= n.Procs
}

// changes returns every moment at which what is free may change, from the beginning
// on, in order.
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

// Fits reports whether n is free on [start,start+length).
func (p *Profile) Fits(n job.Demand, length, start job.Time) bool {
	if !p.has(n, start) {
		return false
	}
	for _, t := range p.changes() {
		if start < t && t < start+length && !p.has(n, t) {
			return false
		}
	}
	return true
}

// Find returns the earliest start at or after from at which n is free for
// length.
func (p *Profile) Find(n job.Demand, length, from job.Time) job.Time {
	if p.Fits(n, length, from) {
		return from
	}
	for _, t := range p.changes() {
		if t > from && p.Fits(n, length, t) {
			return t
		}
	}
	panic("plain: the whole machine is never free")
}

// Earlier returns the earliest start in [from,planned) to which a job that
// holds n on [planned,planned+length) can move: it is taken out, and a start is
// looked for.
func (p *Profile) Earlier(n job.Demand, length, from, planned job.Time) job.Time {
	without := p.Clone()
	without.Release(n, planned, planned+length)
	return min(without.Find(n, length, from), planned)
}

// Reserve takes n on [from,to).
func (p *Profile) Reserve(n job.Demand, from, to job.Time) {
	p.held = append(p.held, Hold{n, from, to})
}

// Release gives n back on [from,to).
func (p *Profile) Release(n job.Demand, from, to job.Time) {
	back := job.Demand{Procs: -n.Procs}
	for _, amount := range n.Extra {
		back.Extra = append(back.Extra, -amount)
	}
	p.Reserve(back, from, to)
}

// Shift moves a reservation of n from [from,from+length) to [to,to+length).
func (p *Profile) Shift(n job.Demand, length, from, to job.Time) {
	p.Release(n, from, from+length)
	p.Reserve(n, to, to+length)
}

// Trim forgets what was before now.
func (p *Profile) Trim(now job.Time) { p.begin = max(p.begin, now) }

// Reset makes p the profile of an idle machine again.
func (p *Profile) Reset() { p.begin, p.held = 0, nil; p.block() }

// String returns the profile as text: "0:4 5:2 7:4", and the same for each extra
// resource after a bar.
func (p *Profile) String() string {
	text := p.steps(func(n job.Demand) int64 { return int64(n.Procs) })
	for k := range p.Capacity.Extra {
		text += " | " + p.steps(func(n job.Demand) int64 { return n.Amount(k) })
	}
	return text
}

func (p *Profile) steps(of func(job.Demand) int64) string {
	var parts []string
	last := int64(-1)
	for _, t := range p.changes() {
		if free := of(p.Free(t)); free != last {
			parts = append(parts, fmt.Sprintf("%d:%d", t, free))
			last = free
		}
	}
	return strings.Join(parts, " ")
}
