// Package metrics computes metrics of a schedule, such as mean wait and utilization. Table and
// NodeTable list the metrics with their names, formulas and sources; Named also finds the
// utilization of each extra resource. The package works for any schedule, including schedules that
// this program did not produce. Package schedule checks schedules.
package metrics

import (
	"fmt"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// Options holds the parameters of the metrics.
type Options struct {
	Tau       job.Time // minimum runtime in bounded slowdown and relative response; shorter runtimes count as Tau
	HighLoad  int      // minimum number of waiting jobs in a phase of high load (N_H)
	Warmup    float64  // percentage of the jobs excluded at the start, in order of submission
	Cooldown  float64  // percentage of the jobs excluded at the end
	ShortMax  job.Time // maximum estimate of a short job
	MediumMax job.Time // maximum estimate of a medium job
}

// Default holds the options that the papers use.
var Default = Options{Tau: 10, HighLoad: 12, ShortMax: 600, MediumMax: 10800}

// Validate returns an error for the first option that is out of range. ShortMax and MediumMax may
// have any value.
func (o Options) Validate() error {
	switch {
	case o.Tau < 1:
		return fmt.Errorf("tau: expected at least 1 s, got %d", o.Tau)
	case o.HighLoad < 1:
		return fmt.Errorf("high load: expected at least 1 waiting job, got %d", o.HighLoad)
	case !(o.Warmup >= 0 && o.Cooldown >= 0 && o.Warmup+o.Cooldown < 100):
		return fmt.Errorf("warm-up and cool-down: expected 0 %% or more and together less than 100 %%, got %g %% and %g %%", o.Warmup, o.Cooldown)
	}
	return nil
}

// CountedRange returns which of n jobs the metrics count. In order of submission, these are the
// jobs with the indexes from first to last-1.
func (o Options) CountedRange(n int) (first, last int) {
	return int(float64(n) * o.Warmup / 100), n - int(float64(n)*o.Cooldown/100)
}

// ExcludedText returns a sentence about the excluded jobs, such as "Excluded from the metrics: the
// first 10 % and the last 5 % of the jobs." It returns "" if all jobs count.
func (o Options) ExcludedText() string {
	var parts []string
	if o.Warmup != 0 {
		parts = append(parts, fmt.Sprintf("the first %g %%", o.Warmup))
	}
	if o.Cooldown != 0 {
		parts = append(parts, fmt.Sprintf("the last %g %%", o.Cooldown))
	}
	if parts == nil {
		return ""
	}
	return "Excluded from the metrics: " + strings.Join(parts, " and ") + " of the jobs."
}

// Metric describes a metric and how to compute it.
type Metric struct {
	Name    string                          // kebab-case; must never change, because files and scripts use it
	Title   string                          // name for users, such as "Mean wait"
	Unit    string                          // "" for a plain number
	Words   string                          // meaning in one or two sentences, for readers who do not want the formula
	Formula string                          // definition for readers, such as "sum(start - submit) / n"
	Paper   string                          // source of the definition
	Better  int                             // 1 if higher is better, -1 if lower is better, 0 if neither
	compute func(d *inputs) (float64, bool) // reports false if the metric does not apply
}

// Explanation returns the meaning of the metric in words, then its formula and source.
func (m *Metric) Explanation() string { return m.Words + " " + m.Formula + " (" + m.Paper + ")" }

// Value is the value of a metric for one schedule.
type Value struct {
	Metric  *Metric
	Number  float64 // the value; meaningless if Applies is false
	Applies bool    // false if the metric does not apply
	Place   *Place  // where the maximum occurs; nil if the metric is not a maximum, see place
}

// Place says where a maximum occurs. Job is the ID of the job with the maximum, or "" if the metric
// is not about single jobs. At is the time of the maximum.
type Place struct {
	Job string
	At  job.Time
}

// Compute returns all metrics of a schedule: the entries of Table, the entries of NodeTable on
// multi-core nodes, and the utilization of each extra resource. Metrics of jobs count the finished
// jobs between warm-up and cool-down. Metrics of the machine count every job, from the first
// submission to the last finish of a counted job. The numbers of groups, of jobs per group, and of
// plan steps that the policy examined (profile-events) cover the whole run. The cost is O(n log n).
func Compute(s *schedule.Schedule, m cluster.Machine, o Options) []Value {
	d := newInputs(s, m, o)
	values := d.values(Table)
	if m.SlotsPerNode() > 1 {
		values = append(values, d.values(NodeTable)...)
	}
	return append(values, d.resourceUtilization(s.Rows)...)
}

// values computes each metric in a table.
func (d *inputs) values(table []Metric) []Value {
	values := make([]Value, len(table))
	for i := range table {
		t := &table[i]
		v, ok := t.compute(d)
		values[i] = Value{Metric: t, Number: v, Applies: ok, Place: d.place(t.Name)}
	}
	return values
}

// place returns the job and the time at which a metric reaches its maximum. Among equal waits, it
// selects the job that was submitted first. Among equal queue lengths, it selects the first time.
// It returns nil if the metric is not a maximum, if no job counts, or if the longest queue is 0.
func (d *inputs) place(name string) *Place {
	switch {
	case len(d.jobs) == 0:
	case name == "max-wait":
		longest := d.jobs[0]
		for _, r := range d.jobs {
			if r.Wait() > longest.Wait() {
				longest = r
			}
		}
		return &Place{longest.ID, longest.Start}
	case name == "max-queue-length" && d.load.maxQueue > 0:
		return &Place{At: d.load.maxQueueAt}
	}
	return nil
}

// Find returns the value of the metric with the given name. It returns a Value without a Metric if
// there is none.
func Find(values []Value, name string) Value {
	for _, v := range values {
		if v.Metric.Name == name {
			return v
		}
	}
	return Value{}
}

// Improvement returns the percentage by which v is better than baseline, the value of the same
// metric for another schedule. The result is negative if v is worse. It reports false if the metric
// does not apply, if neither higher nor lower values are better, or if baseline is 0 and v is not.
func Improvement(baseline, v Value) (percent float64, ok bool) {
	switch {
	case !baseline.Applies || !v.Applies || baseline.Metric.Name != v.Metric.Name || v.Metric.Better == 0:
		return 0, false
	case baseline.Number == v.Number:
		return 0, true
	case baseline.Number == 0:
		return 0, false
	}
	return float64(100*(v.Number-baseline.Number)) / baseline.Number * float64(v.Metric.Better), true
}

// inputs holds the values from which the metrics are computed.
type inputs struct {
	o            Options
	m            cluster.Machine
	jobs         []*schedule.Row   // counted jobs, in order of submission
	unfinished   int               // number of jobs between warm-up and cool-down that never finish
	waits        []job.Time        // waits of the counted jobs, ascending
	from, to     job.Time          // first submission and last finish of the counted jobs
	load         load              // sums over time, such as the processor-seconds in use
	fair         [classes]fairness // of all jobs, and of each class, see fairnessByClass
	profileSteps int64             // profile steps examined in the whole run
	groups       int               // groups of jobs that share nodes, in the whole run
	members      int               // jobs in these groups
}

// newInputs selects the jobs that count and computes the inputs of the metrics. If no job counts, the
// inputs that depend on counted jobs stay zero.
func newInputs(s *schedule.Schedule, m cluster.Machine, o Options) *inputs {
	d := &inputs{o: o, m: m, profileSteps: s.ProfileSteps, groups: s.Groups, members: s.Members}
	rows := sortedBySubmit(s)
	first, last := o.CountedRange(len(rows))
	for i := first; i < last; i++ {
		if r := &rows[i]; r.Finished() {
			d.jobs = append(d.jobs, r)
		} else {
			d.unfinished++
		}
	}
	if len(d.jobs) == 0 {
		return d
	}
	d.waits = sortedWaits(d.jobs)
	d.from, d.to = d.jobs[0].Submit, d.jobs[0].Finish
	for _, r := range d.jobs {
		d.to = max(d.to, r.Finish)
	}
	d.load = measureLoad(rows, d)
	d.fair = fairnessByClass(d.jobs, o)
	return d
}

// ifAnyJob returns v, and reports whether at least one job counts.
func (d *inputs) ifAnyJob(v float64) (float64, bool) { return v, len(d.jobs) > 0 }

// makespan returns the seconds from the first submission to the last finish of the counted jobs.
func (d *inputs) makespan() job.Time { return d.to - d.from }

// capacitySeconds returns the processor-seconds that all processors of the machine together provide
// in the given number of seconds. It ignores outages.
func (d *inputs) capacitySeconds(duration job.Time) float64 {
	return float64(d.m.Slots()) * float64(duration)
}

// offeredSeconds returns the processor-seconds that the machine offers during the makespan. It
// subtracts outages.
func (d *inputs) offeredSeconds() float64 {
	return d.capacitySeconds(d.makespan()) - d.m.OutageSeconds(d.from, d.to)
}

// resourcePrefix begins the name of the metric of an extra resource. The name of the resource
// follows.
const resourcePrefix = "utilization-of-"

// Named returns the metric with the given name, which is either listed in a table or the
// utilization of an extra resource. It returns nil if there is none.
func Named(name string) *Metric {
	for _, table := range [][]Metric{Table, NodeTable} {
		for i := range table {
			if table[i].Name == name {
				return &table[i]
			}
		}
	}
	resource, ok := strings.CutPrefix(name, resourcePrefix)
	if !ok {
		return nil
	}
	return &Metric{Name: name, Title: "Utilization of " + resource, Words: "Share of the resource that is in use, on average.",
		Formula: "amount times seconds in use in [from,to) / (capacity times makespan)", Paper: leinberger, Better: 1}
}

// resourceUtilization returns the utilization of each extra resource of the machine.
func (d *inputs) resourceUtilization(rows []schedule.Row) (values []Value) {
	for k, r := range d.m.Resources {
		value := Value{Metric: Named(resourcePrefix + r.Name)}
		if len(d.jobs) > 0 {
			value.Number, value.Applies = share(d.resourceSeconds(rows, k), float64(float64(r.Capacity)*float64(d.makespan())))
		}
		values = append(values, value)
	}
	return values
}

// resourceSeconds returns the amount of extra resource k in use, integrated over
// [d.from,d.to).
func (d *inputs) resourceSeconds(rows []schedule.Row, k int) (sum float64) {
	for i := range rows {
		for _, g := range rows[i].Segments {
			if from, to := max(g.From, d.from), min(g.To, d.to); from < to {
				sum += float64(float64(rows[i].ExtraOf(k)) * float64(to-from))
			}
		}
	}
	return sum
}
