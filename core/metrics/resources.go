package metrics

import (
	"strings"

	"backfill-lab/core/schedule"
)

const ofResource = "utilization-of-"

// Named returns the metric of that name, nil if there is none: an entry of a table, or
// the utilization of an extra resource.
func Named(name string) *Metric {
	for _, table := range [][]Metric{Table, ByNode} {
		for i := range table {
			if table[i].Name == name {
				return &table[i]
			}
		}
	}
	resource, ok := strings.CutPrefix(name, ofResource)
	if !ok {
		return nil
	}
	return &Metric{Name: name, Title: "Utilization of " + resource,
		Formula: "amount times seconds in use in [from,to) / (capacity times makespan)", Paper: leinberger, Better: 1}
}

// resources returns the utilization of each extra resource of the machine.
func (d *data) resources(rows []schedule.Row) (values []Value) {
	for k, r := range d.m.Resources {
		x := Value{Metric: Named(ofResource + r.Name)}
		if len(d.jobs) > 0 {
			x.V, x.OK = ratio(d.used(rows, k), float64(float64(r.Capacity)*float64(d.makespan())))
		}
		values = append(values, x)
	}
	return values
}

// used returns the amount of extra resource k in use, integrated over [from,to).
func (d *data) used(rows []schedule.Row, k int) (sum float64) {
	for i := range rows {
		for _, g := range rows[i].Segments {
			if from, to := max(g.From, d.from), min(g.To, d.to); from < to {
				sum += float64(float64(rows[i].ExtraOf(k)) * float64(to-from))
			}
		}
	}
	return sum
}
