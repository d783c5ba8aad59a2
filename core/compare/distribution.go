package compare

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
)

// Distribution describes the values of one class of jobs. Quantiles are interpolated linearly, so
// that the median of the waits equals the metric median-wait.
type Distribution struct {
	N                         int     // number of values
	Low, Q1, Median, Q3, High float64 // the 5th, 25th, 50th, 75th and 95th percentiles
	Min, Mean, Max            float64
	Values                    []float64 // all values, ascending, if there are at most MaxListedJobs
}

// MaxListedJobs is the maximum size of a class whose values are listed one by one.
const MaxListedJobs = 12

// SingleClass returns a single class that contains every job.
func SingleClass(jobs []job.Job) *Classes {
	return &Classes{Names: []string{"all jobs"}, ClassOf: make([]int32, len(jobs))}
}

// Waits returns the wait of each job, from submission to start, in seconds. It returns NaN for a
// job that does not finish or that the metrics exclude. There must be one outcome for each job
// in l.
func Waits(l *log.Log, outcomes []log.Outcome, o metrics.Options) []float64 {
	return countedValues(l, outcomes, o, func(i job.Index) float64 { return float64(outcomes[i].Start - l.Jobs[i].Submit) })
}

// Slowdowns returns the bounded slowdown of each job. It returns NaN for the same jobs as Waits.
func Slowdowns(l *log.Log, ends []log.Outcome, o metrics.Options) []float64 {
	return countedValues(l, ends, o, func(i job.Index) float64 {
		return max(1, float64(ends[i].Finish-l.Jobs[i].Submit)/float64(max(l.Runtime(i), o.Tau)))
	})
}

// countedValues returns the value of each job that finished and that the metrics include. It
// returns NaN for the other jobs, for example for jobs in the warm-up.
func countedValues(l *log.Log, ends []log.Outcome, o metrics.Options, value func(job.Index) float64) []float64 {
	out := make([]float64, len(ends))
	first, last := o.CountedRange(len(ends))
	for i := range out {
		if out[i] = math.NaN(); i >= first && i < last && ends[i].Finish != job.Never {
			out[i] = value(job.Index(i))
		}
	}
	return out
}

// Distributions computes one distribution for each class. A class without values has N = 0. There
// must be one value for each job, and sortedIndexes must be the result of SortedIndexes(values).
func Distributions(values []float64, sortedIndexes []int32, c *Classes) []Distribution {
	out := make([]Distribution, len(c.Names))
	for _, i := range sortedIndexes {
		out[c.ClassOf[i]].N++
	}
	sorted := make([][]float64, len(out))
	all := make([]float64, len(sortedIndexes))
	for k := range out {
		sorted[k], all = all[:0:out[k].N], all[out[k].N:]
	}
	for _, i := range sortedIndexes {
		sorted[c.ClassOf[i]] = append(sorted[c.ClassOf[i]], values[i])
	}
	for k := range out {
		if len(sorted[k]) > 0 {
			out[k] = distribution(sorted[k])
		}
	}
	return out
}

// distribution computes the quantiles of values in ascending order. There must be at least one
// value.
func distribution(sorted []float64) Distribution {
	s := Distribution{N: len(sorted), Min: sorted[0], Max: sorted[len(sorted)-1]}
	for _, x := range sorted {
		s.Mean += x
	}
	s.Mean /= float64(len(sorted))
	s.Low, s.Q1, s.Median, s.Q3, s.High = quantile(sorted, 5), quantile(sorted, 25), quantile(sorted, 50), quantile(sorted, 75), quantile(sorted, 95)
	if len(sorted) <= MaxListedJobs {
		s.Values = sorted
	}
	return s
}

// quantile returns the given percentile of values in ascending order. It interpolates linearly
// between the two nearest values.
func quantile(v []float64, percent int) float64 {
	at := (len(v) - 1) * percent
	k, fraction := at/100, float64(at%100)/100
	if fraction == 0 {
		return v[k]
	}
	return v[k] + float64(fraction*(v[k+1]-v[k]))
}

// entry pairs the index of a value with an integer key. The keys sort in the same order as the
// values.
type entry struct {
	key   uint64
	index int32
}

// SortedIndexes returns the indexes of the values, in ascending order of the values. Equal values
// keep their order. NaN values are omitted.
func SortedIndexes(values []float64) []int32 {
	list := make([]entry, 0, len(values))
	for i, v := range values {
		k := math.Float64bits(v)
		if k>>63 != 0 {
			k = ^k // the bits of negative numbers sort in descending order
		} else {
			k |= 1 << 63
		}
		if v == v {
			list = append(list, entry{k, int32(i)})
		}
	}
	order := make([]int32, len(list))
	for i, e := range radixSort(list) {
		order[i] = e.index
	}
	return order
}

// radixSort sorts entries by key, one byte at a time, starting with the least significant byte.
// It skips bytes that are equal in all keys.
func radixSort(list []entry) []entry {
	differing := uint64(0) // bits that differ between any two keys
	for i := range list {
		differing |= list[i].key ^ list[0].key
	}
	out := make([]entry, len(list))
	for shift := 0; shift < 64; shift += 8 {
		if differing>>shift&0xff == 0 {
			continue
		}
		var next [257]int32
		for i := range list {
			next[list[i].key>>shift&0xff+1]++
		}
		for b := range 256 {
			next[b+1] += next[b]
		}
		for _, e := range list {
			b := e.key >> shift & 0xff
			out[next[b]] = e
			next[b]++
		}
		list, out = out, list
	}
	return list
}
