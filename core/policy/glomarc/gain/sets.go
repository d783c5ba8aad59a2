package gain

import "slices"

// Fit says whether a job can be matched with a primary and, if not, why.
type Fit uint8

const (
	Suited       Fit = iota
	SlowedDown       // the primary slows the job down by more than MAX_SL
	SlowsPrimary     // the job slows the primary down by more than MAX_SL
	RunsLonger       // the job would end more than MAX_MATCHED_LONGER_PRIM after the primary
)

// Fit reports whether matched job i of group g suits the primary and, if not, why. It ignores the
// other matched jobs.
func (l *Limits) Fit(g *Group, i int) Fit {
	slowdown, ofPrimary := g.MatchedSlowdown(i), g.PrimarySlowdown(i)
	switch {
	case slowdown > l.MaxSlowdown+Tolerance:
		return SlowedDown
	case ofPrimary > l.MaxSlowdown+Tolerance:
		return SlowsPrimary
	case float64(g.Matched[i].Left*slowdown) > float64(g.Primary.Left*ofPrimary)+l.MaxLonger+Tolerance:
		return RunsLonger
	}
	return Suited
}

// NodeLimit returns the maximum number of nodes that all matched jobs together may have. It does
// not round the result. The limit exceeds the number of nodes of the primary by the given fraction
// (MATCHED_EXCEED_PRIM in the thesis).
func NodeLimit(primaryNodes int, fraction float64) float64 {
	return float64(float64(primaryNodes) * (1 + fraction))
}

// Window holds a range [From,To) of indices in a block, which is a list of candidates for a group.
type Window struct{ From, To int }

// Windows returns the sets that a sliding window over a block finds. The argument nodes holds the number of nodes of
// each candidate, and limit is the maximum number of nodes of a set. Each candidate within this limit is the first job
// of one set. The set also contains the candidates that follow, as long as all jobs of the set together are within the
// limit.
func Windows(nodes []int, limit float64) (sets []Window) {
	for from := range nodes {
		to, sum := from, 0
		for to < len(nodes) && float64(sum+nodes[to]) <= limit+Tolerance {
			sum += nodes[to]
			to++
		}
		if to > from {
			sets = append(sets, Window{from, to})
		}
	}
	return sets
}

// Purify repeatedly removes the matched job that slows the primary down most, as long as the gain does not fall. It
// never removes the only job left, nor one of the first keepCount jobs. It returns the indices of the jobs that stay.
func (g *Group) Purify(keepCount int) (stay []int) {
	for i := range g.Matched {
		stay = append(stay, i)
	}
	u := g.Gain().U
	for len(stay) > max(1, keepCount) {
		heaviest := g.slowsPrimaryMost(stay[keepCount:])
		fewer := slices.DeleteFunc(slices.Clone(stay), func(i int) bool { return i == heaviest })
		smaller := g.Subset(fewer)
		next := smaller.Gain().U
		if next < u-Tolerance {
			break
		}
		stay, u = fewer, next
	}
	return stay
}

// slowsPrimaryMost returns the index of the matched job that slows the primary down most. It
// considers only the jobs with the given indices. Ties go to the first.
func (g *Group) slowsPrimaryMost(jobs []int) int {
	worst := jobs[0]
	for _, i := range jobs {
		if g.PrimarySlowdown(i) > g.PrimarySlowdown(worst)+Tolerance {
			worst = i
		}
	}
	return worst
}

// Subset returns the group with only the matched jobs at the given indices.
func (g *Group) Subset(jobs []int) Group {
	smaller := Group{Primary: g.Primary}
	for _, i := range jobs {
		smaller.Matched = append(smaller.Matched, g.Matched[i])
	}
	return smaller
}
