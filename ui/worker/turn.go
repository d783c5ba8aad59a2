package worker

import (
	"fmt"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// sliced reports whether jobs share the machine of a log by time slices. Most do
// not, and then no chart is made before it is asked for.
func sliced(l *log.Log) bool {
	for r := range l.All() {
		if r.Kind == log.Slice {
			return true
		}
	}
	return false
}

// turn returns whose time slice it is at a moment, and what the clocks of the virtual
// machines show; nothing if the machine is not shared.
func (r *result) turn(at job.Time) string {
	if r.counts == nil {
		return ""
	}
	text := "No time slice"
	if x, ok := r.gantt().SliceAt(at); ok {
		text = fmt.Sprintf("Time slice for %s jobs until %d s", log.ViewName(x.View), x.To)
		if at < x.On {
			text += fmt.Sprintf(", overhead until %d s", x.On)
		}
	}
	text += "; virtual clocks:"
	for i, t := range r.gantt().Clocks(at) {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s %d s", log.ViewName(uint8(i+1)), t)
	}
	return text + "."
}

// state returns the turn of a moment, and how much of the extra resources is in use.
func (r *result) state(at job.Time) string {
	text, comma := r.turn(at), ""
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

// piece returns which piece of a preempted job is or was the last at a moment, in words.
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

// shared returns how often each type had the machine and how many jobs were preempted,
// in a sentence.
func (r *result) shared() string {
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
		if n := r.gantt().Pieces(job.Index(j)); n > 1 {
			jobs, pieces = jobs+1, pieces+n
		}
	}
	return text + fmt.Sprintf("; %d jobs are preempted, into %d pieces.", jobs, pieces)
}
