package ui

import (
	"fmt"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/ui/document"
)

// Resource is an extra resource of the machine as rendered.
type Resource struct {
	K              int
	Name, Capacity Field

	Problem, ProblemID, DropID, DropLabel string
}

// Use is the strip of an extra resource under a chart, as rendered.
type Use struct {
	K                        int
	ID, Name, Caption, Label string
	Capacity                 int64
}

// uses is the strips under the chart of a result.
func (c *App) uses(i int, title string) (out []Use) {
	for k, r := range c.lab.shown.Run.Machine.Resources {
		u := Use{K: k, ID: fmt.Sprintf("use-%d-%d", i, k), Name: r.Name, Capacity: r.Capacity}
		u.Caption = fmt.Sprintf("%s in use, of %d", r.Name, r.Capacity)
		u.Label = fmt.Sprintf("%s over time by %s. The table below the charts has the amount of each job.", u.Caption, title)
		out = append(out, u)
	}
	return out
}

// Resources is the extra resources of the machine.
func (c *App) Resources() (out []Resource) {
	for k, r := range c.Doc().Resources {
		at := fmt.Sprintf("resource-%d", k)
		x := Resource{K: k, ProblemID: at + "-problem", DropID: at + "-drop", DropLabel: "Remove " + r.Name}
		x.Name = c.resourceField(k, 0, r.Name, "Name")
		x.Capacity = c.resourceField(k, 1, r.Capacity, "Capacity")
		x.Problem = strings.Trim(x.Name.Problem+"; "+x.Capacity.Problem, "; ")
		out = append(out, x)
	}
	return out
}

func (c *App) resourceField(k, what int, text, label string) Field {
	f := Field{ID: document.ResourceField(k, what), Label: fmt.Sprintf("%s of resource %d", label, k+1), Text: text, Place: document.ResourceText(k) + what}
	f.fault(c.problem(-1, f.ID))
	return f
}

// AddResource adds an extra resource, whose name is then to be typed.
func (c *App) AddResource() {
	k := len(c.Doc().Resources)
	if k == cluster.MaxResources {
		c.Notice = fmt.Sprintf("No resource was added: a machine has at most %d.", cluster.MaxResources)
		return
	}
	c.do("", c.Doc().AddResource())
	c.Focus = document.ResourceField(k, 0)
}

// DropResource takes out an extra resource.
func (c *App) DropResource(k int) {
	c.do("", c.Doc().DropResource(k))
	c.Focus = "add-resource"
}
