package compare

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
)

// Spread is how the values of a class of jobs are spread. Between two jobs a
// quantile is interpolated, so that the median is the metric's.
type Spread struct {
	N                         int
	Low, Q1, Median, Q3, High float64 // 5, 25, 50, 75 and 95 percent of the jobs have no more
	Min, Mean, Max            float64
	Few                       []float64 // all of them, ascending, if they are at most FewJobs
}

// FewJobs is how many jobs are better shown one by one.
const FewJobs = 12

// All returns one class with every job.
func All(jobs []job.Job) *Classes {
	return &Classes{Names: []string{"all jobs"}, Of: make([]int32, len(jobs))}
}

// Waits returns the wait of each job that the metrics count, NaN of each other.
func Waits(l *log.Log, ends []log.Outcome, o metrics.Options) []float64 {
	return values(l, ends, o, func(i job.Index) float64 { return float64(ends[i].Start - l.Jobs[i].Submit) })
}

// Slowdowns returns the bounded slowdown of each job that the metrics count, likewise.
func Slowdowns(l *log.Log, ends []log.Outcome, o metrics.Options) []float64 {
	return values(l, ends, o, func(i job.Index) float64 {
		return max(1, float64(ends[i].Finish-l.Jobs[i].Submit)/float64(max(l.Runtime(i), o.Tau)))
	})
}

func values(l *log.Log, ends []log.Outcome, o metrics.Options, of func(job.Index) float64) []float64 {
	out := make([]float64, len(ends))
	first, last := o.Counted(len(ends))
	for i := range out {
		if out[i] = math.NaN(); i >= first && i < last && ends[i].Finish != job.Never {
			out[i] = of(job.Index(i))
		}
	}
	return out
}

// Spreads returns the spread of each class, by its place; order is that of Ascending.
func Spreads(values []float64, order []int32, c *Classes) []Spread {
	out := make([]Spread, len(c.Names))
	for _, i := range order {
		out[c.Of[i]].N++
	}
	sorted := make([][]float64, len(out))
	all := make([]float64, len(order))
	for k := range out {
		sorted[k], all = all[:0:out[k].N], all[out[k].N:]
	}
	for _, i := range order {
		sorted[c.Of[i]] = append(sorted[c.Of[i]], values[i])
	}
	for k := range out {
		if len(sorted[k]) > 0 {
			out[k] = spread(sorted[k])
		}
	}
	return out
}

func spread(v []float64) Spread {
	s := Spread{N: len(v), Min: v[0], Max: v[len(v)-1]}
	for _, x := range v {
		s.Mean += x
	}
	s.Mean /= float64(len(v))
	s.Low, s.Q1, s.Median, s.Q3, s.High = quantile(v, 5), quantile(v, 25), quantile(v, 50), quantile(v, 75), quantile(v, 95)
	if len(v) <= FewJobs {
		s.Few = v
	}
	return s
}

// quantile returns the value at a part of the way from the first to the last.
func quantile(v []float64, percent int) float64 {
	at := (len(v) - 1) * percent
	k, rest := at/100, float64(at%100)/100
	if rest == 0 {
		return v[k]
	}
	return v[k] + float64(rest*(v[k+1]-v[k]))
}

// entry is a value as a number that sorts as it does, and whose it is.
type entry struct {
	key uint64
	of  int32
}

// Ascending returns the indexes of the values that are numbers, the smallest value first,
// equal ones in order.
func Ascending(values []float64) []int32 {
	list := make([]entry, 0, len(values))
	for i, v := range values {
		k := math.Float64bits(v)
		if k>>63 != 0 {
			k = ^k // of two numbers below 0 the smaller one has the larger bits
		} else {
			k |= 1 << 63
		}
		if v == v {
			list = append(list, entry{k, int32(i)})
		}
	}
	order := make([]int32, len(list))
	for i, e := range radix(list) {
		order[i] = e.of
	}
	return order
}

// radix sorts by one byte of the keys after the other, from the last.
func radix(list []entry) []entry {
	differ := uint64(0)
	for i := range list {
		differ |= list[i].key ^ list[0].key
	}
	to := make([]entry, len(list))
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var at [257]int32
		for i := range list {
			at[list[i].key>>shift&0xff+1]++
		}
		for b := range 256 {
			at[b+1] += at[b]
		}
		for _, e := range list {
			b := e.key >> shift & 0xff
			to[at[b]] = e
			at[b]++
		}
		list, to = to, list
	}
	return list
}
