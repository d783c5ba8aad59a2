// Package plain is a reference implementation of package profile for tests. It keeps a list of all
// reservations and computes every answer from that list, which is slow but obviously correct.
package plain

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Profile holds the free capacity of a machine over time.
type Profile struct {
	Capacity job.Demand    // resources of the whole machine
	start    job.Time      // times before start have been trimmed
	reserved []Reservation // all reservations and releases; includes the outages
	outages  []cluster.Outage
}

// Reservation records that Demand is reserved on [From,To). A release is a Reservation with
// negative amounts.
type Reservation struct {
	Demand   job.Demand
	From, To job.Time
}

// New returns the profile of an idle machine.
func New(m *cluster.Machine) *Profile {
	p := &Profile{Capacity: job.Demand{Procs: m.Slots()}}
	for _, r := range m.Resources {
		p.Capacity.Extra = append(p.Capacity.Extra, r.Capacity)
	}
	p.outages = m.Outages
	p.reserveOutages()
	return p
}

// reserveOutages reserves the processors of all outages.
func (p *Profile) reserveOutages() {
	for _, o := range p.outages {
		p.reserved = append(p.reserved, Reservation{job.Demand{Procs: o.Procs}, o.From, o.To})
	}
}

// Clone returns a deep copy.
func (p *Profile) Clone() *Profile {
	return &Profile{p.Capacity, p.start, slices.Clone(p.reserved), p.outages}
}

// Free returns the free capacity at time t.
func (p *Profile) Free(t job.Time) job.Demand {
	free := job.Demand{Procs: p.Capacity.Procs, Extra: slices.Clone(p.Capacity.Extra)}
	for _, h := range p.reserved {
		if h.From <= t && t < h.To {
			free.Procs -= h.Demand.Procs
			for k := range free.Extra {
				free.Extra[k] -= h.Demand.Amount(k)
			}
		}
	}
	return free
}

// has reports whether the demand n is free at time t.
func (p *Profile) has(n job.Demand, t job.Time) bool {
	free := p.Free(t)
	for k := range free.Extra {
		if free.Extra[k] < n.Amount(k) {
			return false
		}
	}
	return free.Procs >= n.Procs
}

// changeTimes returns, in order, p.start and all later times at which the free capacity can change.
func (p *Profile) changeTimes() []job.Time {
	times := []job.Time{p.start}
	for _, h := range p.reserved {
		for _, t := range []job.Time{h.From, h.To} {
			if t > p.start {
				times = append(times, t)
			}
		}
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// Fits reports whether the demand n is free on [start,start+length).
func (p *Profile) Fits(n job.Demand, length, start job.Time) bool {
	if !p.has(n, start) {
		return false
	}
	for _, t := range p.changeTimes() {
		if start < t && t < start+length && !p.has(n, t) {
			return false
		}
	}
	return true
}

// Find returns the earliest start s >= from such that the demand n is free on [s,s+length).
func (p *Profile) Find(n job.Demand, length, from job.Time) job.Time {
	if p.Fits(n, length, from) {
		return from
	}
	for _, t := range p.changeTimes() {
		if t > from && p.Fits(n, length, t) {
			return t
		}
	}
	panic("plain: the whole machine is never free")
}

// Earlier searches [from,planned) for the earliest start to which a reservation of the demand n on
// [planned,planned+length) can move. If there is no such start, it returns planned. It removes the
// reservation from a copy of the profile and calls Find.
func (p *Profile) Earlier(n job.Demand, length, from, planned job.Time) job.Time {
	without := p.Clone()
	without.Release(n, planned, planned+length)
	return min(without.Find(n, length, from), planned)
}

// Reserve subtracts the demand n from the free capacity on [from,to).
func (p *Profile) Reserve(n job.Demand, from, to job.Time) {
	p.reserved = append(p.reserved, Reservation{n, from, to})
}

// Release adds the demand n to the free capacity on [from,to) again.
func (p *Profile) Release(n job.Demand, from, to job.Time) {
	negative := job.Demand{Procs: -n.Procs}
	for _, amount := range n.Extra {
		negative.Extra = append(negative.Extra, -amount)
	}
	p.Reserve(negative, from, to)
}

// Shift moves a reservation of the demand n from the interval [from,from+length) to [to,to+length).
func (p *Profile) Shift(n job.Demand, length, from, to job.Time) {
	p.Release(n, from, from+length)
	p.Reserve(n, to, to+length)
}

// Trim removes the part of the profile before time now.
func (p *Profile) Trim(now job.Time) { p.start = max(p.start, now) }

// Reset makes p the profile of an idle machine again.
func (p *Profile) Reset() { p.start, p.reserved = 0, nil; p.reserveOutages() }

// String returns the profile in the same form as profile.Profile.String.
func (p *Profile) String() string {
	text := p.stepsText(func(n job.Demand) int64 { return int64(n.Procs) })
	for k := range p.Capacity.Extra {
		text += " | " + p.stepsText(func(n job.Demand) int64 { return n.Amount(k) })
	}
	return text
}

// stepsText returns the free amount of one resource over time, as text. It calls amountIn for the
// amount of that resource in a demand.
func (p *Profile) stepsText(amountIn func(job.Demand) int64) string {
	var parts []string
	last := int64(-1)
	for _, t := range p.changeTimes() {
		if free := amountIn(p.Free(t)); free != last {
			parts = append(parts, fmt.Sprintf("%d:%d", t, free))
			last = free
		}
	}
	return strings.Join(parts, " ")
}
