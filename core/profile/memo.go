package profile

import (
	"math/bits"
	"slices"

	"backfill-lab/core/job"
)

// memo remembers searches since something was last given back: what needs as
// much for as long cannot start earlier. It is a Fenwick tree of maxima
// (Fenwick 1994) over classes of amounts and lengths.
type memo struct {
	until []job.Time // by class of amount, then of length; made by the first note
	known bool       // until holds something
	from  job.Time   // until holds for searches from here or later
}

// An octave has memoFine classes; what lies beyond the last class is not kept.
const (
	memoFine    = 16
	memoAmounts = 256
	memoLengths = 512
)

// class returns the class of x and whether x is the least value in it.
func class(x int64) (c int, least bool) {
	shift := max(bits.Len64(uint64(x))-5, 0) // x>>shift has at most 5 bits
	return shift*memoFine + int(x>>shift), x>>shift<<shift == x
}

func (m *memo) clone() memo {
	if !m.known {
		return memo{}
	}
	return memo{slices.Clone(m.until), true, m.from}
}

// forget drops what is known and keeps the memory.
func (m *memo) forget() { m.known, m.from = false, 0 }

// bound returns a time at or after from before which amount is not free for
// length from any start.
func (m *memo) bound(amount int, length, from job.Time) job.Time {
	if !m.known || from < m.from {
		return from
	}
	a, _ := class(int64(amount))
	l, _ := class(length)
	for i := min(a, memoAmounts-1); i > 0; i &= i - 1 {
		for k := min(l, memoLengths-1); k > 0; k &= k - 1 {
			from = max(from, m.until[i*memoLengths+k])
		}
	}
	return from
}

// note remembers that a search from from found start. A search between two
// classes counts for the one above.
func (m *memo) note(amount int, length, from, start job.Time) {
	a, leastAmount := class(int64(amount))
	l, leastLength := class(length)
	if !leastAmount {
		a++
	}
	if !leastLength {
		l++
	}
	if a >= memoAmounts || l >= memoLengths || a == 0 || l == 0 || from < m.from {
		return
	}
	if m.until == nil {
		m.until = make([]job.Time, memoAmounts*memoLengths)
	} else if !m.known {
		clear(m.until)
	}
	m.known, m.from = true, from
	for i := a; i < memoAmounts; i += i & -i {
		for k := l; k < memoLengths; k += k & -k {
			u := &m.until[i*memoLengths+k]
			*u = max(*u, start)
		}
	}
}
