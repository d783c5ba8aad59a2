package tsafrir

import (
	"math"
	"slices"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
)

// commonTimes lists estimates that are common in real traces. headEstimates uses those below the largest
// estimate.
var commonTimes = [...]job.Time{5 * minute, 10 * minute, 15 * minute, 20 * minute, 30 * minute, hour, 2 * hour, 3 * hour,
	4 * hour, 5 * hour, 6 * hour, 8 * hour, 10 * hour, 12 * hour, 18 * hour}

// roundUnits lists units of time. After the common estimates, headEstimates adds multiples of these
// units until there are 20 estimates. Earlier units are preferred.
var roundUnits = [...]job.Time{200 * hour, 100 * hour, 50 * hour, 10 * hour, 5 * hour, 2 * hour, hour, 20 * minute, 10 * minute, 5 * minute}

// headEstimates returns the 20 most common estimates. The first one is the largest, and the others are
// in ascending order.
func headEstimates(largest job.Time) []job.Time {
	times := []job.Time{largest}
	for _, t := range commonTimes {
		if t < largest {
			times = append(times, t)
		}
	}
	for _, unit := range roundUnits {
		for t := largest / unit * unit; t > 0 && len(times) < top; t -= unit {
			if !slices.Contains(times, t) {
				times = append(times, t)
			}
		}
	}
	sortTimes(times[1:])
	return times
}

// sortTimes sorts a short list in ascending order.
func sortTimes(times []job.Time) {
	for i := range times {
		for k := i; k > 0 && times[k] < times[k-1]; k-- {
			times[k], times[k-1] = times[k-1], times[k]
		}
	}
}

// ranks holds the popularity rank of each estimate in headEstimates in four traces: SDSC-106, CTC, KTH
// (limited to four hours) and BLUE. Rank 1 is the most popular. An index of ranks is called a
// place.
var ranks = [top][4]int{
	{3, 1, 1, 1}, {1, 3, 4, 6}, {4, 4, 10, 5}, {17, 2, 14, 3}, {13, 12, 20, 7},
	{7, 9, 2, 2}, {8, 8, 3, 18}, {18, 18, 7, 19}, {2, 6, 12, 4}, {6, 7, 6, 11},
	{16, 11, 19, 20}, {10, 20, 5, 9}, {5, 16, 18, 10}, {15, 5, 16, 14}, {14, 14, 9, 13},
	{19, 13, 17, 16}, {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8}, {20, 19, 11, 12},
}

// popularity draws a popularity rank for each estimate in headEstimates, from 1 (most popular) to
// 20. The largest estimate gets rank 1. Then each other estimate gets a rank, in order of the
// estimates. If there are unused ranks that no later estimate has in any trace, the estimate gets
// the lowest of these ranks. Otherwise, popularity collects the unused ranks that this estimate or
// an earlier one has in the traces, draws two of them, and uses the lower one.
func popularity(s *draw.Source) (order [top]int) {
	var last [top + 1]int // last[rank] is the last place that has this popularity in a trace
	for place, row := range ranks {
		for _, rank := range row {
			last[rank] = place
		}
	}
	var taken [top + 1]bool
	var pool []int
	for place := range order {
		pool = append(pool, ranks[place][:]...)
		pool = slices.DeleteFunc(pool, func(rank int) bool { return taken[rank] })
		rank := 1
		if place > 0 {
			if rank = rankUnusedLater(&last, &taken, place); rank == 0 {
				rank = min(pool[s.IntN(len(pool))], pool[s.IntN(len(pool))])
			}
		}
		order[place], taken[rank] = rank, true
	}
	return order
}

// rankUnusedLater returns the lowest unused rank that no place after the given place has in any trace.
// It returns 0 if there is no such rank.
func rankUnusedLater(last *[top + 1]int, taken *[top + 1]bool, place int) int {
	for rank := 1; rank <= top; rank++ {
		if last[rank] <= place && !taken[rank] {
			return rank
		}
	}
	return 0
}

// tailEstimates returns at most n estimates that are not in head. Short estimates are closer
// together than long ones. Each estimate is a whole number of minutes or, if that value is already
// in use, up to 30 s more or less.
func tailEstimates(n int, largest job.Time, head []job.Time) (times []job.Time) {
	a := 1 + float64(12.1039*exact.Pow(float64(n+top), -0.6026))
	for i := 1; i <= n; i++ {
		x := float64(i) / float64(n)
		y := (a - 1) * x / (a - x)
		t := job.Time(math.Round(y*float64(largest)/minute)) * minute
		for _, offset := range [...]job.Time{0, 30, -30, 20, -20, 10, -10} {
			if u := t + offset; u > 0 && u < largest && !slices.Contains(times, u) && !slices.Contains(head, u) {
				times = append(times, u)
				break
			}
		}
	}
	return times
}
