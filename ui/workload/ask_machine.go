package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/policy"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// MachineReasons explains, in sentences, why the page proposes this machine. After a reload of the page, it says
// that the page has not kept the reasons.
func (c *Workload) MachineReasons() []string {
	if r := c.Records(); r != nil {
		return r.Why
	}
	return []string{"The reasons for this proposal are not kept when the page is reloaded. To see them, open the file again."} // after a reload
}

// AskedNotes describes, in sentences, the partitions, the submit times and the limits of the
// records.
func (c *Workload) AskedNotes() []string {
	if r := c.Records(); r != nil {
		return []string{partitionsText(r), r.SubmitNote, r.LimitNote}
	}
	return nil
}

// maxNamedPartitions is the largest number of partitions that partitionsText names.
const maxNamedPartitions = 12

// partitionsText names the partitions of the records, with their numbers of records, and says which
// ones are selected.
func partitionsText(r *protocol.Records) string {
	var names []string
	for i, p := range r.Partitions {
		if i == maxNamedPartitions {
			names = append(names, fmt.Sprintf("%d more", len(r.Partitions)-i))
			break
		}
		names = append(names, fmt.Sprintf("%s (%s)", p.Name, format.Count(p.Records, "record")))
	}
	if len(names) == 0 {
		return ""
	}
	text := "Partitions in the file: " + strings.Join(names, ", ") + "."
	if r.Partition != "" {
		text += " Selected: " + strings.ReplaceAll(r.Partition, ",", ", ") + "."
	}
	return text
}

// proposal returns the proposed numbers of nodes and of cores per node. After a reload, the page no
// longer has the proposal. proposal then returns the size of the current machine.
func (c *Workload) proposal() (nodes, cores int) {
	if r := c.Records(); r != nil {
		return r.Nodes, r.Cores
	}
	m := scenario.Machine{}
	c.Doc().CopyMachineSize(&m)
	return m.Nodes, m.Cores
}

// ProposedText describes the proposed machine.
func (c *Workload) ProposedText() string {
	nodes, cores := c.proposal()
	if cores == 1 {
		return format.Count(nodes, "node")
	}
	return format.Count(nodes, "node") + " of " + format.Count(cores, "core")
}

// askedFields lists the fields of the form, each with its index in document.Doc.Machine and its
// texts.
var askedFields = [...]struct {
	place           int
	id, label, help string
}{
	{0, "nodes", "Nodes", "number of nodes of the machine"},
	{2, "cores", "Cores per node", "number of cores in each node; 1 if each node counts as one processor"},
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

// TooSmallWarning returns a warning if the machine in the form has fewer processors than were in use at the same
// time according to the records. Otherwise, it returns "".
func (c *Workload) TooSmallWarning() string {
	m, r := scenario.Machine{}, c.Records()
	c.Doc().CopyMachineSize(&m)
	invalid := slices.ContainsFunc(c.AskedFields(), func(f widgets.Field) bool { return f.Problem != "" })
	if r == nil || invalid || int64(m.Slots()) >= r.InUse {
		return ""
	}
	unit := "CPU"
	if r.Unit == "nodes" {
		unit = "node"
	}
	return fmt.Sprintf("This machine has %s, but according to the records, %s were in use at the same time. Perhaps nodes were removed later, or the records count hardware threads. You can use this machine, but the actual schedule does not fit on it, so the actual waits cannot be compared with the waits under the policies.",
		format.Count(m.Slots(), unit), format.Whole(r.InUse))
}

// SetAskedField stores the text typed in a field of the form.
func (c *Workload) SetAskedField(e vugu.DOMEvent, f widgets.Field) {
	c.Do(f.ID, c.Doc().SetMachineText(f.Place, e.PropString("target", "value")))
}

// MachineEdited reports whether the machine differs from the proposal.
func (c *Workload) MachineEdited() bool {
	m := c.Doc().Machine
	nodes, cores := c.proposal()
	return c.Records() != nil && (m[0] != strconv.Itoa(nodes) || m[1] != "1" || m[2] != strconv.Itoa(cores))
}

// ResetMachine restores the proposed machine.
func (c *Workload) ResetMachine() {
	d := *c.Doc()
	nodes, cores := c.proposal()
	d.Machine[0], d.Machine[1], d.Machine[2] = strconv.Itoa(nodes), "1", strconv.Itoa(cores)
	c.Do("", d)
	c.Focus = "ask-nodes"
}

// AcceptMachine accepts the machine that the form shows. The page then runs the scenario and scrolls to the metrics,
// which are below the charts on a narrow screen. If a field is invalid, AcceptMachine moves the keyboard focus there
// instead.
func (c *Workload) AcceptMachine() {
	for _, f := range c.AskedFields() {
		if f.Problem != "" {
			c.Focus = f.ID
			return
		}
	}
	d := *c.Doc()
	d.MachineIsProposed = false
	c.Do("", d)
	c.Notice = "Machine accepted. To change it, use the Machine tab or Undo."
	c.ScrollTo, c.Focus = "scores", "tab-"+c.Tab
}
