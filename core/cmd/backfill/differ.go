package main

import (
	"fmt"
	"io"
	"strconv"

	"backfill-lab/core/compare"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
)

// maxShifted is the maximum length of each of two lists: the jobs whose starts moved earlier by
// the most seconds compared with the baseline, and the jobs whose starts moved later by the most
// seconds.
const maxShifted = 5

// writeDifferences writes how each schedule differs from the schedule of the baseline, by job and
// by class of jobs.
func writeDifferences(w io.Writer, setup *scenario.Setup, all []*result) {
	jobs := setup.Work.Jobs
	base := all[setup.Scenario.Baseline()]
	baseline := compare.Result{Jobs: jobs, Outcomes: base.log.Outcomes()}
	for _, x := range all {
		if x == base {
			continue
		}
		other := compare.Result{Jobs: jobs, Outcomes: x.log.Outcomes()}
		d := compare.Diff(baseline, other, nil)
		t := d.Tally(compare.Start)
		fmt.Fprintf(w, "\n%s: of %s, %s earlier than under %s (%s in total), %s later (%s in total) and %s at the same time.\n",
			x.title(), format.Count(len(jobs), "job"), startsText(t.Earlier), base.title(), x.clock.Duration(t.SecondsEarlier), startsText(t.Later), x.clock.Duration(t.SecondsLater), startsText(t.Same))
		rows := [][]string{{"start", "job", base.title(), "", x.title(), "", x.clock.Heading("by")}}
		rows = append(rows, shiftRows("earlier", d.MostEarlier(compare.Start, maxShifted), baseline, other, x.clock)...)
		rows = append(rows, shiftRows("later", d.MostDelayed(compare.Start, maxShifted), baseline, other, x.clock)...)
		writeColumns(w, rows)
		for _, c := range jobClasses(setup, x.clock) {
			fmt.Fprintln(w)
			writeColumns(w, classRows(d, c, x.clock))
		}
	}
}

// startsText returns n with a verb that agrees with it, such as "1 starts" or "2 start".
func startsText(n int) string {
	if n == 1 {
		return "1 starts"
	}
	return strconv.Itoa(n) + " start"
}

// shiftRows returns one table row for each job in shifts. The row shows the given label, and the
// start of the job in schedule a and in schedule b.
func shiftRows(label string, shifts []compare.Shift, a, b compare.Result, c format.Clock) (rows [][]string) {
	for _, s := range shifts {
		rows = append(rows, []string{label, a.Jobs[s.Job].ID, c.Instant(a.Outcomes[s.Job].Start), "", c.Instant(b.Outcomes[s.Other].Start), "", differenceText(s.Start, c)})
	}
	return rows
}

// durationText formats a duration for a table cell. If the clock writes no units, the result is a
// plain number of seconds.
func durationText(t job.Time, c format.Clock) string {
	if c.Units {
		return c.Duration(t)
	}
	return strconv.FormatInt(t, 10)
}

// differenceText formats the difference between two times like durationText, but with its sign.
func differenceText(t job.Time, c format.Clock) string {
	if c.Units {
		return c.Difference(t)
	}
	return fmt.Sprintf("%+d", t)
}

// jobClasses classifies the jobs by size and by estimate.
func jobClasses(setup *scenario.Setup, clock format.Clock) []*compare.Classes {
	return []*compare.Classes{compare.ClassifyBySize(setup.Work.Jobs), compare.ClassifyByLength(setup.Work.Jobs, setup.Scenario.MetricOptions(), clock)}
}

// classRows returns a row of headings, and one row for each class of jobs.
func classRows(d *compare.Difference, c *compare.Classes, clock format.Clock) [][]string {
	rows := [][]string{{"class", "", "jobs", "", "earlier", "", clock.Heading("gained"), "", "later", "", clock.Heading("paid")}}
	for k, t := range d.ClassTallies(compare.Start, c) {
		rows = append(rows, []string{c.Names[k], "", strconv.Itoa(t.Jobs()), "", strconv.Itoa(t.Earlier), "", durationText(t.SecondsEarlier, clock), "", strconv.Itoa(t.Later), "", durationText(t.SecondsLater, clock)})
	}
	return rows
}

// writeDistributions writes the distributions of waits and of bounded slowdowns, by class of jobs.
func writeDistributions(w io.Writer, setup *scenario.Setup, all []*result) {
	clock, wait := all[0].clock, format.Number
	if clock.Units {
		wait = clock.Mean
	}
	writeDistribution(w, setup, all, clock.Heading("Wait"), compare.Waits, wait)
	writeDistribution(w, setup, all, "Bounded slowdown", compare.Slowdowns, format.Number)
}

// writeDistribution writes one table of distributions, by class of jobs and by policy. It calls
// jobValues to compute the value of each job, and formatValue to format a value.
func writeDistribution(w io.Writer, setup *scenario.Setup, all []*result, title string, jobValues func(*log.Log, []log.Outcome, metrics.Options) []float64, formatValue func(float64) string) {
	rows := [][]string{{title, "", "jobs", "", "minimum", "", "5 %", "", "25 %", "", "median", "", "75 %", "", "95 %", "", "maximum", "", "mean"}}
	for _, c := range append([]*compare.Classes{compare.SingleClass(setup.Work.Jobs)}, jobClasses(setup, all[0].clock)...) {
		for k, name := range c.Names {
			for _, x := range all {
				v := jobValues(x.log, x.log.Outcomes(), setup.Scenario.MetricOptions())
				s := compare.Distributions(v, compare.SortedIndexes(v), c)[k]
				row := []string{name, x.title(), strconv.Itoa(s.N)}
				for _, n := range []float64{s.Min, s.Low, s.Q1, s.Median, s.Q3, s.High, s.Max, s.Mean} {
					row = append(row, "", formatValue(n))
				}
				rows = append(rows, row)
			}
		}
	}
	fmt.Fprintln(w)
	writeColumns(w, rows)
}
