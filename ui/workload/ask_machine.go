package workload

import (
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/policy"
	"backfill-lab/ui/widgets"
)

// MachineReasons returns why the machine is proposed, in sentences.
func (c *Workload) MachineReasons() []string { return c.Records().Why }

// ProposedText describes the proposed machine.
func (c *Workload) ProposedText() string {
	r := c.Records()
	if r.Cores == 1 {
		return format.Count(r.Nodes, "node")
	}
	return format.Count(r.Nodes, "node") + " of " + format.Count(r.Cores, "core")
}

// askedFields lists the fields of the form: index in document.Doc.Machine and text.
var askedFields = [...]struct {
	place           int
	id, label, help string
}{
	{0, "nodes", "Nodes", "number of nodes of the machine"},
	{2, "cores", "Cores per node", "1 if nodes are the processors"},
}

// AskedFields returns the fields for nodes and cores.
func (c *Workload) AskedFields() (out []widgets.Field) {
	for _, x := range askedFields {
		f := widgets.Field{ID: "ask-" + x.id, Label: x.label, Help: x.help, Place: x.place, Kind: policy.Integer, Text: c.Doc().Machine[x.place]}
		f.SetProblem(c.Problem(-1, x.id))
		out = append(out, f)
	}
	return out
}

// SetAsked stores the text typed in a field of the form.
func (c *Workload) SetAsked(e vugu.DOMEvent, f widgets.Field) {
	c.Do(f.ID, c.Doc().SetMachineText(f.Place, e.PropString("target", "value")))
}

// MachineEdited reports whether the machine differs from the proposal.
func (c *Workload) MachineEdited() bool {
	m, r := c.Doc().Machine, c.Records()
	return m[0] != strconv.Itoa(r.Nodes) || m[1] != "1" || m[2] != strconv.Itoa(r.Cores)
}

// ResetMachine restores the proposed machine.
func (c *Workload) ResetMachine() {
	d, r := *c.Doc(), c.Records()
	d.Machine[0], d.Machine[1], d.Machine[2] = strconv.Itoa(r.Nodes), "1", strconv.Itoa(r.Cores)
	c.Do("", d)
	c.Focus = "ask-nodes"
}

// AcceptMachine accepts the machine as it is, and so lets the scenario run.
func (c *Workload) AcceptMachine() {
	for _, f := range c.AskedFields() {
		if f.Problem != "" {
			c.Focus = f.ID
			return
		}
	}
	d := *c.Doc()
	d.AskMachine = false
	c.Do("", d)
	c.Notice, c.Focus = "Machine accepted. Undo asks again; the Machine tab changes it.", "tab-"+c.Tab
}
