package main

import (
	"fmt"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
)

// describeSetup returns a phrase with the size of the workload and the machine.
func describeSetup(up *scenario.Setup) string {
	m := &up.Scenario.Machine
	text := format.Count(len(up.Work.Jobs), "job") + " on " + format.Count(m.Nodes, "node")
	if m.PerNode() > 1 {
		text += fmt.Sprintf(" of %d cores", m.PerNode())
	}
	for _, r := range m.Resources {
		text += fmt.Sprintf(", %d %s", r.Capacity, r.Name)
	}
	return text
}

// excludedLine returns a line about the jobs that the metrics exclude, or "" if there are none.
func excludedLine(o metrics.Options) string {
	if text := o.ExcludedText(); text != "" {
		return text + "\n"
	}
	return ""
}

// amount returns a value with its unit.
func amount(v metrics.Value, c format.Clock) string {
	switch v.Metric.Unit {
	case "":
		return format.Number(v.Number)
	case "s":
		return c.Mean(v.Number)
	}
	return format.Number(v.Number) + " " + v.Metric.Unit
}

// comparison returns a phrase for how much better or worse v is than the first value of its row.
func comparison(first, v metrics.Value) string {
	p, ok := metrics.Improvement(first, v)
	switch {
	case !ok || p == 0:
		return ""
	case p > 0:
		return fmt.Sprintf("(%.1f %% better)", p)
	}
	return fmt.Sprintf("(%.1f %% worse)", -p)
}
