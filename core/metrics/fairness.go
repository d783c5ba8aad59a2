package metrics

import (
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// class is a type of jobs by their estimates (Jin 2009; Zeng 2009).
type class int

const (
	anyClass class = iota
	short
	medium
	long
	classes
)

var classNames = [classes]string{"", "short", "medium", "long"}

// Types is the types of jobs, from the shortest.
var Types = classNames[short:]

// Type returns the type of jobs with an estimate.
func (o Options) Type(estimate job.Time) string { return classNames[o.class(estimate)] }

func (o Options) class(estimate job.Time) class {
	switch {
	case estimate <= o.ShortMax:
		return short
	case estimate <= o.MediumMax:
		return medium
	}
	return long
}

// fairness is how far from their fair starts jobs started.
type fairness struct {
	jobs        float64 // with a fair start
	late, early struct{ jobs, sum float64 }
}

// fairnessOf returns the fairness of each class of jobs, and of all.
func fairnessOf(jobs []*schedule.Row, o Options) (all [classes]fairness) {
	for _, r := range jobs {
		if r.Fair != job.Never {
			late := float64(r.Start - r.Fair)
			all[anyClass].count(late)
			all[o.class(r.Estimate)].count(late)
		}
	}
	return all
}

func (f *fairness) count(late float64) {
	f.jobs++
	switch {
	case late > 0:
		f.late.jobs++
		f.late.sum += late
	case late < 0:
		f.early.jobs++
		f.early.sum -= late
	}
}

// lateness is the metrics of late and early jobs, of a class or of all.
var lateness = []struct {
	name, title, unit, formula string
	better                     int
	of                         func(f *fairness) (float64, bool)
}{
	{"late-jobs", "Late jobs", "jobs", "jobs that started after their fair starts", -1,
		func(f *fairness) (float64, bool) { return f.late.jobs, f.jobs > 0 }},
	{"late-mean", "Mean delay of late jobs", seconds, "sum(max(start - fair start, 0)) / late jobs", -1,
		func(f *fairness) (float64, bool) { return ratio(f.late.sum, f.late.jobs) }},
	{"early-jobs", "Early jobs", "jobs", "jobs that started before their fair starts", 0,
		func(f *fairness) (float64, bool) { return f.early.jobs, f.jobs > 0 }},
	{"early-mean", "Mean advance of early jobs", seconds, "sum(max(fair start - start, 0)) / early jobs", 0,
		func(f *fairness) (float64, bool) { return ratio(f.early.sum, f.early.jobs) }},
}

// withLateness appends the metrics of late and early jobs: of all, and of each
// class. Those of a class apply only where there are other jobs, too.
func withLateness(table []Metric) []Metric {
	for c, name := range classNames {
		for _, l := range lateness {
			m := Metric{l.name, l.title, l.unit, l.formula, jin, l.better, nil}
			if name != "" {
				m.Name, m.Title = l.name+"-"+name, strings.Replace(l.title, "jobs", name+" jobs", 1)
				m.Formula = "as " + l.name + ", of " + name + " jobs, where there are others"
			}
			m.of = func(d *data) (float64, bool) {
				v, ok := l.of(&d.fair[c])
				return v, ok && (c == 0 || d.fair[c].jobs < d.fair[anyClass].jobs)
			}
			table = append(table, m)
		}
	}
	return table
}
