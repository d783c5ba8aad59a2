package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"backfill-lab/core/log"
)

func compareCommand(e *env) *cobra.Command {
	s := &source{runsAll: true}
	var differs, spreads bool
	c := &cobra.Command{
		Use: "compare", Short: "run several policies on one workload and print their metrics side by side",
		Long: "Run several policies on one workload: the policies of the flags, such as -policy easy -policy conservative\n-set compress=none, or else the policies of the scenario. Each column is compared with the baseline. The baseline is\nthe policy that the scenario marks, or the first policy if it marks none.",
		Args: noArgs,
		RunE: runE(func([]string) error { return compareAll(e, s, differs, spreads) }),
	}
	c.Flags().SortFlags = false
	s.addFlags(e, c.Flags())
	s.metricFlags(c.Flags())
	c.Flags().BoolVar(&differs, "difference", false, "also print which jobs start earlier or later than under the baseline, and by how much, with totals by class")
	c.Flags().BoolVar(&spreads, "distribution", false, "also print the distributions of wait and bounded slowdown, by size and by estimate")
	secondsFlag(c.Flags(), e)
	quietFlag(c.Flags(), e)
	return c
}

// compareAll runs every policy and prints the tables.
func compareAll(e *env, s *source, differs, spreads bool) error {
	setup, err := e.load(s)
	if err != nil {
		return err
	}
	clock := e.clock(setup.Work.Jobs, setup.Calendar())
	var all []*result
	for i := range setup.Scenario.Policies {
		x := &result{fair: s.fair}
		if err := x.compute(e, setup, i, log.Decisions, clock); err != nil {
			return withFile(s.in, err)
		}
		all = append(all, x)
	}
	fmt.Fprintln(e.out, describeSetup(setup))
	writeColumns(e.out, metricTable(all))
	fmt.Fprint(e.out, s.fair.sentence()+excludedLine(setup.Scenario.MetricOptions()))
	if differs {
		writeDifferences(e.out, setup, all)
	}
	if spreads {
		writeDistributions(e.out, setup, all)
	}
	return nil
}

// metricTable returns a row of headings, and one row for each metric that applies to at least one
// result. Each value is compared with the value under the baseline.
func metricTable(all []*result) [][]string {
	head, base := []string{"", ""}, all[0].setup.Scenario.Baseline()
	for _, x := range all {
		head = append(head, x.title(), baselineMark(x))
	}
	rows := [][]string{head}
	for k := range all[0].values {
		v := all[0].values[k]
		row, applies := []string{v.Metric.Title, v.Metric.ShownUnit(all[0].clock)}, false
		for _, x := range all {
			cell := "-"
			if x.values[k].Applies {
				cell, applies = v.Metric.Text(x.values[k].Number, all[0].clock), true
			}
			row = append(row, cell, comparisonText(all[base].values[k], x.values[k]))
		}
		if applies {
			rows = append(rows, row)
		}
	}
	return rows
}

// baselineMark returns "(baseline)" if the scenario marks the policy as the baseline, and ""
// otherwise.
func baselineMark(x *result) string {
	if x.setup.Scenario.Policies[x.policy].Baseline {
		return "(baseline)"
	}
	return ""
}

// writeColumns writes rows with aligned columns. It aligns the third, fifth, seventh column and so
// on to the right, and the other columns to the left.
func writeColumns(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i >= 2 && i%2 == 0 {
				line += pad + cell + " "
			} else {
				line += cell + pad + "  "
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}
