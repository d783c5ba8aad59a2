package sacct

import (
	"strings"

	"backfill-lab/core/job"
)

// request sets the size and resources of a job. It prefers the allocation, which the job really
// occupied, to the request.
func (p *parser) request(j *job.Job) error {
	cpus, err := p.procs("cpu", allocCPUs, ncpus, reqCPUs)
	if err != nil {
		return err
	}
	nodes, err := p.procs("node", allocNodes, nnodes, reqNodes)
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
	return p.extra(j.More, cpus, nodes)
}

// procs returns a number of CPUs or nodes: the first positive one among the allocated and then the
// requested numbers. Jobs that never ran have 0 allocated.
func (p *parser) procs(name string, alloc, also, req field) (int64, error) {
	for _, f := range [...]field{alloc, also, allocTRES, req, reqTRES} {
		var n int64
		var err error
		if f == allocTRES || f == reqTRES {
			n, _, err = p.amount(f, name)
		} else {
			n, err = p.count(f)
		}
		if err != nil || n > 0 {
			return n, err
		}
	}
	return 0, nil
}

// extra sets the amounts of the extra resources.
func (p *parser) extra(m *job.More, cpus, nodes int64) error {
	if len(p.Resources) == 0 {
		return nil
	}
	m.Extra = make([]int64, len(p.Resources))
	for k, name := range p.Resources {
		n, err := p.amountHeld(name, cpus, nodes)
		if err != nil {
			return err
		}
		m.Extra[k] = n
	}
	return nil
}

// amountHeld returns the amount of a resource that the job held.
func (p *parser) amountHeld(name string, cpus, nodes int64) (int64, error) {
	n, told, err := p.amount(allocTRES, name)
	if err == nil && !told {
		n, told, err = p.amount(reqTRES, name)
	}
	if err == nil && !told && name == "mem" {
		return p.memory(cpus, nodes)
	}
	return n, err
}
