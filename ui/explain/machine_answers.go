package explain

import (
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// MachineOutcome returns the answer to the selected question, nil if there is none about the current
// results.
func (c *Explainer) MachineOutcome() *protocol.WhatIfAnswer {
	if x := c.machine.outcomes[c.machine.about]; x != nil && c.IsCurrent() && x.Generation == c.Ran.Generation {
		return x
	}
	return nil
}

// MachineChange holds the metrics of a policy before and after the change, as rendered.
type MachineChange struct {
	Title string
	Cells []MetricChange
}

// MetricChange is a metric before and after the change.
type MetricChange struct {
	Before string
	After  widgets.Fact
}

// MachineHeads returns the headings of the metrics.
func (c *Explainer) MachineHeads() (out []string) {
	for _, h := range session.Headlines {
		text := h.Title
		if unit := session.Metric(h.Name).ShownUnit(c.Clock()); unit != "" {
			text += ", " + unit
		}
		out = append(out, text)
	}
	return out
}

// MachineChanges returns the metrics before and after the change, a row for each policy.
func (c *Explainer) MachineChanges() (out []MachineChange) {
	x := c.MachineOutcome()
	if x == nil {
		return nil
	}
	for i := range x.Effects {
		row := MachineChange{Title: x.Effects[i].Title}
		for k := range session.Headlines {
			before, after := c.Change(i, k, x.Effects[i].Metrics)
			row.Cells = append(row.Cells, MetricChange{before, after})
		}
		out = append(out, row)
	}
	return out
}
