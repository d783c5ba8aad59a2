package whatif

import (
	"fmt"
	"strings"

	"backfill-lab/core/compare"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
)

// Effect is what a change does to the schedule of one policy.
type Effect struct {
	Job     compare.Shift // of the job asked about; Other is job.None where it is gone
	Before  log.Outcome   // of that job
	After   log.Outcome
	Others  compare.Tally // of the starts of all other jobs
	Gainers []compare.Shift
	Payers  []compare.Shift // the other jobs whose starts differ most, at most so many
}

// MostTold is how many jobs an effect names on either side.
const MostTold = 5

var unknown = log.Outcome{Start: job.Never, Finish: job.Never, Promised: job.Never}

// EffectOf compares what became of jobs before a change and after it; j is job.None
// where the change is about no job.
func EffectOf(up *scenario.Setup, next *Changed, j job.Index, before, after []log.Outcome) *Effect {
	d := compare.Of(compare.Side{Jobs: up.Work.Jobs, Ends: before}, compare.Side{Jobs: next.Work.Jobs, Ends: after}, next.Match)
	e := &Effect{Job: compare.Shift{Job: j, Other: job.None, Start: job.Never, Wait: job.Never, Finish: job.Never}, Before: unknown, After: unknown}
	if j != job.None {
		e.Job, e.Before = d.Shifts[j], before[j]
		if e.Job.Other != job.None {
			e.After = after[e.Job.Other]
		}
		d.Shifts[j].Start = job.Never // it does not count among the others
	}
	e.Others = d.Tally(compare.Start)
	e.Gainers, e.Payers = d.Gainers(compare.Start, MostTold), d.Payers(compare.Start, MostTold)
	return e
}

// Says returns the effect on the others in a sentence.
func (e *Effect) Says() string {
	t := &e.Others
	switch {
	case t.Jobs() == 0:
		return "There are no other jobs."
	case t.Earlier+t.Later == 0:
		return "All other jobs start as before."
	}
	return fmt.Sprintf("Of the other jobs %s, %s, %d as before.",
		moved(t.Earlier, "starts sooner", "start sooner", t.Gained), moved(t.Later, "later", "later", t.Paid), t.Same)
}

func moved(n int, one, many string, by job.Time) string {
	switch n {
	case 0:
		return "none " + one
	case 1:
		return fmt.Sprintf("1 %s by %d s", one, by)
	}
	return fmt.Sprintf("%d %s by %d s in all", n, many, by)
}

// Shifted returns a shift in words: "5 s sooner".
func Shifted(by job.Time) string {
	switch {
	case by < 0:
		return fmt.Sprintf("%d s sooner", -by)
	case by > 0:
		return fmt.Sprintf("%d s later", by)
	}
	return "as before"
}

// Starts returns the effect on the job itself in a sentence.
func (e *Effect) Starts() string {
	switch {
	case e.Job.Other == job.None:
		return fmt.Sprintf("It would not be there; it starts at %d.", e.Before.Start)
	case e.Job.Start == 0:
		return fmt.Sprintf("It would start at %d, as it does.", e.After.Start)
	}
	return fmt.Sprintf("It would start at %d instead of %d, %s.", e.After.Start, e.Before.Start, Shifted(e.Job.Start))
}

// Lines returns the whole effect in sentences.
func (e *Effect) Lines(jobs []job.Job) (lines []string) {
	if e.Job.Job != job.None {
		lines = append(lines, e.Starts())
	}
	lines = append(lines, e.Says())
	for i, list := range [][]compare.Shift{e.Gainers, e.Payers} {
		var words []string
		for _, s := range list {
			words = append(words, fmt.Sprintf("job %s by %d s", jobs[s.Job].ID, max(s.Start, -s.Start)))
		}
		if words != nil {
			lines = append(lines, []string{"Sooner by most: ", "Later by most: "}[i]+strings.Join(words, ", ")+".")
		}
	}
	return lines
}
