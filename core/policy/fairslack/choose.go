package fairslack

import "math"

// score is what a set of jobs would make of the queue.
type score struct {
	late  int64 // seconds that waiting jobs start after their fair starts, in all
	early int64 // before them
	used  int   // processors in use
}

// ranges says how much worse in one respect a set may be that is better in
// another (Jin 2009, section 5.3, steps 8 to 11).
type ranges struct {
	busy              bool // the goal is utilization
	late, early, used float64
	allowed           float64 // seconds of mean delay beyond the range
}

// choose returns the place of the best of the sets, which come in the order of
// their creation, for a queue of n jobs; there is at least one set.
func (r *ranges) choose(sets []score, n int) int {
	if r.busy {
		return r.busiest(sets)
	}
	return r.fairest(sets, n)
}

// fairest is G1: among the sets with hardly more delay than the least, the one
// with more processors in use and not much more skipping.
func (r *ranges) fairest(sets []score, n int) int {
	ref := 0
	for i, x := range sets {
		if least := sets[ref]; x.late < least.late || x.late == least.late && x.used > least.used {
			ref = i
		}
	}
	bound := float64(r.late*float64(sets[ref].late)) + float64(r.allowed*float64(n))
	saved := ref
	for i, x := range sets {
		s := sets[saved]
		if i != ref && atMost(float64(x.late), bound) &&
			atMost(float64(x.early), float64(r.early*float64(s.early))) &&
			atMost(float64(r.used*float64(s.used)), float64(x.used)) {
			saved = i
		}
	}
	return saved
}

// busiest is G2: among the sets with hardly fewer processors in use than the
// most, one that is no less fair.
func (r *ranges) busiest(sets []score) int {
	ref := 0
	for i, x := range sets {
		if x.used > sets[ref].used {
			ref = i
		}
	}
	saved := ref
	for i, x := range sets {
		s := sets[saved]
		if i != ref && atMost(float64(sets[ref].used), float64(r.used*float64(x.used))) &&
			atMost(float64(r.late*float64(x.late)), float64(s.late)) &&
			atMost(float64(r.early*float64(x.early)), float64(s.early)) {
			saved = i
		}
	}
	return saved
}

// atMost reports whether a <= b but for what rounding does.
func atMost(a, b float64) bool { return a <= b+float64(1e-9*math.Abs(b)) }
