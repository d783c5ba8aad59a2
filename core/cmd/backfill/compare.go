package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"backfill-lab/core/format"
	"backfill-lab/core/log"
)

func compareCommand(e *env) *cobra.Command {
	s := &source{runsAll: true}
	var differs, spreads bool
	c := &cobra.Command{
		Use: "compare", Short: "run several policies on one workload and print their metrics side by side",
		Long: "Run several policies on one workload: those of the flags, such as -policy easy -policy conservative\n-set compress=none, or those of the scenario. Each column is compared with the first.",
		Args: noArgs,
		RunE: runE(func([]string) error { return compareAll(e, s, differs, spreads) }),
	}
	c.Flags().SortFlags = false
	s.addFlags(c.Flags())
	s.metricFlags(c.Flags())
	c.Flags().BoolVar(&differs, "difference", false, "also print which jobs start earlier or later than under the first policy, and by how much, with totals by class")
	c.Flags().BoolVar(&spreads, "distribution", false, "also print the distributions of wait and bounded slowdown, by size and by estimate")
	secondsFlag(c.Flags(), e)
	quietFlag(c.Flags(), e)
	return c
}

// compareAll runs every policy and prints the tables.
func compareAll(e *env, s *source, differs, spreads bool) error {
	up, err := e.load(s)
	if err != nil {
		return err
	}
	clock := e.clock(up.Work.Jobs, up.Calendar())
	var all []*result
	for i := range up.Scenario.Policies {
		x := &result{fair: s.fair}
		if err := x.compute(e, up, i, log.Decisions, clock); err != nil {
			return withFile(s.in, err)
		}
		all = append(all, x)
	}
	fmt.Fprintln(e.out, describeSetup(up))
	writeColumns(e.out, metricTable(all))
	fmt.Fprint(e.out, s.fair.sentence()+excludedLine(up.Scenario.Metrics()))
	if differs {
		writeDifferences(e.out, up, all)
	}
	if spreads {
		writeDistributions(e.out, up, all)
	}
	return nil
}

// metricTable returns one row for each metric that applies to at least one result.
func metricTable(all []*result) [][]string {
	head := []string{"", ""}
	for _, x := range all {
		head = append(head, x.title(), "")
	}
	rows := [][]string{head}
	for k := range all[0].values {
		v := all[0].values[k]
		unit, text := all[0].clock.Unit(v.Metric.Unit), format.Number
		if unit != v.Metric.Unit {
			text = all[0].clock.Mean
		}
		row, any := []string{v.Metric.Title, unit}, false
		for _, x := range all {
			cell := "-"
			if x.values[k].Applies {
				cell, any = text(x.values[k].Number), true
			}
			row = append(row, cell, comparison(v, x.values[k]))
		}
		if any {
			rows = append(rows, row)
		}
	}
	return rows
}

// writeColumns writes rows with aligned columns. The third, fifth, seventh column and so on are
// right-aligned, all others left-aligned.
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
