package experiment

import (
	"math"
	"slices"
)

// seeded is a source that is drawn from a seed. Workloads of one seed have draws in
// common, whatever else differs, so only seeds are independent.
type seeded interface{ seed() int64 }

func (g *generated) seed() int64 { return g.Seed }

// pooled returns the value of a column over the seeds of the row, and half the width
// of its interval. Each seed counts once, with the mean over its parts. Compared with
// the parts in Than, which have the same seeds, an improvement is the difference in
// percentage points, any other value a change in percent.
func (r *Row) pooled(c *Column, cell func(Source, *Case) Cell) (value, half float64) {
	if c.How == OfLoad || c.How == Ratio {
		return math.NaN(), math.NaN()
	}
	x := c.perSeed(r.Parts, cell)
	if r.Than == nil {
		return Interval(x)
	}
	than := c.perSeed(r.Than, cell)
	if c.How == Value {
		value, half = RatioInterval(x, than)
		return 100 * (value - 1), 100 * half
	}
	for i := range x {
		x[i] -= than[i]
	}
	return Interval(x)
}

// perSeed returns the mean of the column's values over the parts of each seed, in the
// order in which the seeds first occur.
func (c *Column) perSeed(parts []Part, cell func(Source, *Case) Cell) []float64 {
	var seeds []int64
	var sums, counts []float64
	for i := range parts {
		p := &parts[i]
		of := func(k *Case) []Cell { return []Cell{cell(p.Source, p.On(k))} }
		v, _ := c.value(nil, of)
		seed := p.Source.(seeded).seed()
		k := slices.Index(seeds, seed)
		if k < 0 {
			k = len(seeds)
			seeds, sums, counts = append(seeds, seed), append(sums, 0), append(counts, 0)
		}
		sums[k] += v
		counts[k]++
	}
	for k := range sums {
		sums[k] /= counts[k]
	}
	return sums
}
