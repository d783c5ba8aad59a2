// Package cluster describes a parallel machine: its nodes, processors, cores, extra resources,
// outages and slots. Package sim allocates slots to jobs.
package cluster

import (
	"fmt"

	"backfill-lab/core/job"
)

// Limits on the size of a machine.
const (
	MaxNodes = 1_000_000
	MaxSlots = 4_000_000

	MaxResources = job.MaxResources
	MaxCapacity  = int64(1e18) // capacity of an extra resource
)

// Machine is a parallel machine with equal nodes. A slot is one core of a node. Slots are
// numbered node by node.
type Machine struct {
	Nodes       int
	Processors  int        // per node
	Cores       int        // per processor
	Resources   []Resource // extra resources, shared by the whole machine
	JobsPerNode int        // maximum number of jobs that share a node; 0 = unlimited
	Outages     []Outage
}

// Resource is an extra resource that all nodes share, such as licences. Its capacity is a whole
// number of units.
type Resource struct {
	Name     string
	Capacity int64
}

// Flat returns a machine with the given number of single-core nodes.
func Flat(nodes int) Machine { return Machine{Nodes: nodes, Processors: 1, Cores: 1} }

// SlotsPerNode returns the number of slots per node.
func (m *Machine) SlotsPerNode() int { return m.Processors * m.Cores }

// Slots returns the number of slots of the machine.
func (m *Machine) Slots() int { return m.Nodes * m.SlotsPerNode() }

// Node returns the node that contains a slot.
func (m *Machine) Node(slot int) int { return slot / m.SlotsPerNode() }

// NodesOf yields the nodes on which s has at least one slot. It yields each node once, in
// increasing order.
func (m *Machine) NodesOf(s Set) func(func(int) bool) {
	return func(yield func(int) bool) {
		last := -1
		for _, r := range s {
			for n := max(last+1, m.Node(int(r.Lo))); n <= m.Node(int(r.Hi)-1); n++ {
				if !yield(n) {
					return
				}
				last = n
			}
		}
	}
}

// Slot returns the slot of the given core, as a range [lo,hi) that contains only this slot.
func (m *Machine) Slot(node, processor, core int) (lo, hi int32) {
	lo = int32((node*m.Processors+processor)*m.Cores + core)
	return lo, lo + 1
}

// Invalid reports an invalid field of a machine.
type Invalid struct{ Field, Expected, Got string }

func (e *Invalid) Error() string {
	return fmt.Sprintf("machine, %s: expected %s, got %s", e.Field, e.Expected, e.Got)
}

// Validate returns an *Invalid error for the first invalid field of m, or nil.
func (m *Machine) Validate() error {
	bad := func(field, expected string, got any) error {
		return &Invalid{field, expected, fmt.Sprint(got)}
	}
	switch {
	case m.Nodes < 1 || m.Nodes > MaxNodes:
		return bad("nodes", fmt.Sprintf("1 to %d", MaxNodes), m.Nodes)
	case m.Processors < 1 || m.Processors > MaxSlots:
		return bad("processors", "at least 1 per node", m.Processors)
	case m.Cores < 1 || m.Cores > MaxSlots:
		return bad("cores", "at least 1 per processor", m.Cores)
	case m.Processors > MaxSlots/m.Cores || m.SlotsPerNode() > MaxSlots/m.Nodes:
		return bad("nodes x processors x cores", fmt.Sprintf("at most %d slots", MaxSlots),
			fmt.Sprintf("%d x %d x %d", m.Nodes, m.Processors, m.Cores))
	}
	if m.JobsPerNode < 0 || m.JobsPerNode > MaxSlots {
		return bad("jobs-per-node", fmt.Sprintf("0 (no limit) to %d", MaxSlots), m.JobsPerNode)
	}
	if err := m.checkOutages(); err != nil {
		return err
	}
	if n := len(m.Resources); n > MaxResources {
		return bad("resources", fmt.Sprintf("at most %d", MaxResources), n)
	}
	for i, r := range m.Resources {
		if r.Name == "" {
			return bad("resource", "a name", "nothing")
		}
		if len(r.Name) > job.MaxName {
			return bad(fmt.Sprintf("resource %d, name", i+1), fmt.Sprintf("at most %d bytes", job.MaxName), len(r.Name))
		}
		if r.Capacity < 0 || r.Capacity > MaxCapacity {
			return bad("resource "+r.Name, fmt.Sprintf("a capacity from 0 to %d", MaxCapacity), r.Capacity)
		}
	}
	return nil
}
