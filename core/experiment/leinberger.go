package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/partition"
	"backfill-lab/core/policy/registry"
)

var leinbergerFigure1 = &WorkedFigure{
	Name: "leinberger-fig1", Title: "Epochs of six jobs with two resources", Paper: "Leinberger, Karypis and Kumar 1999, Fig. 1",
	Text: "The table shows six jobs of equal length on a machine with 16 processors and 32 units of memory. All jobs of an epoch start together. A cell shows these jobs, and the processors/memory that they use. " +
		"FCFS starts jobs in order and needs four epochs. With backfilling, three are needed: under EASY with first fit (FF) or a rule that balances the resources (BL, BB), and under conservative backfilling (CONS) with FF. UNC, optimal bin packing, fills both resources in two epochs.",
	Make: figure1,
}

// figure1 computes the grid of leinbergerFigure1. It shows the epochs of the jobs under FCFS, with
// backfilling, and with optimal bin packing. All jobs in an epoch start at the same time.
func figure1() (*Grid, error) {
	m := cluster.Flat(16)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: 32}}
	var jobs []job.Job
	var demands []job.Demand
	for i, n := range [][2]int64{{8, 4}, {4, 2}, {7, 16}, {11, 20}, {1, 12}, {1, 10}} {
		j := job.Job{ID: "J" + strconv.Itoa(i), Runtime: 1}
		j.Procs, j.Estimate, j.More = int(n[0]), 1, &job.More{Extra: []int64{n[1]}}
		jobs, demands = append(jobs, j), append(demands, j.Demand())
	}
	g := &Grid{Head: []string{"epoch", "FCFS"}}
	fcfs, err := epochsUnder(m, jobs, "fcfs")
	if err != nil {
		return nil, err
	}
	columns := [][][]int{fcfs}
	for _, p := range registry.Presets {
		if strings.HasPrefix(p.Name, "leinberger-") {
			epochs, err := epochsUnder(m, jobs, p.Name)
			if err != nil {
				return nil, err
			}
			g.Head, columns = append(g.Head, p.Short), append(columns, epochs)
		}
	}
	best, err := partition.Fewest(&m, demands)
	if err != nil {
		return nil, err
	}
	g.Head, columns = append(g.Head, "UNC"), append(columns, best)
	for i := range slices.MaxFunc(columns, func(a, b [][]int) int { return len(a) - len(b) }) {
		row := []string{strconv.Itoa(i)}
		for _, c := range columns {
			row = append(row, epochText(jobs, c, i))
		}
		g.Rows = append(g.Rows, row)
	}
	return g, nil
}

// epochsUnder runs the jobs under the named policy or preset. It returns the indexes of the jobs
// that start in each second. Every job must run for one second.
func epochsUnder(m cluster.Machine, jobs []job.Job, name string) ([][]int, error) {
	name, knobs, err := registry.Resolve(name)
	if err != nil {
		return nil, err
	}
	l, err := simulate(&Workload{Machine: m, Jobs: jobs}, &Case{Policy: name, Knobs: knobs})
	if err != nil {
		return nil, err
	}
	out := make([][]int, len(jobs))
	last := job.Time(0)
	for i, o := range l.Outcomes() {
		out[o.Start] = append(out[o.Start], i)
		last = max(last, o.Start)
	}
	return out[:last+1], nil
}

// epochText returns the names of the jobs in epochs[i], and the total processors and memory that
// they use, such as "J0 J1 12/06".
func epochText(jobs []job.Job, epochs [][]int, i int) string {
	if i >= len(epochs) {
		return ""
	}
	text, procs, memory := "", 0, int64(0)
	for _, j := range epochs[i] {
		text += jobs[j].ID + " "
		procs += jobs[j].Procs
		memory += jobs[j].Extra(0)
	}
	return text + fmt.Sprintf("%02d/%02d", procs, memory)
}
