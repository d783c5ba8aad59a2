package claims

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"backfill-lab/core/stats"
)

// Verdict says whether our results confirm a claim.
type Verdict string

// These are the verdicts on claims.
const (
	Holds       Verdict = "holds"
	HoldsInPart Verdict = "in part"
	DoesNotHold Verdict = "no"
	Undecided   Verdict = "undecided"
)

// Finding holds a value that this program computed, and the verdict on it.
type Finding struct {
	Label    string         `json:"label"`    // what the value is, such as "start under FCFS"
	Text     string         `json:"text"`     // the value as shown in the book
	Expected string         `json:"expected"` // what the value must be to confirm the claim
	Value    stats.Interval `json:"-"`        // the value as an interval; zero for evidence that has none
	Verdict  Verdict        `json:"verdict"`
}

// judge returns the verdict of the rule on value v, which belongs to cell i of the part. A value
// without an interval counts as exact. The verdict is Undecided if the interval contains the
// paper's value but is wider than this value. Such an interval would agree with nearly any value.
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
		return verdictOf(contains && high-low <= math.Abs(r.Agrees[i]), !contains)
	case r.Above != nil:
		return verdictOf(low > *r.Above, high <= *r.Above)
	case r.Below != nil:
		return verdictOf(high < *r.Below, low >= *r.Below)
	}
	return verdictOf(low >= r.Within[0] && high <= r.Within[1], high < r.Within[0] || low > r.Within[1])
}

// verdictOf returns the verdict on an interval: Holds if all values in the interval agree with the
// paper, DoesNotHold if none of them does, and otherwise Undecided.
func verdictOf(all, none bool) Verdict {
	switch {
	case all:
		return Holds
	case none:
		return DoesNotHold
	}
	return Undecided
}

// expectedText says which values of cell i the rule accepts, such as "above 0" or "10.49 (paper)".
func (r *Rule) expectedText(i int) string {
	switch {
	case r.Agrees != nil:
		return limitText(r.Agrees[i]) + " (paper)"
	case r.Above != nil:
		return "above " + limitText(*r.Above)
	case r.Below != nil:
		return "below " + limitText(*r.Below)
	case r.Within[0] == r.Within[1]:
		return "exactly " + limitText(r.Within[0])
	}
	return "from " + limitText(r.Within[0]) + " to " + limitText(r.Within[1])
}

// limitText formats a number of a rule with as few digits as represent it exactly.
func limitText(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// expectedTexts says which values the rule accepts. Values of the paper are listed in the order of
// the cells, without repetitions.
func (r *Rule) expectedTexts() string {
	if r.Agrees == nil {
		return r.expectedText(0)
	}
	var out []string
	for _, x := range r.Agrees {
		if text := limitText(x); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return join(out) + " (paper)"
}

// check returns an error unless exactly one field of the rule is set. It also returns an error if
// Agrees does not have n values, one for each cell, or if Within does not have two limits.
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

// combine returns the verdict on a claim from the verdicts on its parts. The claim holds in part if
// some parts hold and others do not. If no part holds, the verdict is DoesNotHold if any part has the
// verdict DoesNotHold, and otherwise Undecided.
func combine(parts []Verdict) Verdict {
	count := map[Verdict]int{}
	for _, v := range parts {
		count[v]++
	}
	switch {
	case count[Holds] == len(parts) && len(parts) > 0:
		return Holds
	case count[Holds] > 0 || count[HoldsInPart] > 0:
		return HoldsInPart
	case count[DoesNotHold] > 0:
		return DoesNotHold
	}
	return Undecided
}

// majority returns the verdict, Holds or DoesNotHold, that more than half of the parts have. If there is
// none, it returns Undecided.
func majority(parts []Verdict) Verdict {
	holds, no := 0, 0
	for _, v := range parts {
		switch v {
		case Holds:
			holds++
		case DoesNotHold:
			no++
		}
	}
	return verdictOf(2*holds > len(parts), 2*no > len(parts))
}
