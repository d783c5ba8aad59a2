package textbook

// Pick is the rule by which one of the jobs that may be backfilled is taken
// (Leinberger et al. 1999, section 2.2): first, bl or bb, the fullness, and what bl
// falls back to without a match, first or none.
type Pick struct{ Rule, Fullness, Fallback string }

const epsilon = 1e-9

// choose selects one startable job at a time by the rule and starts it, until no job
// may start. It expects queue in queue order.
func (p Pick) choose(w *world, queue []int, may func(j int) bool, start func(j int)) {
	for {
		var candidates []int
		for _, j := range queue {
			if w.waits(j) && may(j) && (p.Rule != "bl" || p.Fallback != "none" || p.matches(w, j)) {
				candidates = append(candidates, j)
			}
		}
		if len(candidates) == 0 {
			return
		}
		start(p.of(w, candidates))
	}
}

func (p Pick) of(w *world, candidates []int) int {
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

// matches reports whether job j asks most, or with the fullness relaxed nearly most,
// of the resource least in use.
func (p Pick) matches(w *world, j int) bool {
	r, f := w.asks(j), 1.0
	if p.Fullness == "relaxed" {
		f = w.fullness(j)
	}
	return r[w.lowest()] >= f*most(r)-epsilon
}

func (p Pick) score(w *world, j int) float64 {
	b, f := w.balance(j), w.fullness(j)
	if r := w.asks(j); p.Rule == "bl" && r[w.lowest()] >= most(r)-epsilon {
		b = 1
	} else if p.Rule == "bl" {
		b = float64(len(r))
	}
	return map[string]float64{"relaxed": (b - 1) * f, "product": b * f, "sum": b + f, "none": b}[p.Fullness]
}

// balance returns the largest resource utilization divided by the mean utilization,
// both as if job j were running too.
func (w *world) balance(j int) float64 { return most(w.with(j)) / mean(w.with(j)) }

// fullness returns the mean free share of the resources if job j were running too.
func (w *world) fullness(j int) float64 { return 1 - mean(w.with(j)) }

// with returns the utilization of each resource if job j were running too.
func (w *world) with(j int) []float64 {
	v := w.used()
	for k, r := range w.asks(j) {
		v[k] += r
	}
	return v
}

// used returns the utilization of each resource, from 0 to 1. It omits resources of
// capacity 0.
func (w *world) used() (u []float64) {
	free := w.free()
	for k, c := range w.whole {
		if c > 0 {
			u = append(u, float64(c-free[k])/float64(c))
		}
	}
	return u
}

// asks returns the request of job j as a share of each resource's capacity. It omits
// resources of capacity 0.
func (w *world) asks(j int) (r []float64) {
	for k, c := range w.whole {
		if c > 0 {
			r = append(r, float64(of(&w.jobs[j], k))/float64(c))
		}
	}
	return r
}

// lowest returns the index of the least utilized resource, the first one on a tie.
func (w *world) lowest() int {
	u, lowest := w.used(), 0
	for k := range u {
		if u[k] < u[lowest]-epsilon {
			lowest = k
		}
	}
	return lowest
}

func most(v []float64) float64 {
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
