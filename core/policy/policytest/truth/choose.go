package truth

import (
	"math"

	"backfill-lab/core/log"
)

// goal returns the reason of the sets that start.
func (j *judge) goal() log.Code {
	if j.Knobs.Text("goal") == "utilization" {
		return log.BusySet
	}
	return log.FairSet
}

// bestOf returns the number of the set that the goal chooses (Jin 2009, section 5.3, steps
// 8 to 11), 0 if none is good.
func (j *judge) bestOf(s *search) int {
	var good []int
	for i := range s.scores {
		if s.scores[i].good {
			good = append(good, i)
		}
	}
	if good == nil {
		return 0
	}
	first := good[0]
	for _, i := range good {
		x, b := s.scores[i], s.scores[first]
		if j.goal() == log.BusySet && x.used > b.used || j.goal() == log.FairSet && (x.late < b.late || x.late == b.late && x.used > b.used) {
			first = i
		}
	}
	saved := first
	for _, i := range good {
		if i != first && j.within(s, first, saved, i) {
			saved = i
		}
	}
	return saved
}

// within reports whether set i is within the ranges of the first and of the one
// taken so far.
func (j *judge) within(s *search, best, taken, i int) bool {
	rangeOf := func(name string, fair, busy float64) float64 {
		switch {
		case j.Knobs.Text(name) != "auto":
			return j.knob(name)
		case j.goal() == log.BusySet:
			return busy
		}
		return fair
	}
	first, saved, x := s.scores[best], s.scores[taken], s.scores[i]
	late, early, used := rangeOf("range-unfairness", 1.1, 1), rangeOf("range-skip", 1.5, 1), rangeOf("range-utilization", 1.02, 1.05)
	atMost := func(a, b float64) bool { return a <= b+1e-9*math.Abs(b) }
	if j.goal() == log.BusySet {
		return atMost(float64(first.used), used*float64(x.used)) && atMost(late*float64(x.late), float64(saved.late)) &&
			atMost(early*float64(x.early), float64(saved.early))
	}
	allowed := j.knob("range-unfairness-abs") * float64(s.jobs())
	return atMost(float64(x.late), late*float64(first.late)+allowed) && atMost(float64(x.early), early*float64(saved.early)) &&
		atMost(used*float64(saved.used), float64(x.used))
}
