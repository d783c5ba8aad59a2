package decision

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/fairslack/rule"
)

// Says is the decision in sentences.
func (d *Decision) Says() []string {
	where := ""
	if d.View > 0 {
		where = "In virtual machine " + itoa(int(d.View)) + ", "
	}
	out := []string{where + count(int(d.Free[0]), "processor") + " of " + itoa(d.log.Machine.Slots()) + are(int(d.Free[0])) + "free for " + count(len(d.Queue), "waiting job") + "."}
	switch {
	case !d.Told():
		return append(out, d.untold())
	case len(d.Saved) == 0:
		return append(out, "Of "+count(d.Tried, "set")+" tried, each puts a job off beyond its slack: the ordinary plan decided.")
	}
	text := "Of " + count(d.Tried, "set") + " tried, " + itoa(len(d.Saved)) + are(len(d.Saved)) + "to be chosen from"
	if d.Goal >= 0 {
		text += "; " + d.set(d.kept[d.Chosen]) + " started, by goal " + goalNames[d.Goal]
	}
	out = append(out, text+".")
	for goal := range d.Picks {
		out = append(out, "Goal "+goalNames[goal]+" takes "+d.set(d.Saved[d.Picks[goal].Taken])+": "+d.why(goal)+".")
	}
	return out
}

// untold is what is known of a search that the log does not hold.
func (d *Decision) untold() string {
	text := "Of " + count(d.Tried, "set") + " tried, "
	if d.Chosen == 0 {
		return text + "each puts a job off beyond its slack: the ordinary plan decided."
	}
	return text + "number " + itoa(d.Chosen) + " of those kept started, by goal " + goalNames[d.Goal] + ". The log does not hold the sets."
}

// why is for what a goal takes its set.
func (d *Decision) why(goal int) string {
	p := &d.Picks[goal]
	text := d.best(goal)
	if p.Taken != p.First {
		return "it begins with " + d.set(d.Saved[p.First]) + ", as " + text + ", and goes on to this one within the ranges"
	}
	if len(d.Saved) > 1 {
		text += "; no other set is within the ranges"
	}
	return text
}

// best is for what a goal begins with its first set.
func (d *Decision) best(goal int) string {
	first := d.Scores[d.Picks[goal].First]
	ties, full := 0, 0 // with as little delay or as much use, and of these with as much use
	for _, x := range d.Scores {
		if goal == Fairness && x.Late == first.Late || goal == Utilization && x.Used == first.Used {
			ties++
			if x.Used == first.Used {
				full++
			}
		}
	}
	text := "its O, " + d.mean(float64(first.Late)) + ", is the smallest"
	if goal == Utilization {
		text = "its U, " + d.use(float64(first.Used)) + ", is the largest"
	}
	switch {
	case full > 1:
		return text + " and it was found first"
	case ties > 1:
		return text + " and of the sets with that O it has the largest U"
	}
	return text
}

// verdict is what a goal makes of the saved set at place i.
func (d *Decision) verdict(goal, i int) string {
	p := &d.Picks[goal]
	switch v := p.Verdicts[i]; {
	case i == p.Taken && i == p.First:
		return "taken: " + [...]string{"smallest O", "largest U"}[goal]
	case i == p.Taken:
		return "taken: within the ranges"
	case i == p.First:
		return [...]string{"smallest O", "largest U"}[goal] + "; another set is taken"
	case v.Fails == Nothing:
		return "within the ranges; another set is taken"
	case v.Fails == Use:
		return "U below " + d.use(v.Limit)
	case v.Fails == Skip:
		return "Skip above " + d.mean(v.Limit)
	default:
		return "O above " + d.mean(v.Limit)
	}
}

// ranges is the rule by which a goal goes from set to set.
func ranges(r *rule.Ranges) string {
	if r.Busy {
		return "Goal utilization begins with the largest U and goes on, in order, to each set with U × " + decimal(r.Used) + " of at least that, and O × " +
			decimal(r.Late) + " and Skip × " + decimal(r.Early) + " of at most those of the set taken so far."
	}
	more := ""
	if r.Allowed > 0 {
		more = " + " + decimal(r.Allowed) + " s"
	}
	return "Goal fairness begins with the smallest O and goes on, in order, to each set with O of at most " + decimal(r.Late) + " × that" + more +
		", and Skip of at most " + decimal(r.Early) + " × and U of at least " + decimal(r.Used) + " × those of the set taken so far."
}

// became is what became of a node.
func (d *Decision) became(node int) string {
	switch n := &d.Nodes[node]; n.Why {
	case log.TooMuch:
		return "cut: needs " + d.tooMuch(node)
	case log.PastSlack:
		return "cut: job " + d.log.Jobs[n.Late].ID + " would start after " + itoa(int(n.Latest)) + ", its latest start by its slack"
	default:
		text := "kept as number " + itoa(n.Number)
		if n.saved < 0 {
			text += ", but puts a job off beyond its slack"
		}
		return text
	}
}

// tooMuch is of what a set needs more than there is.
func (d *Decision) tooMuch(node int) string {
	set := d.Set(node)
	for k, free := range d.Free {
		needs := int64(0)
		for _, j := range set {
			needs += d.asks(j, k)
		}
		if needs <= free {
			continue
		}
		what := " processors, "
		if k > 0 {
			what = " of " + d.log.Machine.Resources[k-1].Name + ", "
		}
		return itoa(int(needs)) + what + itoa(int(free)) + are(int(free)) + "free"
	}
	return "more than is free"
}

// set names the set of a node.
func (d *Decision) set(node int) string {
	var names []string
	for _, j := range d.Set(node) {
		names = append(names, d.log.Jobs[j].ID)
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// mean is seconds of all waiting jobs together, as the mean of one.
func (d *Decision) mean(sum float64) string { return decimal(sum/float64(len(d.Queue))) + " s" }

// use is processors as a share of the machine.
func (d *Decision) use(procs float64) string {
	text := strconv.FormatFloat(procs/float64(d.log.Machine.Slots()), 'f', 3, 64)
	return strings.TrimSuffix(text, "0")
}

// decimal is a number with at most three digits behind the point.
func decimal(v float64) string {
	if math.IsInf(v, 0) {
		return "any"
	}
	text := strconv.FormatFloat(v, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func itoa(n int) string { return strconv.Itoa(n) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(n) + " " + what + "s"
}

func are(n int) string {
	if n == 1 {
		return " is "
	}
	return " are "
}

func moment(t job.Time) string { return strconv.FormatInt(t, 10) }
