package profile

import "backfill-lab/core/job"

// bars remembers searches that found no start in a block. What needs at least as much
// for at least as long has no start there either, until something is released.
type bars struct {
	releases int64 // of the profile when they were set
	len      int
	last     int // the bar set last
	all      [mostBars]bar
}

type bar struct {
	amount int
	length job.Time
}

// mostBars bounds what one block remembers; more would cost more than it saves.
const mostBars = 16

// ruleOut reports whether no start in the block has amount free for length.
func (b *bars) ruleOut(amount int, length job.Time, releases int64) bool {
	if b.releases != releases {
		return false
	}
	for i := range b.all[:b.len] {
		if a := &b.all[i]; a.amount <= amount && a.length <= length {
			return true
		}
	}
	return false
}

// set remembers that no start in the block has amount free for length. It replaces
// a bar that follows from this one, else the oldest.
func (b *bars) set(amount int, length job.Time, releases int64) {
	if b.ruleOut(amount, length, releases) {
		return
	}
	if b.releases != releases {
		b.releases, b.len = releases, 0
	}
	for i := range b.all[:b.len] {
		if a := &b.all[i]; a.amount >= amount && a.length >= length {
			*a = bar{amount, length}
			return
		}
	}
	if b.len < mostBars {
		b.last = b.len
		b.len++
	} else {
		b.last = (b.last + 1) % mostBars
	}
	b.all[b.last] = bar{amount, length}
}
