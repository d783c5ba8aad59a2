package rule

import "math"

// Score is what a set of jobs would make of the queue.
type Score struct {
	Late  int64 // seconds that waiting jobs start after their fair starts, in all
	Early int64 // before them
	Used  int   // processors in use
}

// Ranges says how much worse in one respect a set may be that is better in
// another (Jin 2009, section 5.3, steps 8 to 11).
type Ranges struct {
	Busy              bool // the goal is utilization
	Late, Early, Used float64
	Allowed           float64 // seconds of mean delay beyond the range
}

// Choose returns the place of the best of the sets, which come in the order of
// their creation, for a queue of n jobs; there is at least one set.
func (r *Ranges) Choose(sets []Score, n int) int {
	if r.Busy {
		return r.busiest(sets)
	}
	return r.fairest(sets, n)
}

// fairest is G1: among the sets with hardly more delay than the least, the one
// with more processors in use and not much more skipping.
func (r *Ranges) fairest(sets []Score, n int) int {
	ref := 0
	for i, x := range sets {
		if least := sets[ref]; x.Late < least.Late || x.Late == least.Late && x.Used > least.Used {
			ref = i
		}
	}
	bound := float64(r.Late*float64(sets[ref].Late)) + float64(r.Allowed*float64(n))
	saved := ref
	for i, x := range sets {
		s := sets[saved]
		if i != ref && atMost(float64(x.Late), bound) &&
			atMost(float64(x.Early), float64(r.Early*float64(s.Early))) &&
			atMost(float64(r.Used*float64(s.Used)), float64(x.Used)) {
			saved = i
		}
	}
	return saved
}

// busiest is G2: among the sets with hardly fewer processors in use than the
// most, one that is no less fair.
func (r *Ranges) busiest(sets []Score) int {
	ref := 0
	for i, x := range sets {
		if x.Used > sets[ref].Used {
			ref = i
		}
	}
	saved := ref
	for i, x := range sets {
		s := sets[saved]
		if i != ref && atMost(float64(sets[ref].Used), float64(r.Used*float64(x.Used))) &&
			atMost(float64(r.Late*float64(x.Late)), float64(s.Late)) &&
			atMost(float64(r.Early*float64(x.Early)), float64(s.Early)) {
			saved = i
		}
	}
	return saved
}

// atMost reports whether a <= b but for what rounding does.
func atMost(a, b float64) bool { return a <= b+float64(1e-9*math.Abs(b)) }
