package cluster

import "slices"

// Free holds the free slots of a machine. An allocation takes the lowest free slots, the highest
// free slots, or given slots.
type Free struct {
	ranges Set
	count  int // number of slots in ranges
}

// NewFree returns a Free in which all slots from 0 to n-1 are free.
func NewFree(n int) Free {
	return Free{Set{{0, int32(n)}}, n}
}

// Count returns the number of free slots.
func (f *Free) Count() int { return f.count }

// Set returns the free slots. The result is valid until the next change of f.
func (f *Free) Set() Set { return f.ranges }

// Clone returns a deep copy.
func (f *Free) Clone() Free { return Free{slices.Clone(f.ranges), f.count} }

// TakeLowest takes the n lowest free slots and appends them to dst. At least n slots must be
// free.
func (f *Free) TakeLowest(n int, dst Set) Set {
	f.count -= n
	k := 0
	for n > 0 {
		r := &f.ranges[k]
		if size := int(r.Hi - r.Lo); size > n {
			dst = append(dst, Range{r.Lo, r.Lo + int32(n)})
			r.Lo += int32(n)
			break
		} else {
			n -= size
		}
		dst = append(dst, *r)
		k++
	}
	f.ranges = slices.Delete(f.ranges, 0, k)
	return dst
}

// TakeHighest takes and returns the n highest free slots. At least n slots must be free.
func (f *Free) TakeHighest(n int) Set {
	s := f.ranges.Slice(f.count-n, n)
	f.Take(s)
	return s
}

// Has reports whether all slots of s are free.
func (f *Free) Has(s Set) bool {
	for _, r := range s {
		i := f.rangeAt(r.Lo)
		if i < 0 || f.ranges[i].Hi < r.Hi {
			return false
		}
	}
	return true
}

// Take removes the slots of s from f. All of them must be free.
func (f *Free) Take(s Set) {
	for _, r := range s {
		i := f.rangeAt(r.Lo)
		old := f.ranges[i]
		f.count -= int(r.Hi - r.Lo)
		switch {
		case old == r:
			f.ranges = slices.Delete(f.ranges, i, i+1)
		case old.Lo == r.Lo:
			f.ranges[i].Lo = r.Hi
		case old.Hi == r.Hi:
			f.ranges[i].Hi = r.Lo
		default:
			f.ranges[i].Hi = r.Lo
			f.ranges = slices.Insert(f.ranges, i+1, Range{r.Hi, old.Hi})
		}
	}
}

// Put adds the slots of s to f. None of them may be free.
func (f *Free) Put(s Set) {
	for _, r := range s {
		f.count += int(r.Hi - r.Lo)
		i := f.rangeAt(r.Lo) // index of the last free range that starts before r
		left := i >= 0 && f.ranges[i].Hi == r.Lo
		right := i+1 < len(f.ranges) && f.ranges[i+1].Lo == r.Hi
		switch {
		case left && right:
			f.ranges[i].Hi = f.ranges[i+1].Hi
			f.ranges = slices.Delete(f.ranges, i+1, i+2)
		case left:
			f.ranges[i].Hi = r.Hi
		case right:
			f.ranges[i+1].Lo = r.Lo
		default:
			f.ranges = slices.Insert(f.ranges, i+1, r)
		}
	}
}

// rangeAt returns the index of the last range that starts at or before the given slot, or -1 if
// there is none.
func (f *Free) rangeAt(slot int32) int {
	lo, hi := 0, len(f.ranges)
	for lo < hi {
		if mid := (lo + hi) / 2; f.ranges[mid].Lo <= slot {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}
