package explain

import (
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// MachineIfFields returns the fields of the form, none for the question about exact estimates.
func (c *Explainer) MachineIfFields() []widgets.Field {
	s := &c.machine
	f := widgets.Field{ID: nodesField, Name: "nodes", Label: "More nodes", Text: s.typed[nodesField], Kind: policy.Integer,
		Help: "number of nodes to add; a negative number removes nodes"}
	switch s.about {
	case aboutExact:
		return nil
	case aboutWalls:
		f = widgets.Field{ID: factorField, Name: "wall-factor", Label: "Factor", Text: s.typed[factorField],
			Help: document.WallFactorHelp}
	}
	f.SetProblem(s.problem(f.Name))
	if s.about == aboutNodes {
		return []widgets.Field{f}
	}
	o := widgets.Field{ID: overrunField, Label: document.OverrunLabel, Text: s.typed[overrunField], Kind: policy.Choice,
		Options: []string{document.RaiseEstimate, document.KillJob}, Help: document.OverrunHelp}
	return []widgets.Field{f, o}
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

// change returns the change that the form describes, in the syntax of package whatif.
func (s *machineTrial) change() string {
	switch s.about {
	case aboutExact:
		return "exact-all"
	case aboutWalls:
		text := "wall-factor=" + strings.TrimSpace(s.typed[factorField])
		if s.typed[overrunField] == document.KillJob {
			text += " overrun=kill"
		}
		return text
	}
	return "nodes=" + strings.TrimSpace(s.typed[nodesField])
}
