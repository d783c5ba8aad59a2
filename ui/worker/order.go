package worker

import (
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
)

const (
	fullDetail = 2_000 // jobs below which every move of a plan is recorded
	checkBelow = 2_000 // jobs below which results are checked before they are told
)

// order is a run that was found good: a scenario, as the command runs it.
type order struct {
	*scenario.Setup
	rows   []int32 // by job index: the row as sent; nil where each job is its own row
	specs  []*policy.Spec
	titles []string
	level  log.Level
	fresh  bool // no result of an earlier run is used
}

// prepare makes a run ready. What is wrong with it is said in the words of
// package scenario.
func prepare(h *held, q protocol.Run) (*order, error) {
	setup, err := h.setup(q)
	if err != nil {
		return nil, err
	}
	o := &order{Setup: setup, rows: setup.Work.Rows, level: log.Decisions, fresh: q.Fresh}
	if own(o.rows) && len(setup.Work.Jobs) == len(h.jobs) {
		o.rows = nil
	}
	if len(setup.Work.Jobs) < fullDetail {
		o.level = log.Full
	}
	for _, p := range setup.Scenario.Policies {
		spec, err := registry.Find(p.Name)
		if err != nil {
			return nil, err
		}
		o.specs = append(o.specs, spec)
		o.titles = append(o.titles, title(spec, p.Knobs))
	}
	return o, nil
}

// own reports whether each job is its own row.
func own(rows []int32) bool {
	for i, r := range rows {
		if int(r) != i {
			return false
		}
	}
	return true
}

// machine returns the machine of a request.
func machine(m protocol.Machine) cluster.Machine {
	out := cluster.Machine{Nodes: m.Nodes, Processors: m.Processors, Cores: m.Cores, JobsPerNode: m.JobsPerNode}
	for _, r := range m.Resources {
		out.Resources = append(out.Resources, cluster.Resource{Name: r.Name, Capacity: r.Capacity})
	}
	for _, b := range m.Blocks {
		out.Blocks = append(out.Blocks, cluster.Block(b))
	}
	return out
}

// told returns the machine as answers have it.
func told(m *cluster.Machine) protocol.Machine {
	out := protocol.Machine{Nodes: m.Nodes, Processors: m.Processors, Cores: m.Cores, JobsPerNode: m.JobsPerNode}
	for _, r := range m.Resources {
		out.Resources = append(out.Resources, protocol.Resource{Name: r.Name, Capacity: r.Capacity})
	}
	for _, b := range m.Blocks {
		out.Blocks = append(out.Blocks, protocol.Block(b))
	}
	return out
}

// title names a policy and those of its knobs that differ from the defaults.
func title(s *policy.Spec, knobs map[string]string) string {
	var b strings.Builder
	b.WriteString(s.Title)
	for _, k := range s.Knobs {
		if v, ok := knobs[k.Name]; ok && v != k.Default {
			b.WriteString(", " + k.Name + " " + v)
		}
	}
	return b.String()
}
