package sweep

import (
	"fmt"
	"math"
	"strings"

	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
	"backfill-lab/core/stats"
)

// Summary compares the policies by one metric on one workload at one load, over all seeds.
type Summary struct {
	Where    string // the workload, and the load if the sweep has several
	Group    Group  // the workload and the load; its seed is the first one
	Metric   *metrics.Metric
	Rows     []SummaryRow // by policy
	Baseline int
	Warnings []string
}

// SummaryRow is the result of a policy.
type SummaryRow struct {
	Title string
	Mean  stats.Interval
	// Against compares with the baseline: the difference as a part of the baseline's mean. N is 0
	// for the baseline itself, and if there are no common seeds.
	Against stats.Interval
}

// Summarize returns the summaries of all metrics, in the order of workloads, loads and metrics.
// Values returns the results of a run, or nil if it has not been made yet.
func (d *Definition) Summarize(values func(group, policy int) Values) (out []Summary) {
	groups := d.Groups()
	for first := 0; first < groups; {
		g := d.Group(first)
		n := max(1, len(d.SeedsOf(g.Workload)))
		for _, m := range d.Metrics {
			out = append(out, d.summarize(g, first, n, m, values))
		}
		first += n
	}
	return out
}

// summarize compares the policies by a metric over n groups, which differ in their seeds only.
func (d *Definition) summarize(g Group, first, n int, metric string, values func(group, policy int) Values) Summary {
	out := Summary{Where: d.where(g), Group: g, Metric: metrics.Named(metric), Baseline: d.Baseline()}
	value := func(seed, policy int) (float64, bool) {
		x, ok := values(first+seed, policy)[metric]
		return x, ok
	}
	for p, title := range (&scenario.Scenario{Policies: d.scenarioPolicies()}).Titles() {
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
			row.Against = stats.Relative(paired, base)
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

// where names the workload and the load of a group.
func (d *Definition) where(g Group) string {
	name, _, _ := strings.Cut(d.Describe(g), ", seed ")
	return name
}

// AgainstText words the comparison with the baseline: "~" if the interval contains no difference,
// "" if there is none.
func (r *SummaryRow) AgainstText() string {
	a := r.Against
	switch {
	case a.N == 0 || math.IsNaN(a.Mean):
		return ""
	case a.N == 1:
		return fmt.Sprintf("%+.1f %%", 100*a.Mean)
	case a.Contains(0):
		return "~"
	}
	return fmt.Sprintf("%+.1f %% ± %.1f", 100*a.Mean, 100*a.Half())
}
