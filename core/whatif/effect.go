package whatif

import (
	"fmt"
	"strings"

	"backfill-lab/core/compare"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
)

// Effect describes how changes affect the schedule of one policy. "The job" is the job to which the
// changes apply.
type Effect struct {
	Job         compare.Shift   // how the times of the job changed; its field Other is job.None if the job was removed
	Before      log.Outcome     // times of the job before the changes
	After       log.Outcome     // times of the job after the changes
	Others      compare.Tally   // how the starts of all other jobs changed
	MostEarlier []compare.Shift // the other jobs that start earlier by the most seconds, at most MaxListedShifts
	MostDelayed []compare.Shift // the other jobs that start later by the most seconds, at most MaxListedShifts
}

// MaxListedShifts is the maximum number of jobs in Effect.MostEarlier and in Effect.MostDelayed.
const MaxListedShifts = 5

// noOutcome is the outcome of a job that does not exist. All its times are unknown.
var noOutcome = log.Outcome{Start: job.Never, Finish: job.Never, Promised: job.Never}

// EffectOf compares the outcomes of all jobs before the changes with the outcomes after them.
// Changes of a single job apply to job j, which may be job.None.
func EffectOf(setup *scenario.Setup, next *Changed, j job.Index, before, after []log.Outcome) *Effect {
	d := compare.Diff(compare.Result{Jobs: setup.Work.Jobs, Outcomes: before}, compare.Result{Jobs: next.Work.Jobs, Outcomes: after}, next.Match)
	e := &Effect{Job: compare.Shift{Job: j, Other: job.None, Start: job.Never, Wait: job.Never, Finish: job.Never}, Before: noOutcome, After: noOutcome}
	if j != job.None {
		e.Job, e.Before = d.Shifts[j], before[j]
		if e.Job.Other != job.None {
			e.After = after[e.Job.Other]
		}
		d.Shifts[j].Start = job.Never // the job itself does not count as another job
	}
	e.Others = d.Tally(compare.Start)
	e.MostEarlier, e.MostDelayed = d.MostEarlier(compare.Start, MaxListedShifts), d.MostDelayed(compare.Start, MaxListedShifts)
	return e
}

// OthersText returns a sentence which says how the changes affect the other jobs.
func (e *Effect) OthersText(clock format.Clock) string {
	t := &e.Others
	switch {
	case t.Jobs() == 0:
		return "There are no other jobs."
	case t.Earlier+t.Later == 0 && e.Job.Job == job.None:
		return "All jobs start as before."
	case t.Earlier+t.Later == 0:
		return "All other jobs start as before."
	}
	which := "other jobs"
	if e.Job.Job == job.None {
		which = "jobs"
	}
	return fmt.Sprintf("Of the %s, %s, %s, and %s as before.",
		which, shiftText(t.Earlier, "sooner", t.SecondsEarlier, clock), shiftText(t.Later, "later", t.SecondsLater, clock), countStarts(t.Same))
}

// shiftText returns a phrase such as "3 start later by 20 s in total". The given direction is
// "sooner" or "later".
func shiftText(n int, direction string, seconds job.Time, clock format.Clock) string {
	text := countStarts(n) + " " + direction
	if n > 0 {
		text += " by " + clock.Duration(seconds)
	}
	if n > 1 {
		text += " in total"
	}
	return text
}

// countStarts returns n with a verb, such as "none starts", "1 starts" or "2 start".
func countStarts(n int) string {
	switch n {
	case 0:
		return "none starts"
	case 1:
		return "1 starts"
	}
	return format.Whole(n) + " start"
}

// ShiftText returns how far a start moved, such as "5 s sooner".
func ShiftText(by job.Time, clock format.Clock) string {
	switch {
	case by < 0:
		return clock.Duration(-by) + " sooner"
	case by > 0:
		return clock.Duration(by) + " later"
	}
	return "as before"
}

// JobText returns a sentence which says how the changes affect the job.
func (e *Effect) JobText(clock format.Clock) string {
	switch {
	case e.Job.Other == job.None:
		return "It is removed. Without the change, it starts at " + clock.Instant(e.Before.Start) + "."
	case e.Job.Start == 0:
		return "It would start at " + clock.Instant(e.After.Start) + ", as before."
	}
	return fmt.Sprintf("It would start at %s instead of %s, %s.", clock.Instant(e.After.Start), clock.Instant(e.Before.Start), ShiftText(e.Job.Start, clock))
}

// Lines returns a sentence about the job, if there is one, and a sentence about the other jobs. It
// also returns sentences that list the largest shifts. It takes the jobs before the changes.
func (e *Effect) Lines(jobs []job.Job, clock format.Clock) (lines []string) {
	if e.Job.Job != job.None {
		lines = append(lines, e.JobText(clock))
	}
	lines = append(lines, e.OthersText(clock))
	for i, list := range [][]compare.Shift{e.MostEarlier, e.MostDelayed} {
		var words []string
		for _, s := range list {
			words = append(words, "job "+jobs[s.Job].ID+" by "+clock.Duration(max(s.Start, -s.Start)))
		}
		if words != nil {
			lines = append(lines, []string{"Jobs that start earlier, largest change first: ", "Jobs that start later, largest change first: "}[i]+strings.Join(words, ", ")+".")
		}
	}
	return lines
}
