package document

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
)

// MachineFields names the elements of Doc.Machine.
var MachineFields = [4]string{"nodes", "processors", "cores", "jobs-per-node"}

// machineMaxima holds the maximum of each element of Doc.Machine.
var machineMaxima = [4]int64{cluster.MaxNodes, cluster.MaxSlots, cluster.MaxSlots, cluster.MaxSlots}

// MachineProduct is the value of Problem.Field if the fields for nodes, processors and cores are valid, but their
// product is too large.
const MachineProduct = "nodes x processors x cores"

// Resource is an extra resource of the machine, as typed.
type Resource struct {
	Name, Capacity string
	UnknownFields  scenario.Fields // unknown fields of the resource in the scenario file
}

// MachineTexts returns all texts typed for the machine, slowdowns and outages in one list. Their order is: nodes,
// processors and cores; the name and the capacity of each extra resource; jobs per node; the seed and the pairs of
// the slowdowns (only if there are slowdowns or outages); the fields of each outage.
func (d *Doc) MachineTexts() []string {
	out := append(make([]string, 0, 16), d.Machine[:3]...)
	for _, r := range d.Resources {
		out = append(out, r.Name, r.Capacity)
	}
	out = append(out, d.Machine[3])
	if t := d.Slowdown; t != nil {
		out = append(out, t.Seed, t.Pairs)
	} else if len(d.Outages) > 0 {
		out = append(out, "", "")
	}
	for i := range d.Outages {
		out = append(out, d.Outages[i].Texts[:]...)
	}
	return out
}

// ResourceTextIndex returns the index in MachineTexts of the name of resource k.
func ResourceTextIndex(k int) int { return 3 + 2*k }

// Indexes in MachineTexts of the seed and the pairs of the slowdowns, relative to JobsPerNodeTextIndex.
const (
	seedText  = 1
	pairsText = 2
)

// JobsPerNodeTextIndex returns the index in MachineTexts of the jobs per node.
func (d *Doc) JobsPerNodeTextIndex() int { return ResourceTextIndex(len(d.Resources)) }

// WithMachineTexts returns the document with all texts of MachineTexts replaced by the given texts, which have the
// same order. Jobs keep their requests for a resource whose name changes.
func (d Doc) WithMachineTexts(texts []string) Doc {
	copy(d.Machine[:3], texts)
	d.Resources = slices.Clone(d.Resources)
	for k := range d.Resources {
		d.Resources[k].Name, d.Resources[k].Capacity = texts[ResourceTextIndex(k)], texts[ResourceTextIndex(k)+1]
	}
	d.Outages = slices.Clone(d.Outages)
	for k := range d.Outages {
		copy(d.Outages[k].Texts[:], texts[d.OutageTextIndex(k):])
	}
	rest := texts[d.JobsPerNodeTextIndex():]
	if d.Machine[3] = rest[0]; d.Slowdown != nil && (d.Slowdown.Seed != rest[seedText] || d.Slowdown.Pairs != rest[pairsText]) {
		return d.EditSlowdown(func(t *Slowdown) { t.Seed, t.Pairs = rest[seedText], rest[pairsText] })
	}
	return d
}

// SetMachineText returns the document with a new text at the given index of MachineTexts.
func (d Doc) SetMachineText(index int, text string) Doc {
	texts := d.MachineTexts()
	texts[index] = text
	return d.WithMachineTexts(texts)
}

// AddResource returns the document with one more extra resource. The resource has a new
// name and the capacity 1, and no job requests it.
func (d Doc) AddResource() Doc {
	name := ""
	for n := 1; name == "" || d.resourceIndex(name) >= 0; n++ {
		name = fmt.Sprintf("resource %d", n)
	}
	d.Resources = append(slices.Clip(d.Resources), Resource{Name: name, Capacity: "1"})
	return d
}

// DropResource returns the document without resource k and without the requests for it.
func (d Doc) DropResource(k int) Doc {
	d.Resources = slices.Delete(slices.Clone(d.Resources), k, k+1)
	d.Rows = d.Rows.withoutColumn(Amounts + Column(k))
	return d
}

// resourceIndex returns the index of the first resource with the given name, or -1 if there is none.
func (d *Doc) resourceIndex(name string) int {
	return slices.IndexFunc(d.Resources, func(r Resource) bool { return r.Name == name })
}

// ResourceField returns the Problem.Field for the name (what = 0) or the capacity
// (what = 1) of resource k.
func ResourceField(k, what int) string {
	return fmt.Sprintf("resource-%d-%s", k, [2]string{"name", "capacity"}[what])
}

// machineProblem returns a problem in a field of the machine or of the slowdowns.
func machineProblem(field, text string) Problem {
	return Problem{Row: -1, Policy: -1, Field: field, Text: text}
}

// parseMachine parses and checks all fields of the machine. It reads the outages only if the other fields are
// valid.
func (d *Doc) parseMachine() (protocol.Machine, []Problem) {
	m, bad := d.parseNodes()
	for k := range d.Resources {
		m.Resources = append(m.Resources, d.parseResource(k, &bad))
	}
	if n := len(d.Resources); bad == nil && n > cluster.MaxResources {
		bad = append(bad, machineProblem(ResourceField(n-1, 0), fmt.Sprintf("machine, resources: expected at most %d, got %d", cluster.MaxResources, n)))
	}
	if bad == nil {
		bad = d.parseOutages(&m)
	}
	return m, bad
}

// parseNodes parses and checks the fields of the machine, except extra resources and outages.
func (d *Doc) parseNodes() (protocol.Machine, []Problem) {
	var n [len(MachineFields)]int
	var bad []Problem
	report := func(field, text string) { bad = append(bad, machineProblem(field, text)) }
	for i, text := range d.Machine {
		v, err := strconv.Atoi(text)
		if err != nil {
			report(MachineFields[i], fmt.Sprintf("machine, %s: expected %s, got %q", MachineFields[i], format.ExpectedWhole(err, machineMaxima[i]), text))
		}
		n[i] = v
	}
	m := protocol.Machine{Nodes: n[0], Processors: n[1], Cores: n[2], JobsPerNode: n[3]}
	if bad == nil {
		c := cluster.Machine{Nodes: n[0], Processors: n[1], Cores: n[2], JobsPerNode: n[3]}
		if err := c.Validate(); err != nil {
			report(err.(*cluster.Invalid).Field, err.Error())
		}
	}
	return m, bad
}

// Extras returns the extra resources, or nil if one of them is invalid.
func (d *Doc) Extras() (list []protocol.Resource) {
	var bad []Problem
	for k := range d.Resources {
		list = append(list, d.parseResource(k, &bad))
	}
	if bad != nil {
		return nil
	}
	return list
}

// parseResource parses resource k and appends its problems to bad.
func (d *Doc) parseResource(k int, bad *[]Problem) protocol.Resource {
	r := &d.Resources[k]
	v, err := strconv.ParseInt(r.Capacity, 10, 64)
	name, capacity := "", ""
	switch {
	case r.Name == "":
		name = "a name, got nothing"
	case d.resourceIndex(r.Name) < k:
		name = fmt.Sprintf("a unique name, got %q twice", r.Name)
	}
	switch {
	case err != nil:
		capacity = fmt.Sprintf("%s, got %q", format.ExpectedWhole(err, cluster.MaxCapacity), r.Capacity)
	case v < 1 || v > cluster.MaxCapacity:
		capacity = "1 to 10^18, got " + r.Capacity
	}
	for what, expected := range [2]string{name, capacity} {
		if expected != "" {
			*bad = append(*bad, machineProblem(ResourceField(k, what),
				fmt.Sprintf("machine, %s: expected %s", [2]string{fmt.Sprintf("resource %d", k+1), "capacity of " + cmp.Or(r.Name, fmt.Sprintf("resource %d", k+1))}[what], expected)))
		}
	}
	return protocol.Resource{Name: r.Name, Capacity: v}
}

// limitsOf returns the size of a valid machine.
func limitsOf(m protocol.Machine) limits {
	lim := limits{slots: m.Nodes * m.Processors * m.Cores}
	for _, r := range m.Resources {
		lim.extra = append(lim.extra, r.Capacity)
	}
	return lim
}

// limits returns the size of the machine, or the zero value if it is invalid.
func (d *Doc) limits() limits {
	m, bad := d.parseMachine()
	if bad != nil {
		return limits{}
	}
	return limitsOf(m)
}

// Slots returns the number of slots of the machine, or 0 if it is invalid.
func (d *Doc) Slots() int {
	m, bad := d.parseNodes()
	if bad != nil {
		return 0
	}
	return m.Nodes * m.Processors * m.Cores
}

// SlotsPerNode returns the number of slots per node, or 0 if the machine is invalid.
func (d *Doc) SlotsPerNode() int {
	m, bad := d.parseNodes()
	if bad != nil {
		return 0
	}
	return m.Processors * m.Cores
}
