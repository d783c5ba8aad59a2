package metrics

import (
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// estimateClass is the type of a job, which depends on its estimate: short, medium or long (Jin
// 2009; Zeng 2009).
type estimateClass int

const (
	anyClass estimateClass = iota
	short
	medium
	long
	classes // number of classes
)

// classNames holds the name of each class. anyClass has none.
var classNames = [classes]string{"", "short", "medium", "long"}

// Types holds the names of the job types, from the shortest to the longest.
var Types = classNames[short:]

// Type returns the name of the type of a job with the given estimate: short, medium or long.
func (o Options) Type(estimate job.Time) string { return classNames[o.class(estimate)] }

// class returns the type of a job with the given estimate.
func (o Options) class(estimate job.Time) estimateClass {
	switch {
	case estimate <= o.ShortMax:
		return short
	case estimate <= o.MediumMax:
		return medium
	}
	return long
}

// fairness adds up how late and how early jobs start, compared with their fair starts. A fair start
// is the time at which a job would have started if no job submitted later could overtake it, see
// package fairstart.
type fairness struct {
	jobs        float64                     // jobs whose fair start is known
	late, early struct{ jobs, sum float64 } // jobs that start after (late) or before (early) their fair starts: their number, and the total difference in seconds
}

// fairnessByClass computes the fairness of each class of jobs. The element at index anyClass covers
// all jobs.
func fairnessByClass(jobs []*schedule.Row, o Options) (all [classes]fairness) {
	for _, r := range jobs {
		if r.Fair != job.Never {
			delay := float64(r.Start - r.Fair)
			all[anyClass].add(delay)
			all[o.class(r.Estimate)].add(delay)
		}
	}
	return all
}

// add counts a job that started the given number of seconds after its fair start. A negative number
// means earlier.
func (f *fairness) add(delay float64) {
	f.jobs++
	switch {
	case delay > 0:
		f.late.jobs++
		f.late.sum += delay
	case delay < 0:
		f.early.jobs++
		f.early.sum -= delay
	}
}

// latenessMetrics lists the metrics of late and early jobs. Each metric exists for all jobs, and
// for each type of jobs.
var latenessMetrics = []struct {
	name, title, unit, words, formula string
	better                            int
	compute                           func(f *fairness) (float64, bool)
}{
	{"late-jobs", "Late jobs", "jobs", "Jobs that start later than their fair start.",
		"jobs that started after their fair starts", -1,
		func(f *fairness) (float64, bool) { return f.late.jobs, f.jobs > 0 }},
	{"late-mean", "Mean delay of late jobs", seconds, "How long after their fair starts the late jobs start, on average.",
		"sum(max(start - fair start, 0)) / late jobs", -1,
		func(f *fairness) (float64, bool) { return ratio(f.late.sum, f.late.jobs) }},
	{"early-jobs", "Early jobs", "jobs", "Jobs that start earlier than their fair start.",
		"jobs that started before their fair starts", 0,
		func(f *fairness) (float64, bool) { return f.early.jobs, f.jobs > 0 }},
	{"early-mean", "Mean advance of early jobs", seconds, "How long before their fair starts the early jobs start, on average.",
		"sum(max(fair start - start, 0)) / early jobs", 0,
		func(f *fairness) (float64, bool) { return ratio(f.early.sum, f.early.jobs) }},
}

// appendLatenessMetrics appends the metrics of late and early jobs, for all jobs and for each type.
// A metric of one type applies only if there are also jobs of other types, because it would
// otherwise repeat the metric of all jobs.
func appendLatenessMetrics(table []Metric) []Metric {
	for c, name := range classNames {
		for _, l := range latenessMetrics {
			m := Metric{l.name, l.title, l.unit, l.words, l.formula, jin, l.better, nil}
			if name != "" {
				m.Name, m.Title = l.name+"-"+name, strings.Replace(l.title, "jobs", name+" jobs", 1)
				m.Words = l.words + " Only " + name + " jobs count."
				m.Formula = "like " + l.name + ", for " + name + " jobs only; not computed if all jobs are " + name
			}
			m.compute = func(d *inputs) (float64, bool) {
				v, ok := l.compute(&d.fair[c])
				return v, ok && (c == 0 || d.fair[c].jobs < d.fair[anyClass].jobs)
			}
			table = append(table, m)
		}
	}
	return table
}
