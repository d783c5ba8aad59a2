package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// MachineIfFields returns the fields of the form. The question about exact estimates has none. Error messages about
// a field begin with its Name.
func (c *Explainer) MachineIfFields() (out []widgets.Field) {
	switch c.machine.about {
	case aboutNodes:
		out = []widgets.Field{{ID: nodesField, Name: "nodes", Label: "More nodes", Kind: policy.Integer, Help: "number of nodes to add; a negative number removes nodes"}}
	case aboutDrain:
		out = []widgets.Field{{ID: drainField, Name: "drain", Label: "Nodes", Kind: policy.Integer, Help: "number of nodes to drain"},
			{ID: fromField, Name: "drain, from", Label: "From", Instant: true, Help: "when the nodes become unavailable, such as " + c.TableClock().Instant(c.Doc().Rows.Summary().First)},
			{ID: toField, Name: "drain, to", Label: "To", Instant: true, Help: "when the nodes are available again"}}
	case aboutWalls:
		out = []widgets.Field{{ID: factorField, Name: "wall-factor", Label: "Factor", Help: document.WallFactorHelp},
			{ID: overrunField, Label: document.OverrunLabel, Kind: policy.Choice, Options: []string{document.RaiseEstimate, document.KillJob}, Help: document.OverrunHelp}}
	}
	for i := range out {
		f := &out[i]
		if f.Text = c.machine.typed[f.ID]; f.Name != "" {
			f.SetProblem(c.machine.problem(f.Name))
		}
	}
	return out
}

// wrongField returns the index of the field with an error, -1 if there is none.
func (c *Explainer) wrongField() int {
	return slices.IndexFunc(c.MachineIfFields(), func(f widgets.Field) bool { return f.Problem != "" })
}

// problem returns the error in a field, "" if the field is valid.
func (s *machineTrial) problem(name string) string {
	text, ok := strings.CutPrefix(s.err, name+": ")
	if !ok {
		return ""
	}
	return text
}

// SetMachineIfField stores what the user typed or selected in the field f, and removes the error.
func (c *Explainer) SetMachineIfField(e vugu.DOMEvent, f widgets.Field) {
	if c.machine.typed == nil {
		c.machine.typed = map[string]string{}
	}
	c.machine.typed[f.ID], c.machine.err = e.PropString("target", "value"), ""
}

// machineChange returns the change that the form describes, in the syntax of package whatif. An error begins with the
// name of its field.
func (c *Explainer) machineChange() (string, error) {
	text := c.changeText()
	_, err := whatif.Parse(text)
	if err != nil && !strings.HasPrefix(err.Error(), "drain, ") {
		return text, err
	}
	for _, f := range c.MachineIfFields() {
		if !f.Instant {
			continue
		}
		if _, bad := c.ScenarioClock().ParseInstant(f.Text); bad != nil {
			return text, fmt.Errorf("%s: %w", f.Name, bad)
		}
	}
	return text, err
}

// changeText returns the change that the form describes, like machineChange, but does not check the fields.
func (c *Explainer) changeText() string {
	typed := func(id string) string { return strings.TrimSpace(c.machine.typed[id]) }
	instant := func(id string) string { return session.InSeconds(typed(id), c.ScenarioClock().ParseInstant) }
	switch c.machine.about {
	case aboutDrain:
		return "drain=" + typed(drainField) + " from=" + instant(fromField) + " to=" + instant(toField)
	case aboutExact:
		return "exact-all"
	case aboutWalls:
		text := "wall-factor=" + typed(factorField)
		if typed(overrunField) == document.KillJob {
			text += " overrun=kill"
		}
		return text
	}
	return "nodes=" + typed(nodesField)
}
