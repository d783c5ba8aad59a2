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
	s := &source{several: true}
	var differs, spreads bool
	c := &cobra.Command{
		Use: "compare", Short: "run several policies on one workload and print their metrics side by side",
		Long: "Run several policies on one workload: -policy easy -policy conservative -set compress=none,\nor those of a scenario. The other columns are compared with the first.",
		Args: none,
		RunE: does(func([]string) error { return compareAll(e, s, differs, spreads) }),
	}
	c.Flags().SortFlags = false
	s.flags(c.Flags())
	s.metricFlags(c.Flags())
	c.Flags().BoolVar(&differs, "difference", false, "also who starts earlier and who later than under the first policy, by how much, and by class")
	c.Flags().BoolVar(&spreads, "distribution", false, "also how wait and bounded slowdown are spread, by size and by estimate")
	quietFlag(c.Flags(), e)
	return c
}

func compareAll(e *env, s *source, differs, spreads bool) error {
	up, err := e.load(s)
	if err != nil {
		return err
	}
	var all []*result
	for i := range up.Scenario.Policies {
		x := &result{fair: s.fair}
		if err := x.make(e, up, i, log.Decisions); err != nil {
			return placed(s.in, err)
		}
		all = append(all, x)
	}
	fmt.Fprintln(e.out, described(up))
	columns(e.out, table(all))
	fmt.Fprint(e.out, s.fair.words()+leftOut(up.Scenario.Metrics()))
	if differs {
		differ(e.out, up, all)
	}
	if spreads {
		spread(e.out, up, all)
	}
	return nil
}

// table returns the metrics that apply to any of the results, one row each.
func table(all []*result) [][]string {
	head := []string{"", ""}
	for _, x := range all {
		head = append(head, x.title(), "")
	}
	rows := [][]string{head}
	for k := range all[0].values {
		v := all[0].values[k]
		row, any := []string{v.Metric.Title, v.Metric.Unit}, false
		for _, x := range all {
			text := "-"
			if x.values[k].OK {
				text, any = number(x.values[k].V), true
			}
			row = append(row, text, compared(v, x.values[k]))
		}
		if any {
			rows = append(rows, row)
		}
	}
	return rows
}

// columns prints rows of cells: the first, second and then every other column
// flush left, the numbers between them flush right.
func columns(w io.Writer, rows [][]string) {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", wide[i]-utf8.RuneCountInString(cell))
			if i >= 2 && i%2 == 0 {
				line += pad + cell + " "
			} else {
				line += cell + pad + "  "
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}
