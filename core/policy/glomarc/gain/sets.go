package gain

import "slices"

// Suits reports whether matched job i of a group could be in it at all: neither it
// nor the primary is slowed down more than a job tolerates, and it does not run much
// longer (spec 6.4, step 1).
func (l *Limits) Suits(g *Group, i int) bool {
	slow, burden := g.Slow(i), g.Burden(i)
	return slow <= l.Slow+near && burden <= l.Slow+near &&
		float64(g.Matched[i].Left*slow) <= float64(g.Primary.Left*burden)+l.Longer+near
}

// Room is how many nodes the matched jobs may have beside a primary on so many
// nodes; exceed is MATCHED_EXCEED_PRIM.
func Room(nodes int, exceed float64) float64 {
	return float64(float64(nodes) * (1 + exceed))
}

// Window is the candidates [From,To) of a block.
type Window struct{ From, To int }

// Windows is the sets of candidates that the window of the first block finds
// (spec 6.4, step 4): from each candidate on, those that follow one another as
// long as their nodes fit, up to the first that does not.
func Windows(nodes []int, room float64) (sets []Window) {
	for from := range nodes {
		to, sum := from, 0
		for to < len(nodes) && float64(sum+nodes[to]) <= room+near {
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
// as long as the gain does not fall, but never the last one (step 6). It returns
// the places of those that stay.
func (g *Group) Purify() (stay []int) {
	for i := range g.Matched {
		stay = append(stay, i)
	}
	u := g.Gain().U
	for len(stay) > 1 {
		fewer := g.without(stay, g.heaviest(stay))
		v := g.only(fewer)
		if next := v.Gain().U; next < u-near {
			break
		} else {
			stay, u = fewer, next
		}
	}
	return stay
}

// heaviest is the matched job among those that burdens the primary most; of
// equals the first.
func (g *Group) heaviest(of []int) int {
	most := of[0]
	for _, i := range of {
		if g.Burden(i) > g.Burden(most)+near {
			most = i
		}
	}
	return most
}

func (g *Group) without(of []int, one int) []int {
	return slices.DeleteFunc(slices.Clone(of), func(i int) bool { return i == one })
}

// only is the group with those matched jobs.
func (g *Group) only(of []int) Group {
	v := Group{Primary: g.Primary}
	for _, i := range of {
		v.Matched = append(v.Matched, g.Matched[i])
	}
	return v
}
