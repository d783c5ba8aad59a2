package decision

import (
	"math"

	"backfill-lab/core/policy/fairslack/rule"
)

// Pick is what a goal makes of the saved sets, by their places in Decision.Saved.
type Pick struct {
	First    int // the set that it begins with
	Taken    int // the set that it ends with
	Verdicts []Verdict
}

// Respect is in what a set is out of range.
type Respect uint8

const (
	Nothing Respect = iota
	Delay           // O, the starts after the fair ones
	Skip            // the starts before them
	Use             // U, the processors in use
)

// Verdict is how a set compares with those before it: the range that it leaves,
// and where that ends, in seconds of all jobs together or in processors.
type Verdict struct {
	Fails Respect
	Limit float64
}

// pick lets the rule choose, and sets beside each set what it was judged by.
func (d *Decision) pick(r *rule.Ranges) Pick {
	p := Pick{First: first(r, d.Scores), Taken: r.Choose(d.Scores, len(d.Queue)), Verdicts: make([]Verdict, len(d.Scores))}
	taken := p.First
	for i, x := range d.Scores {
		if i == p.First {
			continue
		}
		limits := limits(r, &d.Scores[p.First], &d.Scores[taken], len(d.Queue))
		if p.Verdicts[i] = judge(&x, &limits); p.Verdicts[i].Fails == Nothing {
			taken = i
		}
	}
	return p
}

// first is the set that a goal begins with: that of the most use, or that of the
// least delay.
func first(r *rule.Ranges, scores []rule.Score) int {
	best := 0
	for i, x := range scores {
		b := scores[best]
		if fairer := !r.Busy && x.Late < b.Late; fairer || x.Used > b.Used && (r.Busy || x.Late == b.Late) {
			best = i
		}
	}
	return best
}

// limits is where the ranges end for the next set, in the order in which the goal
// looks at them.
func limits(r *rule.Ranges, first, taken *rule.Score, jobs int) [3]Verdict {
	if r.Busy {
		return [3]Verdict{{Use, part(float64(first.Used), r.Used)}, {Delay, part(float64(taken.Late), r.Late)}, {Skip, part(float64(taken.Early), r.Early)}}
	}
	most := float64(r.Late*float64(first.Late)) + float64(r.Allowed*float64(jobs))
	return [3]Verdict{{Delay, most}, {Skip, float64(r.Early * float64(taken.Early))}, {Use, float64(r.Used * float64(taken.Used))}}
}

// part is what times the range is v; with a range of 0 nothing is too much.
func part(v, of float64) float64 {
	if of == 0 {
		return math.Inf(1)
	}
	return v / of
}

// judge finds the first range that a set leaves.
func judge(x *rule.Score, limits *[3]Verdict) Verdict {
	for i := range limits {
		l := limits[i]
		ok := false
		switch l.Fails {
		case Delay:
			ok = atMost(float64(x.Late), l.Limit)
		case Skip:
			ok = atMost(float64(x.Early), l.Limit)
		case Use:
			ok = atMost(l.Limit, float64(x.Used))
		}
		if !ok {
			return l
		}
	}
	return Verdict{}
}

// atMost reports whether a <= b but for what rounding does, as it does for the rule.
func atMost(a, b float64) bool { return a <= b+float64(1e-9*math.Abs(b)) }
