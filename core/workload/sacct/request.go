package sacct

import (
	"strings"

	"backfill-lab/core/job"
)

// setRequest sets the user, the size and the resources of a job. It uses allocated amounts. If the
// record does not contain them, it uses requested amounts.
func (p *parser) setRequest(j *job.Job) error {
	cpus, err := p.countProcs("cpu", allocCPUs, ncpus, reqCPUs)
	if err != nil {
		return err
	}
	nodes, err := p.countProcs("node", allocNodes, nnodes, reqNodes)
	if err != nil {
		return err
	}
	p.cpus, p.nodes = cpus, nodes
	j.Procs = int(cpus)
	if p.Unit == Nodes {
		j.Procs = int(nodes)
	}
	name := strings.Clone(p.cell(user))
	if name == "" && len(p.Resources) == 0 {
		return nil
	}
	j.More = &job.More{User: name}
	return p.setExtra(j.More, cpus, nodes)
}

// countProcs returns the number of CPUs or nodes allocated to the job, or requested by the job if
// the record does not contain an allocation. It uses the first positive number among these fields:
// alloc, allocAlias, the list of allocated resources, req, and the list of requested resources. It
// returns 0 if there is none.
func (p *parser) countProcs(name string, alloc, allocAlias, req field) (int64, error) {
	for _, f := range [...]field{alloc, allocAlias, allocTRES, req, reqTRES} {
		var n int64
		var err error
		if f == allocTRES || f == reqTRES {
			n, _, err = p.amount(f, name)
		} else {
			n, err = p.parseCount(f)
		}
		if err != nil || n > 0 {
			return n, err
		}
	}
	return 0, nil
}

// setExtra sets the amounts of extra resources of a job.
func (p *parser) setExtra(m *job.More, cpus, nodes int64) error {
	if len(p.Resources) == 0 {
		return nil
	}
	m.Extra = make([]int64, len(p.Resources))
	for k, name := range p.Resources {
		n, err := p.amountOfJob(name, cpus, nodes)
		if err != nil {
			return err
		}
		m.Extra[k] = n
	}
	return nil
}

// amountOfJob returns the amount of a resource allocated to the job or, if the record does not
// contain it, the amount that the job requested.
func (p *parser) amountOfJob(name string, cpus, nodes int64) (int64, error) {
	n, listed, err := p.amount(allocTRES, name)
	if err == nil && !listed {
		n, listed, err = p.amount(reqTRES, name)
	}
	if err == nil && !listed && name == "mem" {
		return p.memory(cpus, nodes)
	}
	return n, err
}
