package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"backfill-lab/core/metrics"
	"backfill-lab/core/sweep"
	"backfill-lab/core/version"
)

// summaryUsage describes the flag -summary of the commands sweep and collect.
const summaryUsage = "write the means with their intervals, compared with the baseline, to `FILE`, as CSV, or as Parquet if it ends in .parquet"

// These are the column types of other tables that this command writes.
var (
	summaryTypes = columnTypes{"workload": textColumn, "metric": textColumn, "unit": textColumn, "policy": textColumn, "knobs": textColumn,
		"title": textColumn, "baseline": wholeColumn, "runs": wholeColumn, "pairs": wholeColumn, "": decimalColumn}
	metricTypes = columnTypes{"value": decimalColumn}
)

// addSummary adds the summary of a sweep to the outputs. It does nothing if name is empty.
func (o *outputs) addSummary(name string, d *sweep.Definition, values func(group, policy int) sweep.Values) {
	o.addTable(name, summaryTypes, func(w io.Writer) error { return d.WriteSummary(w, values) })
}

// addMetrics adds the metrics of a result to the outputs. They are a table if the name ends in .csv
// or .parquet, and JSON otherwise.
func (o *outputs) addMetrics(name string, x *result) {
	if isParquet(name) || strings.EqualFold(filepath.Ext(name), ".csv") {
		o.addTable(name, metricTypes, x.writeMetricsTable)
		return
	}
	o.add(name, func(w io.Writer) error { return metrics.WriteJSON(w, x.values, x.options(), x.meta()) })
}

// writeMetricsTable writes the metrics as CSV, one per line. The value is empty if a metric does
// not apply.
func (x *result) writeMetricsTable(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "# program: backfill-lab %s\n", version.Program); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	rows := [][]string{{"metric", "title", "unit", "value"}}
	for _, v := range x.values {
		number := ""
		if v.Applies {
			number = strconv.FormatFloat(v.Number, 'g', -1, 64)
		}
		rows = append(rows, []string{v.Metric.Name, v.Metric.Title, v.Metric.Unit, number})
	}
	return out.WriteAll(rows)
}
