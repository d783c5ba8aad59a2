package ui

import (
	"fmt"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/ui/state"
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
		x.Name = c.resourceField(k, "name", r.Name, fmt.Sprintf("Name of resource %d", k+1))
		x.Capacity = c.resourceField(k, "capacity", r.Capacity, fmt.Sprintf("Capacity of resource %d", k+1))
		x.Problem = strings.Trim(x.Name.Problem+"; "+x.Capacity.Problem, "; ")
		out = append(out, x)
	}
	return out
}

func (c *App) resourceField(k int, what, text, label string) Field {
	id := state.ResourceField(k, what)
	f := Field{ID: id, Label: label, Text: text}
	f.fault(c.problem(-1, id))
	return f
}

// SetResource takes what was typed: a name (0) or a capacity (1).
func (c *App) SetResource(e vugu.DOMEvent, x Resource, what int) {
	texts := [2]string{x.Name.Text, x.Capacity.Text}
	texts[what] = e.PropString("target", "value")
	c.do([2]string{x.Name.ID, x.Capacity.ID}[what], c.Doc().SetResource(x.K, texts[0], texts[1]))
}

// AddResource adds an extra resource, whose name is then to be typed.
func (c *App) AddResource() {
	k := len(c.Doc().Resources)
	c.do("", c.Doc().AddResource())
	c.grid.goTo = state.ResourceField(k, "name")
}

// DropResource takes out an extra resource.
func (c *App) DropResource(k int) {
	c.do("", c.Doc().DropResource(k))
	c.grid.goTo = "add-resource"
}
