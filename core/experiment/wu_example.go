package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

var wuFigure3 = &WorkedFigure{
	Name: "wu-fig3", Title: "Three sizes for three jobs", Paper: "Wu et al. 2015, Table 1 and Fig. 3",
	Text: "The table shows three moldable jobs, submitted at time 0 to a machine with three processors. J1 runs 10 s on one processor and 5 s on two; J2 runs 10 s and 7 s, J3 10 s and 9 s. " +
		"Strategies A, B and C each give one job a single processor, and the others two. HRF (highest revenue first) chooses the sizes itself. It hands out processors one by one from a budget of five: alpha (5/3) times the three processors of the machine. " +
		"With backfilling, it chooses the sizes of A if the first processor of each job counts against the budget, and sizes are chosen once at each event. " +
		"The column \"saved\" shows by how many seconds the runtimes are shorter than on one processor. ATT is the mean turnaround time (from submission to end).",
	Make: wuExample,
}

// wuTable holds the runtimes in Table 1, in seconds. Each row holds the runtimes of a job on one
// processor and on two processors.
var wuTable = [][]job.Time{{10, 5}, {10, 7}, {10, 9}}

// wuSelections maps the selection rules in section 6 of the paper to names of policies in this
// program. These names are also values of the parameter select of the policy moldable.
var wuSelections = []struct{ name, value string }{{"FCFS", "fcfs"}, {"backfilling", "easy"}}

// wuExample computes the grid of wuFigure3. It runs the three strategies with the sizes in the
// figure. Then it runs the policy "highest revenue first" under several interpretations. They differ in
// which processors count against the policy's budget of processors, and in when the policy chooses sizes.
func wuExample() (*Grid, error) {
	g := &Grid{Head: []string{"strategy", "selection", "sizes", "starts", "ends", "saved, s", "ATT, s"}}
	for _, x := range []struct {
		name  string
		sizes []int
	}{{"A", []int{2, 2, 1}}, {"B", []int{2, 1, 2}}, {"C", []int{1, 2, 2}}} {
		for _, selection := range wuSelections {
			if err := g.addStrategy(x.name, selection.name, wuTableJobs(x.sizes), &Case{Policy: selection.value}); err != nil {
				return nil, err
			}
		}
	}
	for _, x := range []struct{ name, includesInitial, realloc string }{
		{"HRF, first processors count", "true", "pass"},
		{"HRF, sizes chosen again after each start", "true", "start"},
		{"HRF, first processors outside the budget", "false", "pass"},
	} {
		for _, selection := range wuSelections {
			c := (&Case{Policy: "moldable"}).withKnobs(map[string]string{
				"allocation": "hrf", "select": selection.value, "alpha": "1.6667", "threshold": "1", "budget-includes-initial": x.includesInitial, "realloc": x.realloc})
			if err := g.addStrategy(x.name, selection.name, wuTableJobs(nil), c); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// wuTableJobs returns the jobs of Table 1. The jobs are rigid and have the given sizes, or are
// moldable if sizes is nil.
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

// addStrategy simulates the jobs with the policy of a case, and adds a row with the results to the
// grid.
func (g *Grid) addStrategy(name, selection string, jobs []job.Job, c *Case) error {
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
	g.Rows = append(g.Rows, []string{name, selection, strings.Join(sizes, " "), strings.Join(starts, " "), strings.Join(ends, " "),
		strconv.FormatInt(saved, 10), fmt.Sprintf("%.2f", float64(turnaround)/float64(len(jobs)))})
	return nil
}
