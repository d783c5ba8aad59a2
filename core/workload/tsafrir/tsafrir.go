// Package tsafrir generates estimates like those of real users, with the model of Tsafrir, Etsion
// and Feitelson 2005, "Modeling User Runtime Estimates". Most jobs use one of a few round
// estimates, and the largest estimate is the most popular. The package uses the parameters of the
// published program est_model, but draws other random numbers.
package tsafrir

import (
	"errors"
	"math"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
)

// These are the minimum number of jobs and the minimum value of the largest estimate. The model is
// undefined for fewer jobs. With a smaller maximum, there would be fewer than 20 round estimates.
const (
	MinJobs    = 200
	MinLargest = 2 * hour
)

// These are units of time in seconds, and parameters of the 20 most common estimates.
const (
	minute      = 60
	hour        = 60 * minute
	top         = 20   // number of estimates that most jobs use
	headPercent = 89.0 // percentage of jobs that use one of these estimates
)

// ErrTooLong says that there are more long jobs than long estimates.
var ErrTooLong = errors.New("too many jobs run too long")

// Bin holds an estimate and the number of jobs that use it.
type Bin struct {
	Time job.Time // estimate in seconds
	Jobs int
}

// Histogram draws the estimates for the given number of jobs, and the number of jobs that use each
// estimate. The result is sorted by estimate. There must be at least MinJobs jobs, and maxEstimate
// must be at least MinLargest.
func Histogram(jobs int, maxEstimate job.Time, s *draw.Source) []Bin {
	times := headEstimates(maxEstimate)
	order := popularity(s)
	bins := make([]Bin, top, 600) // sorted by popularity
	for i, rank := range order {
		bins[rank-1].Time = times[i]
	}
	rest := tailEstimates(binCount(jobs)-top, maxEstimate, times)
	for i := len(rest) - 1; i > 0; i-- {
		k := s.IntN(i + 1)
		rest[i], rest[k] = rest[k], rest[i]
	}
	for _, t := range rest {
		bins = append(bins, Bin{Time: t})
	}
	setJobs(bins, jobs)
	sortByTime(bins)
	return bins
}

// binCount returns the number of different estimates that a workload uses. It interpolates linearly
// between the points below, as est_model does by default.
func binCount(jobs int) int {
	points := [...][2]int{{0, 0}, {20, 10}, {200, 20}, {1000, 35}, {10000, 90}, {70000, 340}, {250000, 565}}
	for k := 1; k < len(points); k++ {
		a, b := points[k-1], points[k]
		if jobs <= b[0] {
			slope := float64(b[1]-a[1]) / float64(b[0]-a[0])
			return a[1] + int(math.Round(float64(jobs-a[0])*slope))
		}
	}
	return points[len(points)-1][1]
}

// setJobs sets the number of jobs in each bin, so that the sum equals the given number of jobs. It
// distributes the rounding error over the bins, starting with the most popular one.
func setJobs(bins []Bin, jobs int) {
	sum := 0
	for i, percent := range percentages(len(bins)) {
		bins[i].Jobs = max(1, int(math.Round(percent*float64(jobs)/100)))
		sum += bins[i].Jobs
	}
	share := math.Abs(float64(jobs-sum)) / float64(sum)
	for sum != jobs {
		for i := range bins {
			n := int(math.Ceil(share * float64(bins[i].Jobs)))
			if sum > jobs {
				n = -min(n, bins[i].Jobs-1, sum-jobs)
			} else {
				n = min(n, jobs-sum)
			}
			bins[i].Jobs += n
			sum += n
		}
	}
}

// percentages returns the percentage of jobs in each of n bins, from the most popular to the least
// popular bin.
func percentages(n int) []float64 {
	size := make([]float64, n)
	size[0] = headPercent
	for i := 1; i < top; i++ {
		size[i] = float64(14.0491*exact.Exp(-0.177531*float64(i+1))) + 0.462513
		size[0] -= size[i]
	}
	sum := 0.0
	for i := top; i < n; i++ {
		size[i] = 795.6 * exact.Pow(float64(i+1), -2.267)
		sum += size[i]
	}
	for i := top; i < n; i++ {
		size[i] *= (100 - headPercent) / sum
	}
	return size
}

// sortByTime sorts the bins by estimate. There are at most 565 bins, so a simple sort is fast
// enough.
func sortByTime(bins []Bin) {
	for i := range bins {
		for k := i; k > 0 && bins[k].Time < bins[k-1].Time; k-- {
			bins[k], bins[k-1] = bins[k-1], bins[k]
		}
	}
}
