package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/policy"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// HasRecords reports whether the jobs were read from accounting records.
func (c *Workload) HasRecords() bool { return c.Records() != nil }

// RecordFields returns the fields of the form for accounting records. They select the partitions (if there are
// several), what counts as a processor and as the submit time, and the extra resources of the machine.
func (c *Workload) RecordFields() (out []widgets.Field) {
	r := c.Records()
	if len(r.Partitions) > 1 {
		for k, p := range r.Partitions {
			out = append(out, widgets.Field{ID: fmt.Sprintf("records-partition-%d", k), Label: "Partition " + p.Name, Name: p.Name, Kind: policy.Switch,
				Text: fmt.Sprint(partitionIsSelected(r, p.Name)), Help: format.Count(p.Records, "record")})
		}
	}
	out = append(out,
		widgets.Field{ID: recordsUnit, Label: "Processors", Kind: policy.Choice, Options: []string{"cpus", "nodes"}, Text: r.Unit,
			Help: "count the CPUs or the nodes of a job as its processors"},
		widgets.Field{ID: "records-submit-time", Label: "Submit time", Kind: policy.Choice, Options: []string{"eligible", "submit"}, Text: r.SubmitTime,
			Help: "when a job enters the queue. eligible: when its dependencies, its begin time and the limits allow it to start; submit: when it is submitted"})
	for k, u := range r.Uses {
		out = append(out, widgets.Field{ID: fmt.Sprintf("records-use-%d", k), Label: u.Name, Name: u.Name, Kind: policy.Switch, Text: fmt.Sprint(slices.Contains(r.Resources, u.Name)),
			Help: fmt.Sprintf("make it an extra resource of the machine. %s %s it; largest amount in use at the same time: %s%s", format.Count(u.Jobs, "job"), format.SingularOrPlural(u.Jobs, "uses", "use"), format.Whole(u.MinCapacity), inMegabytes(u.Name))})
	}
	for i := range out {
		out[i].SetProblem("")
	}
	return out
}

const recordsUnit = "records-unit"

// partitionIsSelected reports whether the jobs of a partition are read.
func partitionIsSelected(r *protocol.Records, partition string) bool {
	return r.Partition == "" || slices.Contains(strings.Split(r.Partition, ","), partition)
}

// togglePartition adds a partition to the selection, or removes it. It returns the new selection as
// text, "" for all partitions. It returns false if no partition is left.
func togglePartition(r *protocol.Records, partition string) (string, bool) {
	var names []string
	for _, p := range r.Partitions {
		if partitionIsSelected(r, p.Name) != (p.Name == partition) {
			names = append(names, p.Name)
		}
	}
	if len(names) == len(r.Partitions) {
		return "", true
	}
	return strings.Join(names, ","), len(names) > 0
}

func inMegabytes(name string) string {
	if name == "mem" {
		return " MB"
	}
	return ""
}

// RecordsText says which machine is proposed and why, and where the user can see the current machine.
func (c *Workload) RecordsText() string {
	return fmt.Sprintf("Proposed machine: %s. %s The Machine tab shows the current machine of the scenario, with the capacities of its extra resources.", c.ProposedText(), strings.Join(c.MachineReasons(), " "))
}

// ActualWaits says how long the jobs waited on the real machine. It returns "" after an edit of the
// jobs, or if there are no records.
func (c *Workload) ActualWaits() string {
	if o := c.Source(); o != nil && o.Records != nil && c.Doc().Rows.Same(c.Doc().Origin) {
		clock := c.Clock()
		if c.Ran == nil && !c.Seconds {
			clock = format.UnitClock
		}
		return o.Records.Actual.Text(clock)
	}
	return ""
}

// SetRecords reads the file again with the option that the user selected in the field f.
func (c *Workload) SetRecords(e vugu.DOMEvent, f widgets.Field) {
	r := c.Records()
	q := r.RecordsChoice
	switch text := e.PropString("target", "value"); {
	case strings.HasPrefix(f.ID, "records-partition-"):
		names, ok := togglePartition(r, f.Name)
		if !ok {
			c.Notice = "Select at least one partition. The selection did not change."
			return
		}
		q.Partition = names
	case f.ID == recordsUnit:
		q.Unit = text
	case f.ID == "records-submit-time":
		q.SubmitTime = text
	default:
		q.Resources = nil
		for _, u := range r.Uses {
			if on := slices.Contains(r.Resources, u.Name); on != (u.Name == f.Name) {
				q.Resources = append(q.Resources, u.Name)
			}
		}
	}
	c.readAgain(q)
}

// readAgain reads the accounting records again, with other options.
func (c *Workload) readAgain(q protocol.RecordsChoice) {
	c.ReopenFile(c.SourceFile().File, protocol.Open{Records: &q})
}

// ShowRecords opens the Workload panel and moves the keyboard focus to the form of accounting records.
func (c *Workload) ShowRecords() {
	c.OpenTab("workload")
	c.Focus = c.RecordFields()[0].ID
}
