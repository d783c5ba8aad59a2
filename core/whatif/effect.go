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

// Effect describes the effect of changes on the schedule of one policy.
type Effect struct {
	Job     compare.Shift   // shift of the job in question; its Other is job.None if the job was removed
	Before  log.Outcome     // outcome of the job in question before the change
	After   log.Outcome     // outcome of the job in question after the change
	Others  compare.Tally   // shifts of the starts of all other jobs
	Gainers []compare.Shift // the other jobs with the largest shifts to an earlier start, at most MaxListed
	Payers  []compare.Shift // the other jobs with the largest shifts to a later start, at most MaxListed
}

// MaxListed is the maximum number of jobs in Effect.Gainers and in Effect.Payers.
const MaxListed = 5

var unknown = log.Outcome{Start: job.Never, Finish: job.Never, Promised: job.Never}

// EffectOf compares the outcomes before and after a change. J is the job in question, or job.None.
func EffectOf(up *scenario.Setup, next *Changed, j job.Index, before, after []log.Outcome) *Effect {
	d := compare.Diff(compare.Result{Jobs: up.Work.Jobs, Outcomes: before}, compare.Result{Jobs: next.Work.Jobs, Outcomes: after}, next.Match)
	e := &Effect{Job: compare.Shift{Job: j, Other: job.None, Start: job.Never, Wait: job.Never, Finish: job.Never}, Before: unknown, After: unknown}
	if j != job.None {
		e.Job, e.Before = d.Shifts[j], before[j]
		if e.Job.Other != job.None {
			e.After = after[e.Job.Other]
		}
		d.Shifts[j].Start = job.Never // exclude the job from the other jobs
	}
	e.Others = d.Tally(compare.Start)
	e.Gainers, e.Payers = d.MostEarlier(compare.Start, MaxListed), d.MostDelayed(compare.Start, MaxListed)
	return e
}

// OthersText returns a sentence about the effect on the other jobs.
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
	return fmt.Sprintf("Of the %s %s, %s, %d as before.",
		which, shiftText(t.Earlier, "starts sooner", "start sooner", t.SecondsEarlier, clock), shiftText(t.Later, "later", "later", t.SecondsLater, clock), t.Same)
}

// shiftText returns a phrase with the number of jobs that shift, and by how much in total.
func shiftText(n int, one, many string, seconds job.Time, clock format.Clock) string {
	switch n {
	case 0:
		return "none " + one
	case 1:
		return "1 " + one + " by " + clock.Duration(seconds)
	}
	return fmt.Sprintf("%d %s by %s in all", n, many, clock.Duration(seconds))
}

// ShiftText returns a shift in words, such as "5 s sooner".
func ShiftText(by job.Time, clock format.Clock) string {
	switch {
	case by < 0:
		return clock.Duration(-by) + " sooner"
	case by > 0:
		return clock.Duration(by) + " later"
	}
	return "as before"
}

// JobText returns a sentence about the effect on the job in question.
func (e *Effect) JobText(clock format.Clock) string {
	switch {
	case e.Job.Other == job.None:
		return "It would not be there; it starts at " + clock.Instant(e.Before.Start) + "."
	case e.Job.Start == 0:
		return "It would start at " + clock.Instant(e.After.Start) + ", as it does."
	}
	return fmt.Sprintf("It would start at %s instead of %s, %s.", clock.Instant(e.After.Start), clock.Instant(e.Before.Start), ShiftText(e.Job.Start, clock))
}

// Lines returns the whole effect, one sentence per line.
func (e *Effect) Lines(jobs []job.Job, clock format.Clock) (lines []string) {
	if e.Job.Job != job.None {
		lines = append(lines, e.JobText(clock))
	}
	lines = append(lines, e.OthersText(clock))
	for i, list := range [][]compare.Shift{e.Gainers, e.Payers} {
		var words []string
		for _, s := range list {
			words = append(words, "job "+jobs[s.Job].ID+" by "+clock.Duration(max(s.Start, -s.Start)))
		}
		if words != nil {
			lines = append(lines, []string{"Sooner by most: ", "Later by most: "}[i]+strings.Join(words, ", ")+".")
		}
	}
	return lines
}
