package worker

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
)

const (
	fullDetail       = 2_000 // a run with fewer jobs than this records every change of a planned start
	checkAtOnceBelow = 2_000 // a run with fewer jobs than this checks its schedules before it sends the results
)

// preparedRun is a checked request to run a scenario, ready to simulate. The command backfill
// prepares scenarios in the same way.
type preparedRun struct {
	*scenario.Setup
	rows   []int32        // by job index: the row in the message; nil if job i is row i
	specs  []*policy.Spec // by policy
	titles []string       // by policy
	level  log.Level      // what the log records
	fresh  bool           // do not use cached results
	clock  format.Clock   // how to write times
}

// prepare checks and prepares a run. Its errors have the same form as errors of package scenario.
func prepare(h *loaded, q protocol.Run) (*preparedRun, error) {
	setup, err := h.setup(q)
	if err != nil {
		return nil, err
	}
	o := &preparedRun{Setup: setup, rows: setup.Work.Rows, level: log.Decisions, fresh: q.Fresh, titles: setup.Scenario.Titles()}
	if isIdentity(o.rows) && len(setup.Work.Jobs) == len(h.jobs) {
		o.rows = nil
	}
	if len(setup.Work.Jobs) < fullDetail {
		o.level = log.Full
	}
	if !q.Seconds {
		o.clock = format.ClockFor(job.LastEnd(setup.Work.Jobs), q.Calendar)
	}
	for _, p := range setup.Scenario.Policies {
		spec, err := registry.Find(p.Name)
		if err != nil {
			return nil, err
		}
		o.specs = append(o.specs, spec)
	}
	return o, nil
}

// isIdentity reports whether rows[i] = i for all i.
func isIdentity(rows []int32) bool {
	for i, r := range rows {
		if int(r) != i {
			return false
		}
	}
	return true
}

// machine converts the machine of a request.
func machine(m protocol.Machine) cluster.Machine {
	out := cluster.Machine{Nodes: m.Nodes, Processors: m.Processors, Cores: m.Cores, JobsPerNode: m.JobsPerNode}
	for _, r := range m.Resources {
		out.Resources = append(out.Resources, cluster.Resource{Name: r.Name, Capacity: r.Capacity})
	}
	for _, b := range m.Outages {
		out.Outages = append(out.Outages, cluster.Outage(b))
	}
	return out
}

// protocolMachine converts a machine to the form that answers use.
func protocolMachine(m *cluster.Machine) protocol.Machine {
	out := protocol.Machine{Nodes: m.Nodes, Processors: m.Processors, Cores: m.Cores, JobsPerNode: m.JobsPerNode}
	for _, r := range m.Resources {
		out.Resources = append(out.Resources, protocol.Resource{Name: r.Name, Capacity: r.Capacity})
	}
	for _, b := range m.Outages {
		out.Outages = append(out.Outages, protocol.Outage(b))
	}
	return out
}
