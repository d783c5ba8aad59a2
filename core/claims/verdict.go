package claims

import (
	"fmt"
	"math"
	"strconv"

	"backfill-lab/core/stats"
)

// Verdict says whether a claim holds.
type Verdict string

// The verdicts on claims.
const (
	Holds     Verdict = "holds"
	InPart    Verdict = "in part"
	No        Verdict = "no"
	Undecided Verdict = "undecided"
	NotMade   Verdict = "not made yet"
)

// Finding is a value of ours with its verdict.
type Finding struct {
	Label   string         `json:"label"`
	Text    string         `json:"text"` // the value as the book shows it
	Value   stats.Interval `json:"-"`
	Verdict Verdict        `json:"verdict"`
}

// judge returns the verdict on a value by a rule. I is the index of the value among the cells of its
// part. A value without an interval counts as exact. An interval wider than the value of the paper
// decides nothing, because it would agree with nearly any value.
func (r *Rule) judge(v stats.Interval, i int) Verdict {
	low, high := v.Low, v.High
	if math.IsNaN(low) {
		low, high = v.Mean, v.Mean
	}
	switch {
	case math.IsNaN(v.Mean):
		return Undecided
	case r.Agrees != nil:
		contains := low <= r.Agrees[i] && r.Agrees[i] <= high
		return side(contains && high-low <= math.Abs(r.Agrees[i]), !contains)
	case r.Above != nil:
		return side(low > *r.Above, high <= *r.Above)
	case r.Below != nil:
		return side(high < *r.Below, low >= *r.Below)
	}
	return side(low >= r.Within[0] && high <= r.Within[1], high < r.Within[0] || low > r.Within[1])
}

// side returns the verdict on an interval of which all values agree with the paper, or none.
func side(all, none bool) Verdict {
	switch {
	case all:
		return Holds
	case none:
		return No
	}
	return Undecided
}

// paperText returns the value of the paper for a cell, such as ", paper 10.49", if the rule has one.
func (r *Rule) paperText(i int) string {
	if r.Agrees == nil {
		return ""
	}
	return ", paper " + strconv.FormatFloat(r.Agrees[i], 'f', -1, 64)
}

// check returns an error unless exactly one limit is set, with a value for each of n cells.
func (r *Rule) check(n int) error {
	set := 0
	for _, has := range []bool{r.Agrees != nil, r.Above != nil, r.Below != nil, r.Within != nil} {
		if has {
			set++
		}
	}
	switch {
	case set != 1:
		return fmt.Errorf("rule: expected one of agrees, above, below and within, got %d", set)
	case r.Agrees != nil && len(r.Agrees) != n:
		return fmt.Errorf("rule, agrees: expected %d values, got %d", n, len(r.Agrees))
	case r.Within != nil && len(r.Within) != 2:
		return fmt.Errorf("rule, within: expected two limits, got %d", len(r.Within))
	}
	return nil
}

// combine returns the verdict on a claim whose parts have the given verdicts. A claim holds in part if
// some of its parts hold and others do not.
func combine(parts []Verdict) Verdict {
	count := map[Verdict]int{}
	for _, v := range parts {
		count[v]++
	}
	switch {
	case len(parts) == 0:
		return NotMade
	case count[Holds] == len(parts):
		return Holds
	case count[Holds] > 0 || count[InPart] > 0:
		return InPart
	case count[No] > 0:
		return No
	}
	return Undecided
}

// most returns the verdict on a claim about most of several values.
func most(parts []Verdict) Verdict {
	holds, no := 0, 0
	for _, v := range parts {
		switch v {
		case Holds:
			holds++
		case No:
			no++
		}
	}
	return side(2*holds > len(parts), 2*no > len(parts))
}
