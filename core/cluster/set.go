package cluster

import (
	"fmt"
	"strconv"
	"strings"
)

// Range holds the slots Lo to Hi-1.
type Range struct{ Lo, Hi int32 }

// Set is a set of slots, stored as increasing ranges that neither overlap nor touch. Its text form
// lists the first and last slot of each range: "0-3 8".
type Set []Range

// Count returns the number of slots in s.
func (s Set) Count() int {
	n := 0
	for _, r := range s {
		n += int(r.Hi - r.Lo)
	}
	return n
}

// Append adds the range [lo,hi) after all slots of s and merges it with the last range if
// they touch.
func (s Set) Append(lo, hi int32) Set {
	if n := len(s); n > 0 && s[n-1].Hi == lo {
		s[n-1].Hi = hi
		return s
	}
	return append(s, Range{lo, hi})
}

// Intersect returns the intersection of s and o.
func (s Set) Intersect(o Set) (out Set) {
	for i, k := 0, 0; i < len(s) && k < len(o); {
		if lo, hi := max(s[i].Lo, o[k].Lo), min(s[i].Hi, o[k].Hi); lo < hi {
			out = append(out, Range{lo, hi})
		}
		if s[i].Hi < o[k].Hi {
			i++
		} else {
			k++
		}
	}
	return out
}

// Without returns the slots of s that are not in o.
func (s Set) Without(o Set) (out Set) {
	k := 0
	for _, r := range s {
		for k < len(o) && o[k].Hi <= r.Lo {
			k++
		}
		for i := k; i < len(o) && o[i].Lo < r.Hi; i++ {
			if o[i].Lo > r.Lo {
				out = append(out, Range{r.Lo, o[i].Lo})
			}
			r.Lo = min(o[i].Hi, r.Hi)
		}
		if r.Lo < r.Hi {
			out = append(out, r)
		}
	}
	return out
}

// Union returns the union of s and o, which must be disjoint.
func (s Set) Union(o Set) (out Set) {
	i, k := 0, 0
	for i < len(s) || k < len(o) {
		if k == len(o) || i < len(s) && s[i].Lo < o[k].Lo {
			out = out.Append(s[i].Lo, s[i].Hi)
			i++
		} else {
			out = out.Append(o[k].Lo, o[k].Hi)
			k++
		}
	}
	return out
}

// Slice returns n slots of s, beginning with the slot at the given position. The lowest slot of s
// has position 0. Slice returns fewer slots if s is too small.
func (s Set) Slice(from, n int) (out Set) {
	for _, r := range s {
		size := int(r.Hi - r.Lo)
		if skip := min(from, size); skip > 0 {
			r.Lo += int32(skip)
			from, size = from-skip, size-skip
		}
		if size = min(size, n); size > 0 {
			out = append(out, Range{r.Lo, r.Lo + int32(size)})
			n -= size
		}
	}
	return out
}

// AppendTo appends the text form of s to dst.
func (s Set) AppendTo(dst []byte) []byte {
	for i, r := range s {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(dst, int64(r.Lo), 10)
		if r.Hi-r.Lo > 1 {
			dst = append(dst, '-')
			dst = strconv.AppendInt(dst, int64(r.Hi-1), 10)
		}
	}
	return dst
}

func (s Set) String() string { return string(s.AppendTo(nil)) }

// ParseSet parses the text form of a set.
func ParseSet(text string) (Set, error) {
	var s Set
	for _, f := range strings.Fields(text) {
		first, last, two := strings.Cut(f, "-")
		if !two {
			last = first
		}
		lo, err1 := strconv.ParseInt(first, 10, 32)
		hi, err2 := strconv.ParseInt(last, 10, 32)
		if err1 != nil || err2 != nil || lo < 0 || hi < lo || hi >= MaxSlots {
			return nil, fmt.Errorf("slots %q: expected numbers or ranges such as \"0-3 8\", got %q", text, f)
		}
		if n := len(s); n > 0 && int32(lo) < s[n-1].Hi {
			return nil, fmt.Errorf("slots %q: expected ranges in ascending order, got %q", text, f)
		}
		s = s.Append(int32(lo), int32(hi)+1)
	}
	return s, nil
}
