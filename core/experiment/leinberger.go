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

var leinbergerFigure1 = &Worked{
	Name: "leinberger-fig1", Title: "Epochs of six jobs with two resources", Paper: "Leinberger, Karypis and Kumar 1999, Fig. 1",
	Text: "Six jobs of equal length on a machine of 16 processors and 32 of memory: which run together, and processors/memory in use. " +
		"Strict order needs four epochs, backfilling three, whichever job it picks; the best division (UNC) fills both resources in two.",
	Make: figure1,
}

// figure1 makes the figure: the epochs of its jobs under FCFS, under backfilling, and with optimal
// bin packing.
func figure1() (*Grid, error) {
	m := cluster.Flat(16)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: 32}}
	var jobs []job.Job
	var needs []job.Demand
	for i, n := range [][2]int64{{8, 4}, {4, 2}, {7, 16}, {11, 20}, {1, 12}, {1, 10}} {
		j := job.Job{ID: "J" + strconv.Itoa(i), Runtime: 1}
		j.Procs, j.Estimate, j.More = int(n[0]), 1, &job.More{Extra: []int64{n[1]}}
		jobs, needs = append(jobs, j), append(needs, j.Demand())
	}
	g := &Grid{Head: []string{"epoch", "FCFS"}}
	fcfs, err := epochsUnder(m, jobs, "fcfs")
	if err != nil {
		return nil, err
	}
	columns := [][][]int{fcfs}
	for _, p := range registry.Presets {
		if strings.HasPrefix(p.Name, "leinberger-") {
			of, err := epochsUnder(m, jobs, p.Name)
			if err != nil {
				return nil, err
			}
			g.Head, columns = append(g.Head, p.Short), append(columns, of)
		}
	}
	best, err := partition.Fewest(&m, needs)
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

// epochsUnder returns the indexes of the jobs that start in each second under a policy or preset.
// Every job runs for one second.
func epochsUnder(m cluster.Machine, jobs []job.Job, name string) ([][]int, error) {
	name, knobs, err := registry.Expand(name)
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

// epochText returns the jobs of epoch i, with the total processors and memory that they use, such
// as "J0 J1 12/06".
func epochText(jobs []job.Job, groups [][]int, i int) string {
	if i >= len(groups) {
		return ""
	}
	text, procs, memory := "", 0, int64(0)
	for _, j := range groups[i] {
		text += jobs[j].ID + " "
		procs += jobs[j].Procs
		memory += jobs[j].Extra(0)
	}
	return text + fmt.Sprintf("%02d/%02d", procs, memory)
}
