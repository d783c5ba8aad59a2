package gain

import "slices"

// Fit is whether a job could be matched at all, or why not.
type Fit uint8

const (
	Suited       Fit = iota
	SlowedDown       // more than a job tolerates
	SlowsPrimary     // more than that
	RunsLonger       // much longer than the primary
)

// Fit says whether matched job i of a group could be in it at all (spec 6.4, step 1).
func (l *Limits) Fit(g *Group, i int) Fit {
	slow, burden := g.Slow(i), g.Burden(i)
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

// Room returns how many nodes the matched jobs may have beside a primary on so many
// nodes; exceed is MATCHED_EXCEED_PRIM.
func Room(nodes int, exceed float64) float64 {
	return float64(float64(nodes) * (1 + exceed))
}

// Window is the candidates [From,To) of a block.
type Window struct{ From, To int }

// Windows returns the sets of candidates that the window of the first block finds
// (spec 6.4, step 4): from each candidate on, those that follow one another as
// long as their nodes fit, up to the first that does not.
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

// Purify takes the matched job that slows the primary down most out of the group
// as long as the gain does not fall, but never the last one, and none of the first
// keep ones (step 6). It returns the places of those that stay.
func (g *Group) Purify(keep int) (stay []int) {
	for i := range g.Matched {
		stay = append(stay, i)
	}
	u := g.Gain().U
	for len(stay) > max(1, keep) {
		fewer := g.without(stay, g.heaviest(stay[keep:]))
		v := g.Only(fewer)
		if next := v.Gain().U; next < u-Near {
			break
		} else {
			stay, u = fewer, next
		}
	}
	return stay
}

// heaviest returns the matched job among those that burdens the primary most; of
// equals the first.
func (g *Group) heaviest(of []int) int {
	most := of[0]
	for _, i := range of {
		if g.Burden(i) > g.Burden(most)+Near {
			most = i
		}
	}
	return most
}

func (g *Group) without(of []int, one int) []int {
	return slices.DeleteFunc(slices.Clone(of), func(i int) bool { return i == one })
}

// Only returns the group with those matched jobs.
func (g *Group) Only(of []int) Group {
	v := Group{Primary: g.Primary}
	for _, i := range of {
		v.Matched = append(v.Matched, g.Matched[i])
	}
	return v
}
