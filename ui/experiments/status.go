package experiments

import (
	"fmt"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
)

// Fraction returns the fraction of the runs that are done.
func (c *Experiments) Fraction() float64 {
	if len(c.results.runs) == 0 {
		return 0
	}
	return float64(c.results.done) / float64(len(c.results.runs))
}

// RunLabel returns the text of the button that starts the runs.
func (c *Experiments) RunLabel() string {
	n := len(c.results.runs) - c.results.done
	switch {
	case c.definition == nil || n == 0:
		return "Run"
	case c.results.done > 0:
		return "Run the remaining " + format.Whole(n)
	}
	return "Run all " + format.Whole(n)
}

// dropOldEstimate discards the measured time per run if the workloads or policies have changed since it was measured.
func (c *Experiments) dropOldEstimate() {
	b := &strings.Builder{}
	for w := range c.definition.Workloads {
		b.WriteString(c.definition.JobsKey(sweep.Group{Workload: w}))
	}
	for _, p := range c.definition.Policies {
		b.WriteString(p.String() + "\n")
	}
	if text := b.String(); text != c.runState.timed {
		c.runState.timed, c.runState.perRun = text, 0
	}
}

// Status says how many runs there are and how many are done. Once the page has an estimate, Status also says
// how long the remaining runs will take.
func (c *Experiments) Status() string {
	if c.definition == nil {
		return ""
	}
	total, done := len(c.results.runs), c.results.done
	text := format.Count(total, "run")
	if done > 0 {
		text = format.Whole(done) + " of " + text
	} else if !c.busy() {
		text += c.runsAsProduct()
	}
	switch left := total - done; {
	case left == 0:
		return "All " + format.Count(total, "run") + " are done."
	case c.runState.perRun > 0:
		text += ", " + durationText(c.runState.perRun*float64(left)) + " left"
	case !c.busy():
		text += ". After the first few runs, the page estimates how long the remaining runs will take"
	}
	return text + "."
}

// runsAsProduct returns the number of runs as a product, such as ": 1 workload × 5 loads × 10 seeds × 4 policies".
// It returns "" if the workloads have different numbers of seeds.
func (c *Experiments) runsAsProduct() string {
	if len(c.definition.Workloads)*len(c.definition.Loads)*max(1, len(c.definition.Seeds))*len(c.definition.Policies) != c.definition.Runs() {
		return ""
	}
	return fmt.Sprintf(": %s × %s × %s × %s", format.Count(len(c.definition.Workloads), "workload"), format.Count(len(c.definition.Loads), "load"),
		format.Count(max(1, len(c.definition.Seeds)), "seed"), plural(len(c.definition.Policies), "policy", "policies"))
}

// plural returns the number n followed by a noun in the form that fits it, such as "1 policy" or "2 policies".
func plural(n int, singularForm, pluralForm string) string {
	if n == 1 {
		return "1 " + singularForm
	}
	return format.Whole(n) + " " + pluralForm
}

// durationText returns a duration of ms milliseconds as rounded text, such as "about 5 min".
func durationText(ms float64) string {
	switch s := ms / 1000; {
	case s < 1.5:
		return "about 1 s"
	case s < 100:
		return fmt.Sprintf("about %.0f s", s)
	case s < 5400:
		return fmt.Sprintf("about %.0f min", s/60)
	default:
		return fmt.Sprintf("about %.0f h", s/3600)
	}
}
