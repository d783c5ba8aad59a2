package decision

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/fairslack/rule"
)

// fillTemplate replaces each % in a template with the next argument. It does not use package fmt, which
// would make the downloaded program larger.
func fillTemplate(template string, args ...string) string {
	var b strings.Builder
	for _, a := range args {
		before, after, _ := strings.Cut(template, "%")
		b.WriteString(before)
		b.WriteString(a)
		template = after
	}
	return b.String() + template
}

// Summary returns a summary of the decision, one sentence per line.
func (d *Decision) Summary() string {
	text := fillTemplate("At %, % of % processors are free for %.\n", d.clock.Instant(d.At), itoa(int(d.Free[0])), itoa(d.log.Machine.Slots()), format.Count(len(d.Queue), "waiting job"))
	if d.Host != 0 {
		text = fillTemplate("At %, in the slice of % jobs, % of % processors are free for % jobs. Waiting jobs of both types: %.\n", d.clock.Instant(d.At), log.ViewName(d.Host), itoa(int(d.Free[0])), itoa(d.log.Machine.Slots()), log.ViewName(d.View), itoa(len(d.Queue)))
	}
	text += fillTemplate("Of % tried, ", format.Count(d.Tried, "set"))
	switch {
	case d.Chosen == 0:
		return text + "none could start without delaying a job beyond its slack, so the conservative plan decided which jobs start."
	case !d.Complete():
		return text + fillTemplate("goal % started number % of the sets that the search kept. The log does not record the sets that were tried.", goalNames[d.Goal], itoa(d.Chosen))
	}
	text += fillTemplate("% could start without delaying a job beyond its slack; goal % started %.", itoa(len(d.Saved)), goalNames[d.Goal], d.setName(d.keptSets[d.Chosen]))
	for goal := range d.Picks {
		i := d.Picks[goal].Taken
		text += fillTemplate("\nGoal % selects %: %.", goalNames[goal], d.setName(d.Saved[i]), d.pickReason(goal, i))
	}
	return text
}

// pickReason returns a phrase that says why a goal accepts the set with index i in d.Saved.
func (d *Decision) pickReason(goal, i int) string {
	switch {
	case i != d.Picks[goal].First:
		return "meets all conditions"
	case goal == Fairness:
		return "smallest O"
	}
	return "largest U"
}

// verdict returns a phrase that says whether a goal selects the set with index i in d.Saved, and
// why.
func (d *Decision) verdict(goal, i int) string {
	p := &d.Picks[goal]
	switch v := p.Verdicts[i]; {
	case i == p.Taken:
		return "✓ selected: " + d.pickReason(goal, i)
	case v.Fails == rule.NoCriterion:
		return d.pickReason(goal, i) + "; another set is selected"
	case v.Fails == rule.Use:
		return "U below " + d.shareText(v.Limit)
	case v.Fails == rule.Skip:
		return "Skip above " + d.meanText(v.Limit)
	default:
		return "O above " + d.meanText(v.Limit)
	}
}

// rangesText returns a note that explains how the goal of r chooses among the sets that keep every
// job within its slack.
func rangesText(r *rule.Ranges) string {
	late, early, used := decimal(r.Late), decimal(r.Early), decimal(r.Used)
	if r.ForUtilization {
		return fillTemplate("\nGoal utilization begins with the first set that has the largest U. It then goes through the other sets in order. O' and Skip' are the values of the set selected so far. The goal switches to a set if U × % is at least that largest U, O × % is at most O', and Skip × % is at most Skip'.", used, late, early)
	}
	more := ""
	if r.ExtraDelay > 0 {
		more = fillTemplate(" + % s", decimal(r.ExtraDelay))
	}
	return fillTemplate("\nGoal fairness begins with the set that has the smallest O; ties go to the largest U. It then goes through the other sets in order. Skip' and U' are the values of the set selected so far. The goal switches to a set if O is at most % × that smallest O%, Skip is at most % × Skip', and U is at least % × U'.", late, more, early, used)
}

// outcome returns a phrase that says whether the search kept or rejected the set d.TriedSets[index], and why.
func (d *Decision) outcome(index int) string {
	n := &d.TriedSets[index]
	switch n.Record.Code {
	case log.SetTooLarge:
		free := int(d.Free[0])
		if needs := d.processorsInUse(index) - d.log.Machine.Slots() + free; needs > free {
			return fillTemplate("rejected: needs % processors, % free", itoa(needs), countIs(free))
		}
		return "rejected: needs more of an extra resource than is free"
	case log.PastSlack:
		return fillTemplate("rejected: job % would start after %, the latest start that its slack allows", d.jobID(n.Record.Other), d.clock.Instant(n.Record.Y))
	}
	text := "kept as number " + itoa(n.Number)
	if n.savedIndex < 0 {
		text += ", but it delays a job beyond its slack"
	}
	return text
}

func (d *Decision) jobID(j job.Index) string { return jobID(d.log, j) }

// jobID returns the ID of a job. It replaces tabs with spaces, because tabs separate cells.
func jobID(l *log.Log, j job.Index) string { return strings.ReplaceAll(l.Jobs[j].ID, "\t", " ") }

// setName returns the IDs of the jobs in the set d.TriedSets[index], in braces.
func (d *Decision) setName(index int) string {
	var names []string
	for _, j := range d.Set(index) {
		names = append(names, d.jobID(j))
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// meanText divides a sum of seconds by the number of waiting jobs and formats the mean.
func (d *Decision) meanText(sum float64) string {
	mean := sum / float64(len(d.Queue))
	if d.clock.Units && !math.IsInf(mean, 0) {
		return d.clock.Mean(mean)
	}
	return decimal(mean) + " s"
}

// shareText formats a number of processors as a share of the machine.
func (d *Decision) shareText(procs float64) string {
	text := strconv.FormatFloat(procs/float64(d.log.Machine.Slots()), 'f', 3, 64)
	return strings.TrimSuffix(text, "0")
}

// decimal formats a number with at most three decimal places, or as "any" if it is infinite.
func decimal(v float64) string {
	if math.IsInf(v, 0) {
		return "any"
	}
	text := strconv.FormatFloat(v, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func itoa(n int) string { return strconv.Itoa(n) }

// countIs returns n followed by "is" or "are".
func countIs(n int) string {
	if n == 1 {
		return "1 is"
	}
	return itoa(n) + " are"
}
