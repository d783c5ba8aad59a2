package main

import (
	"fmt"
	"io"
	"strconv"

	"backfill-lab/core/compare"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

// mostShifted is how many jobs are named of those who gain and pay most.
const mostShifted = 5

// differ writes how the schedules differ from the first, job by job and by class.
func differ(w io.Writer, up *scenario.Setup, all []*result) {
	jobs := up.Work.Jobs
	first := compare.Side{Jobs: jobs, Ends: all[0].log.Outcomes()}
	for _, x := range all[1:] {
		other := compare.Side{Jobs: jobs, Ends: x.log.Outcomes()}
		d := compare.Of(first, other, nil)
		t := d.Tally(compare.Start)
		fmt.Fprintf(w, "\n%s: of %s, %d start earlier than under %s, in all by %d s; %d later, in all by %d s; %d at the same time.\n",
			x.title(), count(len(jobs), "job"), t.Earlier, all[0].title(), t.Gained, t.Later, t.Paid, t.Same)
		rows := [][]string{{"start", "job", all[0].title(), "", x.title(), "", "by, s"}}
		rows = append(rows, shifts("earlier", d.Gainers(compare.Start, mostShifted), first, other)...)
		rows = append(rows, shifts("later", d.Payers(compare.Start, mostShifted), first, other)...)
		columns(w, rows)
		for _, c := range classes(up) {
			fmt.Fprintln(w)
			columns(w, classRows(d, c))
		}
	}
}

func shifts(what string, list []compare.Shift, a, b compare.Side) (rows [][]string) {
	for _, s := range list {
		rows = append(rows, []string{what, a.Jobs[s.Job].ID, seconds(a.Ends[s.Job].Start), "", seconds(b.Ends[s.Other].Start), "", fmt.Sprintf("%+d", s.Start)})
	}
	return rows
}

func seconds(t job.Time) string { return strconv.FormatInt(t, 10) }

// classes returns the jobs by size and by estimate.
func classes(up *scenario.Setup) []*compare.Classes {
	return []*compare.Classes{compare.Sizes(up.Work.Jobs), compare.Lengths(up.Work.Jobs, up.Scenario.Metrics())}
}

func classRows(d *compare.Difference, c *compare.Classes) [][]string {
	rows := [][]string{{"class", "", "jobs", "", "earlier", "", "gained, s", "", "later", "", "paid, s"}}
	for k, t := range d.Classes(compare.Start, c) {
		rows = append(rows, []string{c.Names[k], "", strconv.Itoa(t.Jobs()), "", strconv.Itoa(t.Earlier), "", seconds(t.Gained), "", strconv.Itoa(t.Later), "", seconds(t.Paid)})
	}
	return rows
}

// spread writes how waits and bounded slowdowns are spread over classes of jobs.
func spread(w io.Writer, up *scenario.Setup, all []*result) {
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
					s := compare.Spreads(v, compare.Ascending(v), c)[k]
					row := []string{name, x.title(), strconv.Itoa(s.N)}
					for _, n := range []float64{s.Min, s.Low, s.Q1, s.Median, s.Q3, s.High, s.Max, s.Mean} {
						row = append(row, "", number(n))
					}
					rows = append(rows, row)
				}
			}
		}
		fmt.Fprintln(w)
		columns(w, rows)
	}
}
