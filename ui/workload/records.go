package workload

import (
	"fmt"
	"slices"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/policy"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// allPartitions is the option that reads the jobs of all partitions.
const allPartitions = "all partitions"

// HasRecords reports whether the jobs were read from accounting records.
func (c *Workload) HasRecords() bool { return c.Records() != nil }

// RecordFields returns the fields: partition, unit of processors, and a check box for
// each resource that jobs used.
func (c *Workload) RecordFields() []widgets.Field {
	r := c.Records()
	partition := widgets.Field{ID: "records-partition", Label: "Partition", Kind: policy.Choice, Options: []string{allPartitions}, Text: allPartitions,
		Help: "the partition whose jobs are read, for a machine of its own; or all jobs, for one machine"}
	for _, p := range r.Partitions {
		o := partitionText(&p)
		if partition.Options = append(partition.Options, o); p.Name == r.Partition {
			partition.Text = o
		}
	}
	unit := widgets.Field{ID: "records-unit", Label: "Processors", Kind: policy.Choice, Options: []string{"cpus", "nodes"}, Text: r.Unit,
		Help: "what counts as a job's processors: its CPUs or its nodes"}
	out := []widgets.Field{partition, unit}
	for k, u := range r.Uses {
		out = append(out, widgets.Field{ID: fmt.Sprintf("records-use-%d", k), Label: u.Name, Name: u.Name, Kind: policy.Switch, Text: fmt.Sprint(slices.Contains(r.Resources, u.Name)),
			Help: fmt.Sprintf("an extra resource of the machine; %s jobs have some, at most %d at the same time%s", format.Whole(u.Jobs), u.Least, inMegabytes(u.Name))})
	}
	for i := range out {
		out[i].SetProblem("")
	}
	return out
}

func partitionText(p *protocol.Partition) string {
	return fmt.Sprintf("%s (%s records)", p.Name, format.Whole(p.Records))
}

func inMegabytes(name string) string {
	if name == "mem" {
		return ", in MB"
	}
	return ""
}

// RecordsSay returns in words how large the machine is assumed to be.
func (c *Workload) RecordsSay() string {
	return c.Records().Size + " The Machine tab shows it, and the amounts of the resources."
}

// ActualWaits returns in words how long the jobs waited on the real machine, "" once they
// were edited.
func (c *Workload) ActualWaits() string {
	if r := c.Records(); r != nil && c.Doc().Rows.Same(c.Doc().Origin) {
		return r.Happened
	}
	return ""
}

// SetRecords stores what was selected in the field f and reads the file again.
func (c *Workload) SetRecords(e vugu.DOMEvent, f widgets.Field) {
	r := c.Records()
	q := r.RecordsChoice
	text := e.PropString("target", "value")
	switch f.ID {
	case "records-partition":
		q.Partition = ""
		for _, p := range r.Partitions {
			if partitionText(&p) == text {
				q.Partition = p.Name
			}
		}
	case "records-unit":
		q.Unit = text
	default:
		q.Resources = nil
		for _, u := range r.Uses {
			if on := slices.Contains(r.Resources, u.Name); on != (u.Name == f.Name) {
				q.Resources = append(q.Resources, u.Name)
			}
		}
	}
	c.ReopenFile(c.SourceFile().File, protocol.Open{Records: &q})
}

// ShowRecords opens the form and moves the keyboard focus to it.
func (c *Workload) ShowRecords() {
	c.ShowTab("workload")
	c.Focus = "records-partition"
	c.Drawer = "edit"
}
