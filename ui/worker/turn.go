package worker

import (
	"fmt"

	"backfill-lab/core/explain"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// sliced reports whether the log uses time slices. It avoids building a
// chart for the many runs that do not.
func sliced(l *log.Log) bool {
	for r := range l.All() {
		if r.Kind == log.Slice {
			return true
		}
	}
	return false
}

// turn describes the time slice and the virtual clocks at the given time. It is empty
// without time slicing.
func (r *result) turn(at job.Time, clock format.Clock) string {
	if r.counts == nil {
		return ""
	}
	text := "No time slice"
	if x, ok := r.gantt().SliceAt(at); ok {
		text = "Time slice for " + log.ViewName(x.View) + " jobs until " + clock.Instant(x.To) + clock.Suffix()
		if at < x.On {
			text += ", overhead until " + clock.Instant(x.On) + clock.Suffix()
		}
	}
	text += "; virtual clocks:"
	for i, t := range r.gantt().Clocks(at) {
		if i > 0 {
			text += ","
		}
		text += " " + log.ViewName(uint8(i+1)) + " " + clock.Duration(t)
	}
	return text + "."
}

// state describes the time slice and the use of extra resources at the given time.
func (r *result) state(at job.Time, clock format.Clock) string {
	text, comma := r.turn(at, clock), ""
	if text != "" && r.log.Machine.Resources != nil {
		comma = " "
	}
	for k, x := range r.log.Machine.Resources {
		text += comma
		for _, s := range r.gantt().Use(k, at, at+1, 1) {
			text += fmt.Sprintf("%s %.0f of %d", x.Name, s.Busy, x.Capacity)
		}
		comma = ", "
	}
	return text
}

// piece describes which piece of a preempted job is running, or ran last, at the given
// time.
func (r *result) piece(j job.Index, at job.Time, now explain.State) string {
	begun := 0
	for _, s := range r.gantt().JobSpans(j) {
		if s.From <= at {
			begun++
		}
	}
	switch {
	case now == explain.Suspended:
		return fmt.Sprintf(", after piece %d", begun)
	case begun < 2:
		return ""
	case now == explain.Done:
		return fmt.Sprintf(", in %d pieces", begun)
	}
	return fmt.Sprintf(", piece %d", begun)
}

// slicing describes in a sentence how many time slices each type had and how many jobs were
// preempted.
func (r *result) slicing() string {
	if r.counts == nil {
		return ""
	}
	text, comma := " Time slices:", ""
	for i, n := range r.counts {
		text += fmt.Sprintf("%s %d %s", comma, n, log.ViewName(uint8(i+1)))
		comma = ","
	}
	jobs, pieces := 0, 0
	for j := range r.log.Jobs {
		if n := r.gantt().SpanCount(job.Index(j)); n > 1 {
			jobs, pieces = jobs+1, pieces+n
		}
	}
	are := "are"
	if jobs == 1 {
		are = "is"
	}
	return text + fmt.Sprintf("; %s %s preempted, into %d pieces.", format.Count(jobs, "job"), are, pieces)
}

// speed returns the relative speed of a finished job in percent: its runtime alone on its
// nodes, divided by the time it ran. For a moldable job the estimate at its size stands for
// the runtime alone.
func (r *result) speed(j job.Index) int64 {
	alone, took := r.log.Jobs[j].Runtime, r.gantt().TotalRuntime(j)
	if r.log.Jobs[j].Speedup() != nil {
		alone = r.log.Estimate(j)
	}
	if took == 0 || r.log.Machine.PerNode() == 1 {
		return 100
	}
	return int64(100*float64(alone)/float64(took) + 0.5)
}
