// Package machine implements the form that edits the machine: nodes, cores, jobs per node, extra
// resources, outages, and slowdowns on shared nodes.
package machine

import (
	"fmt"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/cluster"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Machine edits the machine of the session's document.
type Machine struct {
	*session.Session

	Compare func() // shows the form that compares the metrics before and after a change of the nodes
	Drain   func() // shows the form that compares the metrics with and without an outage of nodes
}

type (
	// Panel is the component of the whole form.
	Panel struct{ Machine *Machine }
	// Resources is the component of the extra resources.
	Resources struct{ Machine *Machine }
	// Outages is the component of the list of outages.
	Outages struct{ Machine *Machine }
)

// machineHelp holds the label and the help text of each field for the size of the machine.
var machineHelp = [len(document.MachineFields)][2]string{
	{"Nodes", "1 to 1,000,000"},
	{"Processors per node", "at least 1; sockets of a node"},
	{"Cores per processor", "at least 1; cores per node = processors per node × cores per processor"},
	{"Max jobs per node", "0 = unlimited"},
}

// SizeFields returns the fields for nodes, processors, cores and jobs per node.
func (c *Machine) SizeFields() []widgets.Field {
	out := make([]widgets.Field, len(document.MachineFields))
	for i, name := range document.MachineFields {
		out[i] = widgets.Field{ID: "machine-" + name, Name: name, Label: machineHelp[i][0], Help: machineHelp[i][1],
			Text: c.Doc().Machine[i], Place: i, Kind: policy.Integer}
		if i == len(out)-1 {
			out[i].Place = c.Doc().JobsPerNodeTextIndex()
		}
		out[i].SetProblem(c.Problem(-1, name))
	}
	return out
}

// SetField stores the text typed in the field f.
func (c *Machine) SetField(e vugu.DOMEvent, f widgets.Field) {
	text := e.PropString("target", "value")
	if f.Instant {
		text = c.TypeInstant(f.ID, text)
	}
	c.Do(f.ID, c.Doc().SetMachineText(f.Place, text))
}

// Resource is an extra resource of the machine as rendered. K is the index of the resource. Problem joins the errors of
// both fields.
type Resource struct {
	K              int
	Name, Capacity widgets.Field

	// DropID, DropLabel: id and label of the button that removes the resource
	Problem, ProblemID, DropID, DropLabel string
}

// Resources returns the extra resources of the machine.
func (c *Machine) Resources() (out []Resource) {
	for k, r := range c.Doc().Resources {
		id := fmt.Sprintf("resource-%d", k)
		x := Resource{K: k, ProblemID: id + "-problem", DropID: id + "-drop", DropLabel: "Remove " + r.Name}
		x.Name = c.resourceField(k, 0, r.Name, "Name")
		x.Capacity = c.resourceField(k, 1, r.Capacity, "Capacity")
		x.Problem = strings.Trim(x.Name.Problem+"; "+x.Capacity.Problem, "; ")
		out = append(out, x)
	}
	return out
}

func (c *Machine) resourceField(k, part int, text, label string) widgets.Field {
	f := widgets.Field{ID: document.ResourceField(k, part), Label: fmt.Sprintf("%s of resource %d", label, k+1), Text: text, Place: document.ResourceTextIndex(k) + part}
	f.SetProblem(c.Problem(-1, f.ID))
	return f
}

// AddResource adds an extra resource and moves the keyboard focus to its name.
func (c *Machine) AddResource() {
	k := len(c.Doc().Resources)
	if k == cluster.MaxResources {
		c.Notice = fmt.Sprintf("No resource was added: a machine can have at most %d extra resources.", cluster.MaxResources)
		return
	}
	c.Do("", c.Doc().AddResource())
	c.Focus = document.ResourceField(k, 0)
}

// DropResource removes extra resource k.
func (c *Machine) DropResource(k int) {
	c.Do("", c.Doc().DropResource(k))
	c.Focus = "add-resource"
}

// OutageRow is an outage as rendered: a row of fields. K is the index of the outage. Problem joins the errors of all
// fields.
type OutageRow struct {
	K      int
	Fields []widgets.Field

	// DropID, DropLabel: id and label of the button that removes the outage
	Problem, ProblemID, DropID, DropLabel string
}

var outageLabels = [len(document.OutageFields)]string{"From", "To", "Processors", "Label"}

// OutageRows returns the outages of the machine.
func (c *Machine) OutageRows() (out []OutageRow) {
	d, clock := c.Doc(), c.TableClock()
	for k := range d.Outages {
		id := fmt.Sprintf("block-%d", k)
		x := OutageRow{K: k, ProblemID: id + "-problem", DropID: id + "-drop", DropLabel: fmt.Sprintf("Remove outage %d", k+1)}
		for what, text := range d.Outages[k].Texts {
			f := widgets.Field{ID: document.OutageField(k, what), Label: fmt.Sprintf("%s, outage %d", outageLabels[what], k+1), Text: text, Place: d.OutageTextIndex(k) + what, Instant: what < 2}
			if f.Instant {
				f.Text = c.InstantText(f.ID, text, clock)
			}
			if f.SetProblem(c.Problem(-1, f.ID)); what == len(outageLabels)-1 {
				f.Help = "label"
			}
			x.Fields, x.Problem = append(x.Fields, f), strings.TrimPrefix(x.Problem+"; "+f.Problem, "; ")
		}
		x.Problem = strings.Trim(x.Problem, "; ")
		out = append(out, x)
	}
	return out
}

// OutagePolicies says which policies support outages.
func (c *Machine) OutagePolicies() string {
	var names []string
	for _, spec := range registry.All {
		if spec.HandlesOutages {
			names = append(names, spec.Title)
		}
	}
	return "Policies that support outages: " + strings.Join(names, ", ") + "."
}

// NodeSizeText says how many processors of an outage make up a whole node. It returns "" if a node has only one core or
// the machine is invalid.
func (c *Machine) NodeSizeText() string {
	n := c.Doc().SlotsPerNode()
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("A node counts as %d processors, one for each core.", n)
}

// HasOutages reports whether the machine has outages.
func (c *Machine) HasOutages() bool { return len(c.Doc().Outages) > 0 }

// AddOutage adds an outage and moves the keyboard focus to its start time.
func (c *Machine) AddOutage() {
	k := len(c.Doc().Outages)
	c.Do("", c.Doc().AddOutage())
	c.Focus = document.OutageField(k, 0)
}

// DropOutage removes outage k.
func (c *Machine) DropOutage(k int) {
	c.Do("", c.Doc().DropOutage(k))
	c.Focus = "add-block"
}
