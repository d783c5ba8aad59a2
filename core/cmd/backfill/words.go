package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
)

// describeSetup returns the size of the workload and the machine in words.
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

// excludedLine returns a line about the jobs that the metrics exclude, "" if there are
// none.
func excludedLine(o metrics.Options) string {
	if text := o.ExcludedText(); text != "" {
		return text + "\n"
	}
	return ""
}

// amount returns a value with its unit.
func amount(v metrics.Value) string {
	if v.Metric.Unit == "" {
		return number(v.Number)
	}
	return number(v.Number) + " " + v.Metric.Unit
}

// number returns v with 1, 2 or 4 decimal places, without trailing zeros. Larger numbers
// have fewer decimal places.
func number(v float64) string {
	decimals := 4
	switch {
	case math.Abs(v) >= 1000:
		decimals = 1
	case math.Abs(v) >= 10:
		decimals = 2
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// comparison returns the words for how much better or worse v is than the first value of
// its row.
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
