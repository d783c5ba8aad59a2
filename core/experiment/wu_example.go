package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

var wuFigure3 = &Worked{
	Name: "wu-fig3", Title: "Three sizes for three jobs", Paper: wuEtAl + "Table 1 and Fig. 3",
	Text: "Three moldable jobs on three processors, all at 0: J1 runs 10 s on one processor and 5 s on two, J2 10 and 7, J3 10 and 9. " +
		"Strategies A, B and C give one of them a single processor; highest revenue first (HRF, alpha 5/3) finds A if the first processor of each job counts against its budget of five " +
		"and sizes are chosen once at each event. The figure assumes backfilling. Saved: seconds taken off the runtimes on one processor. ATT: mean turnaround time.",
	Make: wuExample,
}

// wuTable holds the runtimes in Table 1, by job, on one and on two processors.
var wuTable = [][]job.Time{{10, 5}, {10, 7}, {10, 9}}

// wuExample makes the figure. It runs the strategies with the sizes in the figure, then highest
// revenue first under several interpretations of its budget and of the times at which it chooses
// sizes.
func wuExample() (*Grid, error) {
	g := &Grid{Head: []string{"strategy", "selection", "sizes", "starts", "ends", "saved, s", "ATT, s"}}
	for _, x := range []struct {
		name  string
		sizes []int
	}{{"A", []int{2, 2, 1}}, {"B", []int{2, 1, 2}}, {"C", []int{1, 2, 2}}} {
		for _, how := range wuSelections {
			if err := g.addStrategy(x.name, how.name, wuTableJobs(x.sizes), &Case{Policy: how.value}); err != nil {
				return nil, err
			}
		}
	}
	for _, x := range []struct{ name, counts, realloc string }{
		{"HRF, first processors count", "true", "pass"},
		{"HRF, sizes anew after each start too", "true", "start"},
		{"HRF, first processors beside the budget", "false", "pass"},
	} {
		for _, how := range wuSelections {
			c := moldable("hrf", how.value).with(map[string]string{
				"alpha": "1.6667", "threshold": "1", "budget-includes-initial": x.counts, "realloc": x.realloc})
			if err := g.addStrategy(x.name, how.name, wuTableJobs(nil), c); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// wuTableJobs returns the jobs of Table 1: rigid jobs with the given sizes or, if sizes is nil,
// moldable jobs.
func wuTableJobs(sizes []int) (jobs []job.Job) {
	for i, table := range wuTable {
		j := job.Job{ID: "J" + strconv.Itoa(i+1), Runtime: table[0], Request: job.Request{Procs: 1, Estimate: table[0]}}
		if sizes == nil {
			j.More = &job.More{Speedup: &job.Speedup{Table: table}}
		} else {
			j.Procs, j.Runtime = sizes[i], table[sizes[i]-1]
			j.Estimate = j.Runtime
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// addStrategy adds a row with the results of a case.
func (g *Grid) addStrategy(name, how string, jobs []job.Job, c *Case) error {
	l, err := simulate(&Workload{Machine: cluster.Flat(len(jobs)), Jobs: jobs}, c)
	if err != nil {
		return err
	}
	var sizes, starts, ends []string
	saved, turnaround := job.Time(0), job.Time(0)
	for i, o := range l.Outcomes() {
		runtime := o.Finish - o.Start
		sizes = append(sizes, strconv.Itoa(1+slices.Index(wuTable[i], runtime)))
		starts, ends = append(starts, strconv.FormatInt(o.Start, 10)), append(ends, strconv.FormatInt(o.Finish, 10))
		saved += wuTable[i][0] - runtime
		turnaround += o.Finish
	}
	g.Rows = append(g.Rows, []string{name, how, strings.Join(sizes, " "), strings.Join(starts, " "), strings.Join(ends, " "),
		strconv.FormatInt(saved, 10), fmt.Sprintf("%.2f", float64(turnaround)/float64(len(jobs)))})
	return nil
}
