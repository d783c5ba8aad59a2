package gain

import "slices"

// Fit says whether a job can be matched with a primary, or why not.
type Fit uint8

const (
	Suited       Fit = iota
	SlowedDown       // the primary slows the job down by more than MAX_SL
	SlowsPrimary     // the job slows the primary down by more than MAX_SL
	RunsLonger       // the job ends more than MAX_MATCHED_LONGER_PRIM after the primary
)

// Fit reports whether job i of a group can be matched with the primary, if it were the only
// matched job.
func (l *Limits) Fit(g *Group, i int) Fit {
	slow, burden := g.MatchedSlowdown(i), g.PrimarySlowdown(i)
	switch {
	case slow > l.Slow+Near:
		return SlowedDown
	case burden > l.Slow+Near:
		return SlowsPrimary
	case float64(g.Matched[i].Left*slow) > float64(g.Primary.Left*burden)+l.Longer+Near:
		return RunsLonger
	}
	return Suited
}

// Room returns the number of nodes that the matched jobs may have together, not rounded. It
// takes the number of nodes of the primary, and MATCHED_EXCEED_PRIM.
func Room(nodes int, exceed float64) float64 {
	return float64(float64(nodes) * (1 + exceed))
}

// Window is the candidates with indices [From,To) of a block.
type Window struct{ From, To int }

// Windows returns the sets that the window over the first block finds. Each set begins at
// another candidate and contains those that follow it, up to the first whose nodes no longer
// fit. nodes holds the nodes of each candidate.
func Windows(nodes []int, room float64) (sets []Window) {
	for from := range nodes {
		to, sum := from, 0
		for to < len(nodes) && float64(sum+nodes[to]) <= room+Near {
			sum += nodes[to]
			to++
		}
		if to > from {
			sets = append(sets, Window{from, to})
		}
	}
	return sets
}

// Purify removes the matched job that slows the primary down most, again and again, as long as
// the gain does not fall. It never removes the first keep jobs, nor the last job left. It
// returns the indices of the jobs that stay.
func (g *Group) Purify(keep int) (stay []int) {
	for i := range g.Matched {
		stay = append(stay, i)
	}
	u := g.Gain().U
	for len(stay) > max(1, keep) {
		heaviest := g.heaviest(stay[keep:])
		fewer := slices.DeleteFunc(slices.Clone(stay), func(i int) bool { return i == heaviest })
		smaller := g.Subset(fewer)
		next := smaller.Gain().U
		if next < u-Near {
			break
		}
		stay, u = fewer, next
	}
	return stay
}

// heaviest returns which of these matched jobs slows the primary down most, the first of
// equals.
func (g *Group) heaviest(jobs []int) int {
	most := jobs[0]
	for _, i := range jobs {
		if g.PrimarySlowdown(i) > g.PrimarySlowdown(most)+Near {
			most = i
		}
	}
	return most
}

// Subset returns the group with the matched jobs of these indices.
func (g *Group) Subset(jobs []int) Group {
	smaller := Group{Primary: g.Primary}
	for _, i := range jobs {
		smaller.Matched = append(smaller.Matched, g.Matched[i])
	}
	return smaller
}
