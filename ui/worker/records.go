package worker

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/opening"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/ui/protocol"
)

// readRecords reads accounting records of sacct. The machine gets the size that the records
// imply, unless the request specifies a size.
func (f *file) readRecords() (*fileContent, error) {
	o := sacct.Options{Options: f.options, MaxJobs: maxOpenedJobs}
	if q := f.open.Records; q != nil {
		o.Resources = q.Resources
	}
	var err error
	if o.Choice, err = choiceOf(f.open.Records); err != nil {
		return nil, err
	}
	records, err := sacct.Read(f.text, o)
	if err != nil {
		return nil, err
	}
	proposal := records.Propose(o.Unit)
	m := cluster.Flat(proposal.Nodes)
	if m.Cores = proposal.Cores; f.open.Procs > 0 {
		m = cluster.Flat(f.open.Procs)
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	w, err := opening.CleanAccounting(records, m.Slots(), f.open.Rules)
	if err != nil {
		return nil, err
	}
	waits := opening.ActualWaits(records, w)
	got := fromWorkload(w)
	got.cores = m.Cores
	got.extras, got.choice = o.Resources, o.Choice
	got.machineKnown = f.open.Procs <= 0
	got.records = recordsOf(records, &o)
	got.records.Nodes, got.records.Cores, got.records.Why = proposal.Nodes, proposal.Cores, proposal.Why
	got.records.InUse, got.records.Actual = records.Procs.MaxInUse, waits
	got.hasStarts = waits.Jobs > 0
	for _, name := range o.Resources {
		r := cluster.Resource{Name: name, Capacity: 1}
		if k := slices.IndexFunc(records.Resources, func(u sacct.Usage) bool { return u.Name == name }); k >= 0 {
			r.Capacity = records.Resources[k].MinCapacity()
		}
		got.resources = append(got.resources, r)
	}
	return got, nil
}

// choiceOf converts the options for accounting records. If q is nil, it returns the default
// options.
func choiceOf(q *protocol.RecordsChoice) (sacct.Choice, error) {
	c := sacct.Default
	if q == nil {
		return c, nil
	}
	c.Partition = q.Partition
	err := c.Unit.UnmarshalText([]byte(q.Unit))
	if err == nil && q.SubmitTime != "" {
		err = c.Submit.UnmarshalText([]byte(q.SubmitTime))
	}
	if err == nil {
		err = c.Limits.UnmarshalText([]byte(q.Limits))
	}
	return c, err
}

// recordsOf returns the summary of accounting records that the page receives.
func recordsOf(f *sacct.File, o *sacct.Options) *protocol.Records {
	out := &protocol.Records{}
	out.Partition, out.Unit, out.Resources = o.Partition, o.Unit.String(), o.Resources
	out.SubmitTime, out.Limits = o.Submit.String(), o.Limits.String()
	out.SubmitNote, out.LimitNote = f.SubmitNote, f.LimitNote
	out.Partitions, out.Unlimited = partitions(f.Partitions), partitions(f.Unlimited)
	for _, u := range f.Resources {
		out.Uses = append(out.Uses, protocol.Use{Name: u.Name, Jobs: u.Jobs, MinCapacity: u.MinCapacity()})
	}
	return out
}

// partitions converts a list of partitions, each with a number of records or jobs, to the form that the page
// receives.
func partitions(list []sacct.NameCount) (out []protocol.Partition) {
	for _, p := range list {
		out = append(out, protocol.Partition{Name: p.Name, Records: p.N})
	}
	return out
}
