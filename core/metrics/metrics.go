// Package metrics computes numbers about a schedule, all from one table that
// holds name, formula and paper of each. It is not a judge: which schedule is
// better depends on the metric, and validity is the business of the checker in
// package schedule. It never sees the engine.
package metrics

import (
	"fmt"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// Options are the parameters of the metrics.
type Options struct {
	Tau       job.Time // runtimes below count as this in bounded slowdown and relative response
	HighLoad  int      // waiting jobs from which load is high (N_H)
	Warmup    float64  // percent of the jobs, by submission, left out at the start
	Cooldown  float64  // and at the end
	ShortMax  job.Time // largest estimate of a short job
	MediumMax job.Time // and of a medium one
}

// Default is the options of the papers.
var Default = Options{Tau: 10, HighLoad: 12, ShortMax: 600, MediumMax: 10800}

// Validate reports the first option that makes no sense.
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

// Counted returns which of n jobs, in the order of submission, count: those from first
// to before last.
func (o Options) Counted(n int) (first, last int) {
	return int(float64(n) * o.Warmup / 100), n - int(float64(n)*o.Cooldown/100)
}

// LeftOut says which jobs do not count, as in "Left out of the metrics: the first
// 10 % and the last 5 % of the jobs."; nothing where all do.
func (o Options) LeftOut() string {
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
	return "Left out of the metrics: " + strings.Join(parts, " and ") + " of the jobs."
}

// Metric is an entry of the table.
type Metric struct {
	Name    string // kebab-case, stable
	Title   string
	Unit    string // "" for a plain number
	Formula string
	Paper   string // where the definition is from
	Better  int    // -1 lower, +1 higher, 0 neither
	of      func(d *data) (float64, bool)
}

// Value is a metric of one schedule.
type Value struct {
	Metric *Metric
	V      float64
	OK     bool // false: the metric does not apply
}

// Compute computes the whole table, and after it, on nodes of several cores, what
// is said of nodes, and the utilization of each extra resource of the machine. Metrics of jobs count the finished jobs
// between warm-up and cool-down; metrics of the machine count all jobs from the
// first submission to the last finish among those. It takes O(n log n).
func Compute(s *schedule.Schedule, m cluster.Machine, o Options) []Value {
	d := gather(s, m, o)
	values := d.values(Table)
	if m.PerNode() > 1 {
		values = append(values, d.values(ByNode)...)
	}
	return append(values, d.resources(s.Rows)...)
}

func (d *data) values(table []Metric) []Value {
	values := make([]Value, len(table))
	for i := range table {
		t := &table[i]
		v, ok := t.of(d)
		values[i] = Value{t, v, ok}
	}
	return values
}

// Find returns the value with a name; its Metric is nil if there is none.
func Find(values []Value, name string) Value {
	for _, v := range values {
		if v.Metric.Name == name {
			return v
		}
	}
	return Value{}
}

// Better compares v with the same metric of a first schedule: the change in
// percent of the first value, positive where v is better. It reports false
// where nothing can be said: for a metric in which neither direction is better,
// for one that does not apply, and for a first value of 0 unless v is equal.
func Better(first, v Value) (percent float64, ok bool) {
	switch {
	case !first.OK || !v.OK || first.Metric.Name != v.Metric.Name || v.Metric.Better == 0:
		return 0, false
	case first.V == v.V:
		return 0, true
	case first.V == 0:
		return 0, false
	}
	return float64(100*(v.V-first.V)) / first.V * float64(v.Metric.Better), true
}

// data is what the entries of the table are computed from.
type data struct {
	o          Options
	m          cluster.Machine
	jobs       []*schedule.Row // counted ones, in submit order
	unfinished int             // among those that would count
	waits      []job.Time      // of jobs, ascending
	from, to   job.Time        // first submission and last finish of jobs
	load       load
	fair       [classes]fairness
	looked     int64 // profile steps, of the whole run
	groups     int   // of jobs that share nodes, of the whole run
	members    int   // jobs in them
}

func gather(s *schedule.Schedule, m cluster.Machine, o Options) *data {
	d := &data{o: o, m: m, looked: s.ProfileSteps, groups: s.Groups, members: s.Members}
	rows := inOrder(s)
	first, last := o.Counted(len(rows))
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
	d.load = measure(rows, d)
	d.fair = fairnessOf(d.jobs, o)
	return d
}

// some returns v where any job counts.
func (d *data) some(v float64) (float64, bool) { return v, len(d.jobs) > 0 }

func (d *data) makespan() job.Time { return d.to - d.from }

// area returns the processor-seconds that the machine offers in a length of time.
func (d *data) area(length job.Time) float64 {
	return float64(d.m.Slots()) * float64(length)
}

// offered returns that of the makespan, without what blocks take.
func (d *data) offered() float64 {
	return d.area(d.makespan()) - d.m.OutageSeconds(d.from, d.to)
}
