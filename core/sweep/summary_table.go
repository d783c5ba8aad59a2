package sweep

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/stats"
)

// SummaryColumns lists the columns of the table of summaries. The difference is relative to the
// mean of the baseline. Low and high are the bounds of 95 % confidence intervals.
var SummaryColumns = []string{"workload", "load", "metric", "unit", "policy", "knobs", "title", "baseline",
	"runs", "mean", "low", "high", "pairs", "difference", "difference-low", "difference-high"}

// WriteSummary writes the summaries of all metrics as CSV, with one row for each workload, load,
// metric and policy. It calls valuesOf for the results of a run. A cell is empty if its value is
// unknown or does not apply.
func (d *Definition) WriteSummary(w io.Writer, valuesOf func(group, policy int) Values) error {
	if _, err := io.WriteString(w, d.MetaLines(Shard{}, d.Hash())); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if err := out.Write(SummaryColumns); err != nil {
		return err
	}
	for _, s := range d.Summarize(valuesOf) {
		for i := range s.Rows {
			if err := out.Write(d.summaryRow(&s, i)); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// summaryRow returns the row about a policy in the table of summaries.
func (d *Definition) summaryRow(s *Summary, policy int) []string {
	p, r, baseline := &d.Policies[policy], &s.Rows[policy], "0"
	if policy == s.Baseline {
		baseline = "1"
	}
	settings := strings.TrimPrefix(strings.TrimPrefix(p.String(), p.Name), " ")
	row := []string{d.Workloads[s.Group.Workload].Name, Number(s.Group.Load), s.Metric.Name, s.Metric.Unit, p.Name, settings, r.Title, baseline}
	row = append(row, intervalCells(r.Mean)...)
	return append(row, intervalCells(r.Against)...)
}

// intervalCells returns four cells about an interval: the number of values, the estimate and the
// two bounds. A cell is empty if its number is unknown.
func intervalCells(i stats.Interval) []string {
	cells := []string{strconv.Itoa(i.N)}
	for _, x := range []float64{i.Mean, i.Low, i.High} {
		if i.N == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
			cells = append(cells, "")
		} else {
			cells = append(cells, Number(x))
		}
	}
	return cells
}
