package profile

import (
	"math/bits"
	"slices"

	"backfill-lab/core/job"
)

// memo records the starts that searches have found since capacity was last released. Until the next
// release, a later search for at least the same amount and length cannot find an earlier start,
// unless it begins before the recorded search. The memo stores these starts in a Fenwick tree
// (Fenwick 1994) that returns the latest start over a range of amounts and lengths.
type memo struct {
	bounds []job.Time // lower bounds of starts, by class of amount, then by class of length; nil until the first record
	valid  bool       // whether bounds holds any results
	from   job.Time   // the bounds apply only to searches that begin at this time or later
}

// Amounts and lengths are grouped into classes. From 16 on, there are classesPerOctave classes from
// each power of two to the next. Each smaller value has a class of its own. Values above the last
// class are not recorded.
const (
	classesPerOctave = 16
	memoAmounts      = 256 // number of classes of amounts
	memoLengths      = 512 // number of classes of lengths
)

// sizeClass returns the class of x, and whether x is the smallest value of that class.
func sizeClass(x int64) (c int, smallest bool) {
	shift := max(bits.Len64(uint64(x))-5, 0) // keep the 5 most significant bits
	return shift*classesPerOctave + int(x>>shift), x>>shift<<shift == x
}

// clone returns a deep copy.
func (m *memo) clone() memo {
	if !m.valid {
		return memo{}
	}
	return memo{slices.Clone(m.bounds), true, m.from}
}

// forget clears the memo but keeps its allocated memory.
func (m *memo) forget() { m.valid, m.from = false, 0 }

// lowerBound returns the time at which a search for the given amount and length can begin. This is
// the given time, or a later time if previous searches have ruled out all starts before that later
// time.
func (m *memo) lowerBound(amount int, length, from job.Time) job.Time {
	if !m.valid || from < m.from {
		return from
	}
	a, _ := sizeClass(int64(amount))
	l, _ := sizeClass(length)
	for i := min(a, memoAmounts-1); i > 0; i &= i - 1 {
		for k := min(l, memoLengths-1); k > 0; k &= k - 1 {
			from = max(from, m.bounds[i*memoLengths+k])
		}
	}
	return from
}

// record stores the result of a search for the given amount and length. The search began at the
// time searchStart and found foundStart. The result limits only searches for at least the same
// amount and length. So if amount is not the smallest value of its class, record rounds it up to
// the next class. It treats length in the same way.
func (m *memo) record(amount int, length, searchStart, foundStart job.Time) {
	a, exactAmount := sizeClass(int64(amount))
	l, exactLength := sizeClass(length)
	if !exactAmount {
		a++
	}
	if !exactLength {
		l++
	}
	if a >= memoAmounts || l >= memoLengths || a == 0 || l == 0 || searchStart < m.from {
		return
	}
	if m.bounds == nil {
		m.bounds = make([]job.Time, memoAmounts*memoLengths)
	} else if !m.valid {
		clear(m.bounds)
	}
	m.valid, m.from = true, searchStart
	for i := a; i < memoAmounts; i += i & -i {
		for k := l; k < memoLengths; k += k & -k {
			u := &m.bounds[i*memoLengths+k]
			*u = max(*u, foundStart)
		}
	}
}

// failedSearches records the searches that found no start in a block. Until capacity is released
// again, a search for at least the same amount and length cannot find a start in that block either.
type failedSearches struct {
	releases int64 // value of blocks.releases when the searches failed; if it has changed, the records are void
	len      int   // number of records in the array all
	last     int   // index of the last record that was appended, or that overwrote another one in turn
	// only the first len records are in use
	all [maxFailedSearches]failedSearch
}

// failedSearch records that a search for amount and length found no start in the block.
type failedSearch struct {
	amount int
	length job.Time
}

// maxFailedSearches is the maximum number of records per block. More records would cost more time
// than they save.
const maxFailedSearches = 16

// ruleOut reports whether a record shows that a search for the given amount and length cannot find
// a start in the block.
func (b *failedSearches) ruleOut(amount int, length job.Time, releases int64) bool {
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

// record stores that a search for the given amount and length found no start in the block. It does
// nothing if an older record already rules out such a search. The new record replaces an older record
// for at least the same amount and length. If there is none, the new record is appended. Once the list
// is full, new records overwrite the existing ones in turn.
func (b *failedSearches) record(amount int, length job.Time, releases int64) {
	if b.ruleOut(amount, length, releases) {
		return
	}
	if b.releases != releases {
		b.releases, b.len = releases, 0
	}
	for i := range b.all[:b.len] {
		if a := &b.all[i]; a.amount >= amount && a.length >= length {
			*a = failedSearch{amount, length}
			return
		}
	}
	if b.len < maxFailedSearches {
		b.last = b.len
		b.len++
	} else {
		b.last = (b.last + 1) % maxFailedSearches
	}
	b.all[b.last] = failedSearch{amount, length}
}
