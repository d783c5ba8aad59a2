package document

import (
	"bytes"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/generator"
)

// maxDrawnInPage is the largest number of jobs that the page generates itself. The worker
// generates larger workloads.
const maxDrawnInPage = 2000

// Read parses the scenario of an example or a lesson and returns it as a document.
func Read(data []byte) (Doc, error) {
	s, err := scenario.Parse(data)
	if err != nil {
		return Doc{}, err
	}
	list, err := JobRows(s)
	if err != nil {
		return Doc{}, err
	}
	d := FromScenario(s, NewRows(list))
	d.Source = "“" + s.Title + "”, an example"
	return d, nil
}

// FromScenario returns a document with the settings of a scenario and the given jobs.
func FromScenario(s *scenario.Scenario, rows Rows) Doc {
	d := Doc{Title: s.Title, Text: s.Text, Base: s, Rows: rows, Origin: rows, Slowdown: SlowdownOf(s.Slowdown), Warmup: s.Rules.Warmup, Cooldown: s.Rules.Cooldown, Changes: s.Changes, MachineIsProposed: s.Machine.Proposed}
	for i, n := range []int{s.Machine.Nodes, s.Machine.Processors, s.Machine.Cores, s.Machine.JobsPerNode} {
		d.Machine[i] = strconv.Itoa(n)
	}
	for k, r := range s.Machine.Resources {
		x := Resource{Name: r.Name, Capacity: strconv.FormatInt(r.Capacity, 10)}
		if k < len(s.Machine.ResourcesUnknown) {
			x.UnknownFields = s.Machine.ResourcesUnknown[k]
		}
		d.Resources = append(d.Resources, x)
	}
	d.Outages = OutagesOf(&s.Machine)
	for _, p := range s.Policies {
		d.Policies = append(d.Policies, Policy(p))
	}
	return d
}

// GeneratesManyJobs reports whether the scenario's generator produces more jobs than the page may
// generate itself.
func GeneratesManyJobs(s *scenario.Scenario) bool {
	g := s.Workload.Generator
	if g == nil {
		return false
	}
	n, err := strconv.Atoi(g.Parameters[generator.Jobs])
	return err == nil && n > maxDrawnInPage
}

// JobRows returns the jobs of a scenario as rows: the listed jobs, or those that its
// generator produces.
func JobRows(s *scenario.Scenario) ([]Row, error) {
	if s.Workload.Generator == nil {
		return jobRows(s.Workload.Jobs, s.Workload.JobsUnknown), nil
	}
	d, err := s.GeneratorSettings().Generate()
	if err != nil {
		return nil, err
	}
	return jobRows(d.Jobs, nil), nil
}

func jobRows(jobs []job.Job, unknown []scenario.Fields) []Row {
	out := make([]Row, len(jobs))
	for i := range out {
		if out[i] = RowOf(&jobs[i]); i < len(unknown) {
			out[i] = out[i].WithUnknownFields(unknown[i])
		}
	}
	return out
}

// JobsCSV returns the jobs of a plan as a CSV table, with all columns of package csv.
func (p *Plan) JobsCSV() []byte {
	t := &csv.Table{Jobs: p.Jobs()}
	for _, r := range p.Run.Machine.Resources {
		t.Resources = append(t.Resources, r.Name)
	}
	var b bytes.Buffer
	_ = csv.Write(&b, t) // writing to a buffer cannot fail
	return b.Bytes()
}

// File returns the document as a scenario file. If the jobs are exactly those that a generator draws, the file
// names the generator instead of listing the jobs. It preserves unknown fields of the source file.
func (d *Doc) File(plan *Plan) []byte {
	s := d.WithListedJobs(plan)
	if d.Generated() {
		s.Workload.Generator, s.Workload.Jobs, s.Workload.JobsUnknown = d.Base.Workload.Generator, nil, nil
	}
	return scenario.Format(s)
}

// WithListedJobs returns the document as a scenario that lists its jobs, even if they came from a
// file or generator.
func (d *Doc) WithListedJobs(plan *Plan) *scenario.Scenario {
	s := d.Scenario()
	m := plan.Run.Machine
	s.Machine.Nodes, s.Machine.Processors, s.Machine.Cores, s.Machine.JobsPerNode = m.Nodes, m.Processors, m.Cores, m.JobsPerNode
	s.DropFile()
	s.Workload.Generator = nil
	s.Workload.Jobs, s.Workload.JobsUnknown = plan.Jobs(), plan.Rows.UnknownFields()
	for _, p := range d.Policies {
		s.Policies = append(s.Policies, scenario.Policy(p))
	}
	return &s
}

// Scenario returns the scenario without jobs and policies. Its machine size is that of d.Base, not that of the
// edited machine. If the jobs were edited, it drops the reference to the file or generator from which they
// came.
func (d *Doc) Scenario() scenario.Scenario {
	s := scenario.Scenario{}
	if d.Base != nil {
		s = *d.Base
	}
	s.Machine.Proposed = d.MachineIsProposed
	s.Title, s.Text, s.Changes = d.Title, d.Text, d.Changes
	s.Machine.Resources, s.Machine.ResourcesUnknown = d.scenarioResources()
	s.Machine.Outages, s.Machine.OutagesUnknown = d.scenarioOutages()
	s.Slowdown, _ = d.Slowdowns()
	s.Workload.Jobs, s.Workload.JobsUnknown, s.Policies = nil, nil, nil
	s.Rules.Warmup, s.Rules.Cooldown = d.Warmup, d.Cooldown
	if !d.Rows.Same(d.Origin) {
		s.DropFile()
	}
	if !d.Generated() {
		s.Workload.Generator = nil
	}
	return s
}

// FileWithoutJobs returns the result of Scenario as a scenario file. The worker receives the jobs, the policies and
// the machine separately.
func (d *Doc) FileWithoutJobs() []byte {
	s := d.Scenario()
	return scenario.Format(&s)
}

// scenarioResources returns the extra resources in the form of a scenario. It makes empty and duplicate names unique,
// and replaces invalid capacities by 1. It also returns the unknown fields of each resource.
func (d *Doc) scenarioResources() (list []cluster.Resource, unknown []scenario.Fields) {
	taken := map[string]bool{}
	anyUnknown := false
	for k, r := range d.Resources {
		x := cluster.Resource{Name: r.Name, Capacity: 1}
		for x.Name == "" || taken[x.Name] {
			x.Name += "resource " + strconv.Itoa(k+1)
		}
		taken[x.Name] = true
		if v, err := strconv.ParseInt(r.Capacity, 10, 64); err == nil && v >= 0 && v <= cluster.MaxCapacity {
			x.Capacity = v
		}
		anyUnknown = anyUnknown || r.UnknownFields != nil
		list, unknown = append(list, x), append(unknown, r.UnknownFields)
	}
	if !anyUnknown {
		unknown = nil
	}
	return list, unknown
}

// scenarioOutages returns the outages, and their unknown fields, as a scenario stores them. It replaces invalid
// numbers with valid ones.
func (d *Doc) scenarioOutages() (list []cluster.Outage, unknown []scenario.Fields) {
	anyUnknown := false
	for i := range d.Outages {
		b, _, _ := d.Outages[i].Parse()
		b.To, b.Procs = max(b.To, 1), max(b.Procs, 1)
		list, unknown = append(list, cluster.Outage(b)), append(unknown, d.Outages[i].UnknownFields)
		anyUnknown = anyUnknown || d.Outages[i].UnknownFields != nil
	}
	if !anyUnknown {
		unknown = nil
	}
	return list, unknown
}

// CopyMachineSize copies the size of the document's machine to m. It replaces invalid numbers with the smallest valid
// ones.
func (d *Doc) CopyMachineSize(m *scenario.Machine) {
	for i, to := range []*int{&m.Nodes, &m.Processors, &m.Cores} {
		*to = machineNumber(d.Machine[i], 1)
	}
	m.JobsPerNode = machineNumber(d.Machine[3], 0)
}

// machineNumber returns the number in a text, or `least` if the text is invalid.
func machineNumber(text string, least int) int {
	if v, err := strconv.Atoi(text); err == nil && v >= least && v <= cluster.MaxNodes {
		return v
	}
	return least
}
