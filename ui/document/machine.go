package document

import (
	"fmt"
	"slices"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
)

// MachineFields names the fields of Doc.Machine.
var MachineFields = [4]string{"nodes", "processors", "cores", "jobs-per-node"}

// MachineProduct is the field of a problem that the first three of MachineFields make
// together.
const MachineProduct = "nodes x processors x cores"

// Resource is an extra resource of the machine as typed.
type Resource struct {
	Name, Capacity string
	Kept           scenario.Fields // what the scenario file says of it and we do not know
}

// Texts returns what is typed in the fields of the machine and of slowdowns: nodes,
// processors, cores, then by turns name and capacity of each extra resource, then
// jobs per node, and where there are slowdowns or blocks the seed and the pairs of the
// former, then by turns what is typed of each block.
func (d *Doc) Texts() []string {
	out := append(make([]string, 0, 16), d.Machine[:3]...)
	for _, r := range d.Resources {
		out = append(out, r.Name, r.Capacity)
	}
	out = append(out, d.Machine[3])
	if t := d.Slowdown; t != nil {
		out = append(out, t.Seed, t.Pairs)
	} else if len(d.Blocks) > 0 {
		out = append(out, "", "")
	}
	for i := range d.Blocks {
		out = append(out, d.Blocks[i].Texts[:]...)
	}
	return out
}

// ResourceText returns the place among Texts of the name of resource k.
func ResourceText(k int) int { return 3 + 2*k }

// What comes behind MoreTexts.
const (
	seedText  = 1
	pairsText = 2
)

// MoreTexts returns the place among Texts of what comes behind extra resources.
func (d *Doc) MoreTexts() int { return ResourceText(len(d.Resources)) }

// WithTexts returns the document with other Texts. What jobs ask for of a resource of
// another name stays.
func (d Doc) WithTexts(texts []string) Doc {
	copy(d.Machine[:3], texts)
	d.Resources = slices.Clone(d.Resources)
	for k := range d.Resources {
		d.Resources[k].Name, d.Resources[k].Capacity = texts[ResourceText(k)], texts[ResourceText(k)+1]
	}
	d.Blocks = slices.Clone(d.Blocks)
	for k := range d.Blocks {
		copy(d.Blocks[k].Texts[:], texts[d.BlockText(k):])
	}
	more := texts[d.MoreTexts():]
	if d.Machine[3] = more[0]; d.Slowdown != nil && (d.Slowdown.Seed != more[seedText] || d.Slowdown.Pairs != more[pairsText]) {
		return d.Slow(func(t *Slowdown) { t.Seed, t.Pairs = more[seedText], more[pairsText] })
	}
	return d
}

// SetText returns the document with another one of Texts.
func (d Doc) SetText(place int, text string) Doc {
	texts := d.Texts()
	texts[place] = text
	return d.WithTexts(texts)
}

// AddResource returns the document with another extra resource under a name of its
// own; no job asks for it.
func (d Doc) AddResource() Doc {
	name := ""
	for n := 1; name == "" || d.named(name) >= 0; n++ {
		name = fmt.Sprintf("resource %d", n)
	}
	d.Resources = append(slices.Clip(d.Resources), Resource{Name: name, Capacity: "1"})
	return d
}

// DropResource returns the document without resource k and what jobs ask for of it.
func (d Doc) DropResource(k int) Doc {
	d.Resources = slices.Delete(slices.Clone(d.Resources), k, k+1)
	d.Rows = d.Rows.without(Amounts + Column(k))
	return d
}

// named returns the place of the first resource of that name, -1 if there is none.
func (d *Doc) named(name string) int {
	return slices.IndexFunc(d.Resources, func(r Resource) bool { return r.Name == name })
}

// ResourceField returns the field of a problem of the name (what 0) or capacity (1) of
// resource k.
func ResourceField(k, what int) string {
	return fmt.Sprintf("resource-%d-%s", k, [2]string{"name", "capacity"}[what])
}

// general returns a problem of a field of the machine or of slowdowns.
func general(field, text string) Problem {
	return Problem{Row: -1, Policy: -1, Field: field, Text: text}
}

// machine reads the fields of the machine.
func (d *Doc) machine() (protocol.Machine, []Problem) {
	m, bad := d.nodes()
	for k := range d.Resources {
		m.Resources = append(m.Resources, d.resource(k, &bad))
	}
	if n := len(d.Resources); bad == nil && n > cluster.MaxResources {
		bad = append(bad, general(ResourceField(n-1, 0), fmt.Sprintf("machine, resources: expected at most %d, got %d", cluster.MaxResources, n)))
	}
	if bad == nil {
		bad = d.blocks(&m)
	}
	return m, bad
}

// nodes reads the fields of the machine but for its extra resources.
func (d *Doc) nodes() (protocol.Machine, []Problem) {
	var n [len(MachineFields)]int
	var bad []Problem
	say := func(field, text string) { bad = append(bad, general(field, text)) }
	for i, text := range d.Machine {
		v, err := strconv.Atoi(text)
		if err != nil {
			say(MachineFields[i], fmt.Sprintf("machine, %s: expected a whole number, got %q", MachineFields[i], text))
		}
		n[i] = v
	}
	m := protocol.Machine{Nodes: n[0], Processors: n[1], Cores: n[2], JobsPerNode: n[3]}
	if bad == nil {
		c := cluster.Machine{Nodes: n[0], Processors: n[1], Cores: n[2], JobsPerNode: n[3]}
		if err := c.Validate(); err != nil {
			say(err.(*cluster.Invalid).Field, err.Error())
		}
	}
	return m, bad
}

// Extras returns the extra resources, none while one of them is not valid.
func (d *Doc) Extras() (list []protocol.Resource) {
	var bad []Problem
	for k := range d.Resources {
		list = append(list, d.resource(k, &bad))
	}
	if bad != nil {
		return nil
	}
	return list
}

// resource reads resource k.
func (d *Doc) resource(k int, bad *[]Problem) protocol.Resource {
	r := &d.Resources[k]
	v, err := strconv.ParseInt(r.Capacity, 10, 64)
	name, capacity := "", ""
	switch {
	case r.Name == "":
		name = "a name, got nothing"
	case d.named(r.Name) < k:
		name = fmt.Sprintf("a name of its own, got %q again", r.Name)
	}
	switch {
	case err != nil:
		capacity = fmt.Sprintf("a whole number, got %q", r.Capacity)
	case v < 1 || v > cluster.MaxCapacity:
		capacity = "1 to 10^18, got " + r.Capacity
	}
	for what, expected := range [2]string{name, capacity} {
		if expected != "" {
			*bad = append(*bad, general(ResourceField(k, what),
				fmt.Sprintf("machine, %s: expected %s", [2]string{fmt.Sprintf("resource %d", k+1), "capacity of " + r.Name}[what], expected)))
		}
	}
	return protocol.Resource{Name: r.Name, Capacity: v}
}

func roomOf(m protocol.Machine) room {
	on := room{slots: m.Nodes * m.Processors * m.Cores}
	for _, r := range m.Resources {
		on.extra = append(on.extra, r.Capacity)
	}
	return on
}

// room returns the machine on which jobs must fit, nothing while it is not valid.
func (d *Doc) room() room {
	m, bad := d.machine()
	if bad != nil {
		return room{}
	}
	return roomOf(m)
}

// Slots returns the number of slots of the machine, 0 while it is not valid.
func (d *Doc) Slots() int {
	m, bad := d.nodes()
	if bad != nil {
		return 0
	}
	return m.Nodes * m.Processors * m.Cores
}

// PerNode returns the number of slots of a node, 0 while the machine is not valid.
func (d *Doc) PerNode() int {
	m, bad := d.nodes()
	if bad != nil {
		return 0
	}
	return m.Processors * m.Cores
}
