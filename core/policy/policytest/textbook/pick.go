package textbook

// Pick holds the rule that selects the next job to backfill (Leinberger et al. 1999, section 2.2).
// Rule is first, bl (backfill lowest) or bb (backfill balanced). Fullness is relaxed, product, sum
// or none. It determines how the rule uses the share of the machine that stays free (see matches and
// score). Fallback determines which job bl selects if no job matches: the first one (first) or none.
type Pick struct{ Rule, Fullness, Fallback string }

// epsilon is the tolerance for comparisons of shares and scores.
const epsilon = 1e-9

// choose repeatedly starts the job that the rule selects, until no job may start. The queue must be
// sorted. It calls mayStart to find out whether a job may start now, and startJob to start it.
func (p Pick) choose(w *simulation, queue []int, mayStart func(j int) bool, startJob func(j int)) {
	for {
		var candidates []int
		for _, j := range queue {
			if w.waits(j) && mayStart(j) && (p.Rule != "bl" || p.Fallback != "none" || p.matches(w, j)) {
				candidates = append(candidates, j)
			}
		}
		if len(candidates) == 0 {
			return
		}
		startJob(p.pickOne(w, candidates))
	}
}

// pickOne returns the candidate that the rule prefers.
func (p Pick) pickOne(w *simulation, candidates []int) int {
	switch {
	case p.Rule == "first":
		return candidates[0]
	case p.Rule == "bl" && (p.Fullness == "relaxed" || p.Fullness == "none"):
		for _, j := range candidates {
			if p.matches(w, j) {
				return j
			}
		}
		return candidates[0]
	}
	best := candidates[0]
	for _, j := range candidates {
		if p.score(w, j) < p.score(w, best)-epsilon {
			best = j
		}
	}
	return best
}

// matches reports whether the largest relative request of job j is for the least used resource.
// If Fullness is relaxed, the request for that resource may be smaller than the largest, but not
// smaller than the largest times freeShareWith.
func (p Pick) matches(w *simulation, j int) bool {
	r, f := w.requestShares(j), 1.0
	if p.Fullness == "relaxed" {
		f = w.freeShareWith(j)
	}
	return r[w.leastUsed()] >= f*maximum(r)-epsilon
}

// score returns the score of job j. The rule prefers the lowest score.
func (p Pick) score(w *simulation, j int) float64 {
	b, f := w.balance(j), w.freeShareWith(j)
	if r := w.requestShares(j); p.Rule == "bl" && r[w.leastUsed()] >= maximum(r)-epsilon {
		b = 1
	} else if p.Rule == "bl" {
		b = float64(len(r))
	}
	return map[string]float64{"relaxed": (b - 1) * f, "product": b * f, "sum": b + f, "none": b}[p.Fullness]
}

// balance returns the largest resource utilization divided by the mean utilization, if job j were
// running too. The lowest possible value is 1, for a perfectly balanced machine.
func (w *simulation) balance(j int) float64 {
	return maximum(w.utilizationWith(j)) / mean(w.utilizationWith(j))
}

// freeShareWith returns the mean free share of the resources if job j were running too.
func (w *simulation) freeShareWith(j int) float64 { return 1 - mean(w.utilizationWith(j)) }

// utilizationWith returns the utilization of each resource if job j were running too.
func (w *simulation) utilizationWith(j int) []float64 {
	v := w.utilization()
	for k, r := range w.requestShares(j) {
		v[k] += r
	}
	return v
}

// utilization returns the utilization of each resource, from 0 to 1. It omits resources of
// capacity 0.
func (w *simulation) utilization() (u []float64) {
	free := w.free()
	for k, c := range w.capacity {
		if c > 0 {
			u = append(u, float64(c-free[k])/float64(c))
		}
	}
	return u
}

// requestShares returns the request of job j as a share of each resource's capacity. It omits
// resources of capacity 0.
func (w *simulation) requestShares(j int) (r []float64) {
	for k, c := range w.capacity {
		if c > 0 {
			r = append(r, float64(request(&w.jobs[j], k))/float64(c))
		}
	}
	return r
}

// leastUsed returns the index of the least utilized resource. Ties go to the first one.
func (w *simulation) leastUsed() int {
	u, lowest := w.utilization(), 0
	for k := range u {
		if u[k] < u[lowest]-epsilon {
			lowest = k
		}
	}
	return lowest
}

func maximum(v []float64) float64 {
	m := v[0]
	for _, x := range v {
		m = max(m, x)
	}
	return m
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}
