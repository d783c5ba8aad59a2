package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
)

// described returns machine and workload in words.
func described(up *scenario.Setup) string {
	m := &up.Scenario.Machine
	text := count(len(up.Work.Jobs), "job") + " on " + count(m.Nodes, "node")
	if m.PerNode() > 1 {
		text += fmt.Sprintf(" of %d cores", m.PerNode())
	}
	for _, r := range m.Resources {
		text += fmt.Sprintf(", %d %s", r.Capacity, r.Name)
	}
	return text
}

// count returns a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// leftOut says in a line which jobs do not count, nothing where all do.
func leftOut(o metrics.Options) string {
	if text := o.LeftOut(); text != "" {
		return text + "\n"
	}
	return ""
}

// amount returns a value with its unit.
func amount(v metrics.Value) string {
	if v.Metric.Unit == "" {
		return number(v.V)
	}
	return number(v.V) + " " + v.Metric.Unit
}

// number returns v with as many decimals as a person reads.
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

// compared returns how v stands to the first value of its row.
func compared(first, v metrics.Value) string {
	p, ok := metrics.Better(first, v)
	switch {
	case !ok || p == 0:
		return ""
	case p > 0:
		return fmt.Sprintf("(%.1f %% better)", p)
	}
	return fmt.Sprintf("(%.1f %% worse)", -p)
}
