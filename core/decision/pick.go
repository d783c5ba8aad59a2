package decision

import "backfill-lab/core/policy/fairslack/rule"

// Pick is what a goal makes of the saved sets, by their places in Decision.Saved.
type Pick struct {
	First    int // the set that it begins with
	Taken    int // the set that it ends with
	Verdicts []rule.Verdict
}

// pick lets the rule choose, and keeps beside each set what it was judged by.
func (d *Decision) pick(r *rule.Ranges) (p Pick) {
	p.First, p.Taken, p.Verdicts = r.Explain(d.Scores, len(d.Queue))
	return p
}
