package machine

import (
	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// machineHelp holds the label and the help text of each field of the machine's size.
var machineHelp = [len(document.MachineFields)][2]string{
	{"Nodes", "1 to 1,000,000"},
	{"Processors per node", "at least 1"},
	{"Cores per processor", "at least 1; a process takes a core"},
	{"Max jobs per node", "0 = unlimited"},
}

// Size returns the fields for nodes, processors, cores and jobs per node.
func (c *Machine) Size() []widgets.Field {
	out := make([]widgets.Field, len(document.MachineFields))
	for i, name := range document.MachineFields {
		out[i] = widgets.Field{ID: "machine-" + name, Name: name, Label: machineHelp[i][0], Help: machineHelp[i][1],
			Text: c.Doc().Machine[i], Place: i, Kind: policy.Integer}
		if i == len(out)-1 {
			out[i].Place = c.Doc().MoreTexts()
		}
		out[i].SetProblem(c.Problem(-1, name))
	}
	return out
}

// SetField stores the text typed in the field f.
func (c *Machine) SetField(e vugu.DOMEvent, f widgets.Field) {
	c.Do(f.ID, c.Doc().SetText(f.Place, e.PropString("target", "value")))
}
