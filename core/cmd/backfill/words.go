package main

import (
	"fmt"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
)

// describeSetup returns a phrase about the number of jobs and the size of the machine.
func describeSetup(setup *scenario.Setup) string {
	m := &setup.Scenario.Machine
	text := format.Count(len(setup.Work.Jobs), "job") + " on " + format.Count(m.Nodes, "node")
	if m.SlotsPerNode() > 1 {
		text += fmt.Sprintf(" of %d cores", m.SlotsPerNode())
	}
	for _, r := range m.Resources {
		text += fmt.Sprintf(", %d %s", r.Capacity, r.Name)
	}
	return text
}

// excludedLine returns a line about the jobs that the metrics exclude, or "" if they exclude none.
func excludedLine(o metrics.Options) string {
	if text := o.ExcludedText(); text != "" {
		return text + "\n"
	}
	return ""
}

// valueText formats the value of a metric with its unit.
func valueText(v metrics.Value, c format.Clock) string {
	text := v.Metric.Text(v.Number, c)
	if unit := v.Metric.ShownUnit(c); unit != "" {
		text += " " + unit
	}
	return text
}

// comparisonText returns a phrase such as "(12.5 % better)", which compares v with the value under
// the baseline. It returns "" if the values are equal or cannot be compared.
func comparisonText(base, v metrics.Value) string {
	p, ok := metrics.Improvement(base, v)
	switch {
	case !ok || p == 0:
		return ""
	case p > 0:
		return "(" + format.Decimals(p, 1) + " % better)"
	}
	return "(" + format.Decimals(-p, 1) + " % worse)"
}
