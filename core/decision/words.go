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

// Says returns the decision in sentences, a line each.
func (d *Decision) Says() string {
	text := say("At %, % of % processors are free for %.\n", moment(d.At), moment(d.Free[0]), itoa(d.log.Machine.Slots()), count(len(d.Queue), "waiting job"))
	if d.Host != 0 {
		text = say("At %, in the slice of % jobs, % of % processors are idle for % jobs. Jobs of both types that wait: %.\n", moment(d.At), log.ViewName(d.Host), moment(d.Free[0]), itoa(d.log.Machine.Slots()), log.ViewName(d.View), itoa(len(d.Queue)))
	}
	text += say("Of % tried, ", count(d.Tried, "set"))
	switch {
	case d.Chosen == 0:
		return text + "none that fits keeps every job within its slack: the ordinary plan decided."
	case !d.Told():
		return text + say("number % of those kept started, by goal %. The log does not hold the sets.", itoa(d.Chosen), goalNames[d.Goal])
	}
	text += say("% can be chosen from; % started, by goal %.", itoa(len(d.Saved)), d.set(d.kept[d.Chosen]), goalNames[d.Goal])
	for goal := range d.Picks {
		i := d.Picks[goal].Taken
		text += say("\nGoal % takes %: %.", goalNames[goal], d.set(d.Saved[i]), d.begins(goal, i))
	}
	return text
}

// begins is for what a goal takes the saved set at place i, or what it is to it.
func (d *Decision) begins(goal, i int) string {
	switch {
	case i != d.Picks[goal].First:
		return "within the ranges"
	case goal == Fairness:
		return "smallest O"
	}
	return "largest U"
}

// verdict returns what a goal makes of the saved set at place i.
func (d *Decision) verdict(goal, i int) string {
	p := &d.Picks[goal]
	switch v := p.Verdicts[i]; {
	case i == p.Taken:
		return "✓ taken: " + d.begins(goal, i)
	case v.Fails == rule.Nothing:
		return d.begins(goal, i) + "; another is taken"
	case v.Fails == rule.Use:
		return "U below " + d.use(v.Limit)
	case v.Fails == rule.Skip:
		return "Skip above " + d.mean(v.Limit)
	default:
		return "O above " + d.mean(v.Limit)
	}
}

// ranges returns the rule by which a goal goes from set to set.
func ranges(r *rule.Ranges) string {
	late, early, used := decimal(r.Late), decimal(r.Early), decimal(r.Used)
	if r.Busy {
		return say("\nGoal utilization begins with the largest U, of several the first, and goes on, in order, to each set with U × % of at least that, and O × % and Skip × % of at most those of the set taken so far.", used, late, early)
	}
	more := ""
	if r.Allowed > 0 {
		more = say(" + % s", decimal(r.Allowed))
	}
	return say("\nGoal fairness begins with the smallest O, of several that with the largest U, and goes on, in order, to each set with O of at most % × that%, and Skip of at most % × and U of at least % × those of the set taken so far.", late, more, early, used)
}

// became returns what became of a node.
func (d *Decision) became(node int) string {
	n := &d.Nodes[node]
	switch n.Record.Code {
	case log.TooMuch:
		free := int(d.Free[0])
		if needs := d.used(node) - d.log.Machine.Slots() + free; needs > free {
			return say("cut: needs % processors, % free", itoa(needs), are(free))
		}
		return "cut: needs more of an extra resource than is free"
	case log.PastSlack:
		return say("cut: job % would start after %, its latest start by its slack", d.name(n.Record.Other), moment(n.Record.Y))
	}
	text := "kept as number " + itoa(n.Number)
	if n.saved < 0 {
		text += ", but with it a job would start beyond its slack"
	}
	return text
}

func (d *Decision) name(j job.Index) string { return name(d.log, j) }

// name returns that of a job; tabs part the cells of a table.
func name(l *log.Log, j job.Index) string { return strings.ReplaceAll(l.Jobs[j].ID, "\t", " ") }

// set names the set of a node.
func (d *Decision) set(node int) string {
	var names []string
	for _, j := range d.Set(node) {
		names = append(names, d.name(j))
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// mean returns seconds of all waiting jobs together, as the mean of one.
func (d *Decision) mean(sum float64) string { return decimal(sum/float64(len(d.Queue))) + " s" }

// use returns processors as a share of the machine.
func (d *Decision) use(procs float64) string {
	text := strconv.FormatFloat(procs/float64(d.log.Machine.Slots()), 'f', 3, 64)
	return strings.TrimSuffix(text, "0")
}

// decimal returns a number with at most three digits behind the point.
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
