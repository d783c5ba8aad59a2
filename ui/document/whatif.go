package document

import (
	"fmt"
	"slices"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/whatif"
)

// ApplyWhatIf returns the document with a what-if change. The selected job is in the given row; simulatedJob is
// this job as it was simulated, after the data rules had been applied. If the change selects another policy,
// ApplyWhatIf adds this policy to the list, or replaces the last one if there are already scenario.MaxPolicies.
// All other changes have the same effect as in package whatif. While ApplyWhatIf changes all rows, it calls pause
// about every thousand rows, and stops if pause returns an error.
func (d Doc) ApplyWhatIf(c *whatif.Change, row int, simulatedJob *job.Job, pause func(done int) error) (Doc, error) {
	switch c.Kind {
	case whatif.ExactAll:
		return d.exactEstimates(pause)
	case whatif.WallFactor:
		d, _, err := d.ApplyRules(c.Rules, pause)
		return d, err
	case whatif.Remove:
		return d.withoutJob(row, c.ID)
	case whatif.Nodes:
		n, err := strconv.Atoi(d.Machine[0])
		d.Machine[0] = strconv.Itoa(n + int(c.N))
		return d, err
	case whatif.Drain:
		procs := d.SlotsPerNode()
		if procs == 0 {
			return d, fmt.Errorf("expected a valid machine, got one with errors")
		}
		d.Outages = append(slices.Clip(d.Outages), outageOf(c.Outage(procs)))
		return d, nil
	case whatif.Policy:
		place := min(len(d.Policies), scenario.MaxPolicies-1)
		d.Policies = append(slices.Clone(d.Policies[:place]), Policy{Name: c.Policy.Name, Knobs: c.Policy.Knobs})
		return d, nil
	}
	old := d.Rows.At(row)
	was := old.Job()
	is := was
	if err := whatif.EditJob(&is, simulatedJob, c, d.Slots()); err != nil {
		return d, err
	}
	values := [Runtime][2]int64{{was.Submit, is.Submit}, {int64(was.Procs), int64(is.Procs)}, {was.Estimate, is.Estimate}, {was.Runtime, is.Runtime}}
	for i, v := range values {
		if v[0] != v[1] {
			old = old.With(Column(i+1), strconv.FormatInt(v[1], 10))
		}
	}
	d.Rows = d.Rows.Splice(row, 1, old)
	return d, nil
}

// exactEstimates returns the document in which the estimate of each job that ends early
// equals its runtime.
func (d Doc) exactEstimates(pause func(done int) error) (Doc, error) {
	rows, err := d.Rows.change(func(r *Row) bool {
		if r.Values[Runtime-1] < r.Values[Estimate-1] {
			*r = r.With(Estimate, strconv.FormatInt(max(1, r.Values[Runtime-1]), 10))
		}
		return true
	}, pause)
	d.Rows = rows
	return d, err
}

// withoutJob returns the document without one job, and without the slowdown pairs that name this job. If the name
// is empty, it removes the job in the given row, otherwise the job with this name.
func (d Doc) withoutJob(row int, name string) (Doc, error) {
	if name != "" {
		row = -1
		for i, r := range d.Rows.All() {
			if r.Name == name {
				row = i
				break
			}
		}
	}
	if row < 0 {
		return d, fmt.Errorf("expected job %s in the table, found none", name)
	}
	s, _ := d.Slowdowns()
	d = d.DeleteRows(row, 1)
	if s != nil && len(s.Pairs) > 0 {
		jobs := make([]job.Job, 0, d.Rows.Len())
		for _, r := range d.Rows.All() {
			jobs = append(jobs, r.Job())
		}
		d.Slowdown = SlowdownOf(whatif.WithoutPairs(s, jobs))
	}
	return d, nil
}
