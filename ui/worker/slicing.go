package worker

import (
	"fmt"

	"backfill-lab/core/explain"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// hasSlices reports whether the log has time slices.
func hasSlices(l *log.Log) bool {
	for r := range l.All() {
		if r.Kind == log.Slice {
			return true
		}
	}
	return false
}

// sliceText describes the time slice at the given time, and the time spent in each type of slice so far. It
// returns "" for schedules without time slices.
func (r *result) sliceText(at job.Time, clock format.Clock) string {
	if r.sliceCounts == nil {
		return ""
	}
	text := "No time slice"
	if x, ok := r.gantt().SliceAt(at); ok {
		text = fmt.Sprintf("Time slice for %s jobs until %s", log.ViewName(x.View), clock.Instant(x.To)+clock.Suffix())
		if at < x.RunFrom {
			text += fmt.Sprintf("; until %s no job runs (switch overhead)", clock.Instant(x.RunFrom)+clock.Suffix())
		}
	}
	text += "; time in slices so far:"
	for i, t := range r.gantt().SliceClocks(at) {
		if i > 0 {
			text += ","
		}
		text += " " + log.ViewName(uint8(i+1)) + " " + clock.Duration(t)
	}
	return text + "."
}

// stateText describes the time slice and the use of extra resources at the given time. It returns ""
// for schedules with neither.
func (r *result) stateText(at job.Time, clock format.Clock) string {
	text, comma := r.sliceText(at, clock), ""
	if text != "" && r.log.Machine.Resources != nil {
		comma = " "
	}
	for k, x := range r.log.Machine.Resources {
		text += comma
		for _, s := range r.gantt().ResourceSeries(k, at, at+1, 1) {
			text += fmt.Sprintf("%s %.0f of %d", x.Name, s.Busy, x.Capacity)
		}
		comma = ", "
	}
	return text
}

// pieceText says how often a job has been preempted or resumed up to the given time. At this time, the job is in the
// given state. pieceText returns "" for a job that has not been preempted.
func (r *result) pieceText(j job.Index, at job.Time, state explain.State) string {
	begun := 0
	for _, s := range r.gantt().JobSpans(j) {
		if s.From <= at {
			begun++
		}
	}
	switch {
	case state == explain.Suspended:
		return ", preempted " + timesText(begun)
	case begun < 2:
		return ""
	case state == explain.Done:
		return ", preempted " + timesText(begun-1)
	}
	return ", resumed " + timesText(begun-1)
}

// timesText returns "once" if n is 1, otherwise a text such as "3 times".
func timesText(n int) string {
	if n == 1 {
		return "once"
	}
	return format.Count(n, "time")
}

// slicingText says in a sentence how many time slices of each type there were and how many jobs
// were preempted. It returns "" for schedules without time slices.
func (r *result) slicingText() string {
	if r.sliceCounts == nil {
		return ""
	}
	text, comma := " Time slices:", ""
	for i, n := range r.sliceCounts {
		text += comma + " " + format.Whole(n) + " " + log.ViewName(uint8(i+1))
		comma = ","
	}
	jobs, parts := 0, 0
	for j := range r.log.Jobs {
		if n := r.gantt().SpanCount(job.Index(j)); n > 1 {
			jobs, parts = jobs+1, parts+n
		}
	}
	if jobs == 0 {
		return text + "; no job was preempted."
	}
	return text + fmt.Sprintf("; preempted: %s, which ran in %s in total.", format.Count(jobs, "job"), format.Count(parts, "part"))
}

// relativeSpeed returns the relative speed of a finished job in percent. This is the runtime that the job would
// have alone on its nodes, divided by the time that it ran. For a moldable job, the numerator is the estimated
// runtime on the processors that the job got. On nodes with one core, the result is always 100.
func (r *result) relativeSpeed(j job.Index) int64 {
	alone, took := r.log.Jobs[j].Runtime, r.gantt().TotalRuntime(j)
	if r.log.Jobs[j].Speedup() != nil {
		alone = r.log.Estimate(j)
	}
	if took == 0 || r.log.Machine.SlotsPerNode() == 1 {
		return 100
	}
	return int64(100*float64(alone)/float64(took) + 0.5)
}
