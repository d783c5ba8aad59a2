package sweep

import (
	"math"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/core/stats"
)

// Summary compares the policies by one metric, on one workload at one load, over all seeds.
type Summary struct {
	Where    string // name of the workload, with the load if the sweep has several loads
	Group    Group  // the workload and the load, with the first seed
	Metric   *metrics.Metric
	Rows     []SummaryRow // by policy
	Baseline int          // index of the policy with which the others are compared
	Warnings []string     // sentences that say why the results may be unreliable
}

// SummaryRow holds the results of one policy.
type SummaryRow struct {
	Title string         // title of the policy
	Mean  stats.Interval // mean over the seeds, with its confidence interval
	// Against is the difference from the baseline, as a fraction of the baseline's mean. Its N is 0
	// for the baseline itself, and if the policy and the baseline have no seeds in common.
	Against stats.Interval
}

// Summarize returns a summary for each workload, load and metric, in the order of the definition.
// It calls valuesOf for the results of a run, which are nil if the run has not been made yet.
func (d *Definition) Summarize(valuesOf func(group, policy int) Values) (out []Summary) {
	groups := d.Groups()
	for first := 0; first < groups; {
		g := d.Group(first)
		n := max(1, len(d.SeedsOf(g.Workload)))
		for _, m := range d.Metrics {
			out = append(out, d.summarize(g, first, n, m, valuesOf))
		}
		first += n
	}
	return out
}

// summarize compares the policies by a metric over n consecutive groups, which differ only in their
// seeds. The first of these groups is g, and its number is firstNumber.
func (d *Definition) summarize(g Group, firstNumber, n int, metric string, valuesOf func(group, policy int) Values) Summary {
	out := Summary{Where: d.workloadAndLoad(g), Group: g, Metric: metrics.Named(metric), Baseline: d.Baseline()}
	value := func(seed, policy int) (float64, bool) {
		x, ok := valuesOf(firstNumber+seed, policy)[metric]
		return x, ok
	}
	for p, title := range d.Titles() {
		var all, paired, base []float64
		for s := range n {
			x, ok := value(s, p)
			if !ok {
				continue
			}
			all = append(all, x)
			if y, ok := value(s, out.Baseline); ok {
				paired, base = append(paired, x), append(base, y)
			}
		}
		row := SummaryRow{Title: title, Mean: stats.Mean(all)}
		if p != out.Baseline {
			row.Against = stats.RelativeDifference(paired, base)
		} else if d.SeedsOf(g.Workload) != nil && len(all) > 0 {
			out.Warnings = stats.Warnings(all)
		}
		out.Rows = append(out.Rows, row)
	}
	if r := d.Workloads[g.Workload].Scenario.Rules; r.Warmup == 0 && r.Cooldown == 0 {
		out.Warnings = append(out.Warnings, "No jobs are excluded as warm-up or cool-down.")
	}
	return out
}

// workloadAndLoad returns the description of a group without its seed, such as "lublin, load factor
// 1.2".
func (d *Definition) workloadAndLoad(g Group) string {
	name, _, _ := strings.Cut(d.Describe(g), ", seed ")
	return name
}

// AgainstText formats the difference from the baseline with its interval. If the interval includes
// zero, the text begins with "~". AgainstText returns "" if there is no comparison.
func (r *SummaryRow) AgainstText() string {
	a := r.Against
	switch {
	case a.N == 0 || math.IsNaN(a.Mean):
		return ""
	case a.N == 1:
		return format.SignedDecimals(100*a.Mean, 1) + " %"
	}
	text := format.SignedDecimals(100*a.Mean, 1) + " % ± " + format.Decimals(100*a.HalfWidth(), format.VisibleDecimals(100*a.Mean, 1))
	if a.Contains(0) {
		return "~ (" + text + ")"
	}
	return text
}
