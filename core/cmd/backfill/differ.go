package main

import (
	"fmt"
	"io"
	"strconv"

	"backfill-lab/core/compare"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

// maxShifted is the number of jobs that are listed as most earlier and as most delayed.
const maxShifted = 5

// writeDifferences writes how the other schedules differ from the first one, by job and by
// class.
func writeDifferences(w io.Writer, up *scenario.Setup, all []*result) {
	jobs := up.Work.Jobs
	first := compare.Result{Jobs: jobs, Outcomes: all[0].log.Outcomes()}
	for _, x := range all[1:] {
		other := compare.Result{Jobs: jobs, Outcomes: x.log.Outcomes()}
		d := compare.Diff(first, other, nil)
		t := d.Tally(compare.Start)
		fmt.Fprintf(w, "\n%s: of %s, %d start earlier than under %s, in all by %d s; %d later, in all by %d s; %d at the same time.\n",
			x.title(), format.Count(len(jobs), "job"), t.Earlier, all[0].title(), t.SecondsEarlier, t.Later, t.SecondsLater, t.Same)
		rows := [][]string{{"start", "job", all[0].title(), "", x.title(), "", "by, s"}}
		rows = append(rows, shiftRows("earlier", d.MostEarlier(compare.Start, maxShifted), first, other)...)
		rows = append(rows, shiftRows("later", d.MostDelayed(compare.Start, maxShifted), first, other)...)
		writeColumns(w, rows)
		for _, c := range classes(up) {
			fmt.Fprintln(w)
			writeColumns(w, classRows(d, c))
		}
	}
}

// shiftRows returns a row of the table for each shift.
func shiftRows(what string, list []compare.Shift, a, b compare.Result) (rows [][]string) {
	for _, s := range list {
		rows = append(rows, []string{what, a.Jobs[s.Job].ID, seconds(a.Outcomes[s.Job].Start), "", seconds(b.Outcomes[s.Other].Start), "", fmt.Sprintf("%+d", s.Start)})
	}
	return rows
}

func seconds(t job.Time) string { return strconv.FormatInt(t, 10) }

// classes returns the classes of jobs by size and by estimate.
func classes(up *scenario.Setup) []*compare.Classes {
	return []*compare.Classes{compare.Sizes(up.Work.Jobs), compare.Lengths(up.Work.Jobs, up.Scenario.Metrics())}
}

// classRows returns a row of the table for each class.
func classRows(d *compare.Difference, c *compare.Classes) [][]string {
	rows := [][]string{{"class", "", "jobs", "", "earlier", "", "gained, s", "", "later", "", "paid, s"}}
	for k, t := range d.Classes(compare.Start, c) {
		rows = append(rows, []string{c.Names[k], "", strconv.Itoa(t.Jobs()), "", strconv.Itoa(t.Earlier), "", seconds(t.SecondsEarlier), "", strconv.Itoa(t.Later), "", seconds(t.SecondsLater)})
	}
	return rows
}

// writeDistributions writes the distributions of waits and bounded slowdowns by class.
func writeDistributions(w io.Writer, up *scenario.Setup, all []*result) {
	o := up.Scenario.Metrics()
	for i, title := range []string{"Wait, s", "Bounded slowdown"} {
		rows := [][]string{{title, "", "jobs", "", "least", "", "5 %", "", "25 %", "", "median", "", "75 %", "", "95 %", "", "most", "", "mean"}}
		for _, c := range append([]*compare.Classes{compare.All(up.Work.Jobs)}, classes(up)...) {
			for k, name := range c.Names {
				for _, x := range all {
					values := compare.Waits
					if i == 1 {
						values = compare.Slowdowns
					}
					v := values(x.log, x.log.Outcomes(), o)
					s := compare.Distributions(v, compare.SortedIndexes(v), c)[k]
					row := []string{name, x.title(), strconv.Itoa(s.N)}
					for _, n := range []float64{s.Min, s.Low, s.Q1, s.Median, s.Q3, s.High, s.Max, s.Mean} {
						row = append(row, "", number(n))
					}
					rows = append(rows, row)
				}
			}
		}
		fmt.Fprintln(w)
		writeColumns(w, rows)
	}
}
