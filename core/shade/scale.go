package shade

import (
	"math"
	"strconv"

	"backfill-lab/core/job"
)

// mostSteps is how many classes an order has above nothing.
const mostSteps = 6

// rung is a bound of a class and how it is told.
type rung struct {
	at    float64
	words string
}

var (
	seconds = plain([]float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}, " s")
	clock   = []rung{{1, "1 s"}, {10, "10 s"}, {60, "1 min"}, {600, "10 min"}, {3600, "1 h"}, {21600, "6 h"}, {86400, "1 d"},
		{604800, "1 week"}, {2419200, "4 weeks"}, {31449600, "52 weeks"}, {math.Inf(1), "any time"}}
	ratios = append(plain([]float64{1.2, 1.5, 2, 3, 5, 10, 30, 100, 1000, 10000}, ""), rung{math.Inf(1), "any"})
)

func plain(bounds []float64, unit string) (out []rung) {
	for _, b := range bounds {
		out = append(out, rung{b, strconv.FormatFloat(b, 'f', -1, 64) + unit})
	}
	return out
}

// ladder returns the bounds for lengths of time up to most.
func ladder(most float64) []rung {
	if most <= 1000 {
		return seconds
	}
	return clock
}

// upTo returns the last n rungs up to the first that is not below most, or the first n.
func upTo(most float64, all []rung, n int) []rung {
	k := 0
	for k+1 < len(all) && all[k].at < most {
		k++
	}
	return all[max(0, k+1-n):max(k+1, min(n, 3))]
}

func ends(rungs []rung) (out []float64) {
	for _, r := range rungs {
		out = append(out, r.at)
	}
	return out
}

// within returns the place of the first bound that is not below v, else the last.
func within(bounds []float64, v float64) int {
	for i, b := range bounds {
		if v <= b {
			return i
		}
	}
	return len(bounds) - 1
}

// spread appends n shades, as far apart as can be, to those of nothing.
func spread(shades []int, n int) []int {
	for i := range n {
		shades = append(shades, 1+(mostSteps-1)*i/max(n-1, 1))
	}
	return shades
}

// steps returns the scale with a class for nothing and one up to each rung.
func (s Scale) steps(nothing string, rungs []rung) Scale {
	s.Words, s.ColourIndexes = []string{nothing}, spread([]int{0}, len(rungs))
	for _, r := range rungs {
		s.Words = append(s.Words, "to "+r.words)
	}
	return s
}

// doublings returns bounds for numbers up to most, each as many times the one before.
func doublings(most float64) (bounds []float64, words []string) {
	factor := 2.0
	for power(factor, mostSteps-1) < most {
		factor *= 2
	}
	for low, b := 1.0, 1.0; ; low, b = b+1, b*factor {
		bounds, words = append(bounds, b), append(words, strconv.FormatFloat(b, 'f', -1, 64))
		if n := len(words) - 1; low < b {
			words[n] = strconv.FormatFloat(low, 'f', -1, 64) + " to " + words[n]
		}
		if b >= most {
			return bounds, words
		}
	}
}

func power(v float64, n int) float64 {
	p := 1.0
	for range n {
		p *= v
	}
	return p
}

// between returns the time from one moment to another, NaN if one of them never comes.
func between(from, to job.Time) float64 {
	if from == job.Never || to == job.Never {
		return math.NaN()
	}
	return float64(to - from)
}
