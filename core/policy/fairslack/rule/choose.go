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

// Respect is in what sets are compared.
type Respect uint8

const (
	Nothing Respect = iota
	Delay           // O, the starts after the fair ones
	Skip            // the starts before them
	Use             // U, the processors in use
)

// Verdict is how a set compares with those before it: the first range that it
// leaves, and where that ends, in seconds of all jobs together or in processors.
type Verdict struct {
	Fails Respect
	Limit float64
}

// Choose returns the place of the best of the sets, which come in the order of
// their creation, for a queue of n jobs; there is at least one set.
func (r *Ranges) Choose(sets []Score, n int) int { return r.walk(sets, n, r.first(sets), nil) }

// Explain returns Choose, with the set that the goal begins with and a verdict on each
// of the others.
func (r *Ranges) Explain(sets []Score, n int) (first, best int, verdicts []Verdict) {
	first, verdicts = r.first(sets), make([]Verdict, len(sets))
	return first, r.walk(sets, n, first, verdicts), verdicts
}

// first returns the set that the goal begins with: that of the most use for G2, and
// for G1 that of the least delay, of several that of the most use.
func (r *Ranges) first(sets []Score) int {
	best := 0
	for i, x := range sets {
		b := sets[best]
		if fairer := !r.Busy && x.Late < b.Late; fairer || x.Used > b.Used && (r.Busy || x.Late == b.Late) {
			best = i
		}
	}
	return best
}

// walk goes from the first set on to each that is within the ranges: for G1 one
// with hardly more delay than the first, more processors in use and not much more
// skipping than the one before; for G2 one with hardly fewer processors in use
// than the first that is no less fair than the one before.
func (r *Ranges) walk(sets []Score, n, first int, verdicts []Verdict) int {
	saved := first
	for i := range sets {
		if i == first {
			continue
		}
		fails := r.leaves(&sets[first], &sets[saved], &sets[i], n)
		if verdicts != nil && fails != Nothing {
			verdicts[i] = Verdict{fails, r.limit(fails, &sets[first], &sets[saved], n)}
		}
		if fails == Nothing {
			saved = i
		}
	}
	return saved
}

// leaves returns the first of the ranges that set x leaves, in the order in which the
// goal looks at them.
func (r *Ranges) leaves(first, saved, x *Score, n int) Respect {
	if r.Busy {
		switch {
		case !atMost(float64(first.Used), float64(r.Used*float64(x.Used))):
			return Use
		case !atMost(float64(r.Late*float64(x.Late)), float64(saved.Late)):
			return Delay
		case !atMost(float64(r.Early*float64(x.Early)), float64(saved.Early)):
			return Skip
		}
		return Nothing
	}
	switch {
	case !atMost(float64(x.Late), r.limit(Delay, first, saved, n)):
		return Delay
	case !atMost(float64(x.Early), r.limit(Skip, first, saved, n)):
		return Skip
	case !atMost(r.limit(Use, first, saved, n), float64(x.Used)):
		return Use
	}
	return Nothing
}

// limit is where a range ends. For G2 it is a quotient, so sets are compared by
// products.
func (r *Ranges) limit(in Respect, first, saved *Score, n int) float64 {
	switch {
	case r.Busy && in == Use:
		return float64(first.Used) / r.Used
	case r.Busy && in == Delay:
		return float64(saved.Late) / r.Late
	case r.Busy:
		return float64(saved.Early) / r.Early
	case in == Delay:
		return float64(r.Late*float64(first.Late)) + float64(r.Allowed*float64(n))
	case in == Skip:
		return float64(r.Early * float64(saved.Early))
	}
	return float64(r.Used * float64(saved.Used))
}

// atMost reports whether a <= b but for what rounding does.
func atMost(a, b float64) bool { return a <= b+float64(1e-9*math.Abs(b)) }
