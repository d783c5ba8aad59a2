package job

import "math/bits"

// SortByTime sorts list by the time that timeOf returns for each element. Elements with equal times keep their order.
// Short lists are sorted by insertion, others by a radix sort, which takes time proportional to the length of the list.
func SortByTime[E any](list []E, timeOf func(*E) Time) {
	const shortest = 64 // number of elements from which a radix sort is faster than insertion
	if len(list) < shortest {
		for i := range list {
			for k := i; k > 0 && timeOf(&list[k]) < timeOf(&list[k-1]); k-- {
				list[k], list[k-1] = list[k-1], list[k]
			}
		}
		return
	}
	earliest, latest, sorted := timeOf(&list[0]), timeOf(&list[0]), true
	for i := 1; i < len(list); i++ {
		t := timeOf(&list[i])
		sorted = sorted && t >= latest
		earliest, latest = min(earliest, t), max(latest, t)
	}
	if sorted {
		return
	}
	from, to := list, make([]E, len(list))
	width := bits.Len64(uint64(latest) - uint64(earliest))
	for shift := 0; shift < width; shift += digitBits {
		sortByDigit(from, to, timeOf, earliest, shift)
		from, to = to, from
	}
	if &from[0] != &list[0] {
		copy(list, from)
	}
}

// The radix sort divides a time into digits of digitBits bits each.
const (
	digitBits = 11
	digits    = 1 << digitBits
)

// sortByDigit copies the elements of src to dst, sorted by one digit of their times, as returned by
// timeOf. A digit belongs to the time since earliest, and shift is the number of bits below
// the digit. Elements with equal digits keep their order.
func sortByDigit[E any](src, dst []E, timeOf func(*E) Time, earliest Time, shift int) {
	var next [digits]int32 // by digit: index in dst of the next element that has this digit
	for i := range src {
		next[(uint64(timeOf(&src[i]))-uint64(earliest))>>shift%digits]++
	}
	sum := int32(0)
	for d, n := range next {
		next[d] = sum
		sum += n
	}
	for i := range src {
		d := (uint64(timeOf(&src[i])) - uint64(earliest)) >> shift % digits
		dst[next[d]] = src[i]
		next[d]++
	}
}
