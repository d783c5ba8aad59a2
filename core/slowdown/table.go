// Package slowdown says how much jobs on shared nodes slow each other and
// themselves down: drawn from the table of the thesis, or as given (Zeng 2009,
// section 4.10). What comes of it is the business of package speed, who shares
// nodes that of policies.
package slowdown

import (
	"math"

	"backfill-lab/core/workload/draw"
)

// Bins is the distribution of a slowdown: percents of bins of width 0.1 from 0.9
// on, inside of which it is uniform.
type Bins [9]int

// The columns of table 4: by four processes on a node beyond that by two, by two,
// and by another job.
var (
	Crs = Bins{0, 25, 17, 17, 13, 17, 8, 3, 0}
	Nos = Bins{25, 45, 12, 5, 13}
	Cos = Bins{0, 68, 17, 7, 3, 2, 1, 1, 1}
)

// At returns the slowdown that two uniform numbers of [0,1) choose: one the bin, one
// the place in it. It is cut to four decimals, so that people can read it.
func (b *Bins) At(bin, place float64) float64 {
	percent, k := int(bin*100), 0
	for ; percent >= b[k]; k++ {
		percent -= b[k]
	}
	return math.Floor(9000+float64(1000*(float64(k)+place))) / 10000
}

// key returns a number for a name (FNV-1a): the same wherever the job stands in its
// workload.
func key(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}

// drawn returns SL_cos of a pair, a function of the seed and the two alone: no draw
// depends on another one.
func drawn(seed int64, i, j uint64) float64 {
	h := draw.Mix(draw.Mix(draw.Mix(uint64(seed))^i) ^ j)
	return Cos.At(uniform(h), uniform(draw.Mix(h)))
}

// uniform returns a number of [0,1) from the upper 53 bits.
func uniform(h uint64) float64 { return float64(h>>11) / (1 << 53) }
