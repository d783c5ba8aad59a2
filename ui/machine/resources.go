package machine

import (
	"fmt"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// Resource is an extra resource of the machine as rendered. Problem joins the errors of
// its fields; K is its index.
type Resource struct {
	K              int
	Name, Capacity widgets.Field

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

func (c *Machine) resourceField(k, what int, text, label string) widgets.Field {
	f := widgets.Field{ID: document.ResourceField(k, what), Label: fmt.Sprintf("%s of resource %d", label, k+1), Text: text, Place: document.ResourceText(k) + what}
	f.SetProblem(c.Problem(-1, f.ID))
	return f
}

// AddResource adds an extra resource and moves the keyboard focus to its name.
func (c *Machine) AddResource() {
	k := len(c.Doc().Resources)
	if k == cluster.MaxResources {
		c.Notice = fmt.Sprintf("No resource was added: a machine has at most %d.", cluster.MaxResources)
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
