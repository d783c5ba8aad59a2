package decision

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/fairslack/rule"
)

// say puts each argument in the place of the next % of a template.
func say(template string, args ...string) string {
	var b strings.Builder
	for _, a := range args {
		before, after, _ := strings.Cut(template, "%")
		b.WriteString(before)
		b.WriteString(a)
		template = after
	}
	return b.String() + template
}

const allBad = "each puts a job off beyond its slack: the ordinary plan decided."

// Says is the decision in sentences, a line each.
func (d *Decision) Says() string {
	tried := count(d.Tried, "set")
	text := say("Free: % of %, for %", count(int(d.Free[0]), "processor"), itoa(d.log.Machine.Slots()), count(len(d.Queue), "waiting job"))
	if d.View > 0 {
		text += say(" of virtual machine %", itoa(int(d.View)))
	}
	text += ".\n"
	switch {
	case d.Told() && len(d.Saved) == 0 || d.Chosen == 0:
		return text + say("Of % tried, ", tried) + allBad
	case !d.Told():
		return text + say("Of % tried, number % of those kept started, by goal %. The log does not hold the sets.", tried, itoa(d.Chosen), goalNames[d.Goal])
	}
	text += say("Of % tried, % to be chosen from; % started, by goal %.", tried, are(len(d.Saved)), d.set(d.kept[d.Chosen]), goalNames[d.Goal])
	for goal := range d.Picks {
		text += say("\nGoal % takes %: %.", goalNames[goal], d.set(d.Saved[d.Picks[goal].Taken]), d.why(goal))
	}
	return text
}

// why is for what a goal takes its set.
func (d *Decision) why(goal int) string {
	p := &d.Picks[goal]
	text := d.best(goal)
	if p.Taken != p.First {
		return say("it begins with %, as %, and goes on to this one within the ranges", d.set(d.Saved[p.First]), text)
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
	text := say("its O, %, is the smallest", d.mean(float64(first.Late)))
	if goal == Utilization {
		text = say("its U, %, is the largest", d.use(float64(first.Used)))
	}
	switch {
	case full > 1:
		return text + " and it was found first"
	case ties > 1:
		return text + " and of the sets with that O it has the largest U"
	}
	return text
}

// begins is what the set has that a goal begins with.
var begins = [...]string{"smallest O", "largest U"}

// verdict is what a goal makes of the saved set at place i.
func (d *Decision) verdict(goal, i int) string {
	p := &d.Picks[goal]
	text := "within the ranges"
	if i == p.First {
		text = begins[goal]
	}
	switch v := p.Verdicts[i]; {
	case i == p.Taken:
		return "✓ taken: " + text
	case v.Fails == Nothing:
		return text + "; another set is taken"
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
	late, early, used := decimal(r.Late), decimal(r.Early), decimal(r.Used)
	if r.Busy {
		return say("\nGoal utilization begins with the largest U and goes on, in order, to each set with U × % of at least that, and O × % and Skip × % of at most those of the set taken so far.", used, late, early)
	}
	more := ""
	if r.Allowed > 0 {
		more = say(" + % s", decimal(r.Allowed))
	}
	return say("\nGoal fairness begins with the smallest O and goes on, in order, to each set with O of at most % × that%, and Skip of at most % × and U of at least % × those of the set taken so far.", late, more, early, used)
}

// became is what became of a node.
func (d *Decision) became(node int) string {
	n := &d.Nodes[node]
	switch n.Why {
	case log.TooMuch:
		return "cut: needs " + d.tooMuch(node)
	case log.PastSlack:
		return say("cut: job % would start after %, its latest start by its slack", d.name(n.Late), moment(n.Latest))
	}
	text := "kept as number " + itoa(n.Number)
	if n.saved < 0 {
		text += ", but puts a job off beyond its slack"
	}
	return text
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
		what := "processors"
		if k > 0 {
			what = "of " + d.log.Machine.Resources[k-1].Name
		}
		return say("% %, % free", moment(needs), what, are(int(free)))
	}
	return "more than is free"
}

// name is that of a job; tabs part the cells of a table.
func (d *Decision) name(j job.Index) string {
	return strings.ReplaceAll(d.log.Jobs[j].ID, "\t", " ")
}

// set names the set of a node.
func (d *Decision) set(node int) string {
	var names []string
	for _, j := range d.Set(node) {
		names = append(names, d.name(j))
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

func moment(t job.Time) string { return strconv.FormatInt(t, 10) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(n) + " " + what + "s"
}

func are(n int) string {
	if n == 1 {
		return "1 is"
	}
	return itoa(n) + " are"
}
