package refute

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
)

// Goal describes the behaviour that a search looks for.
type Goal struct {
	Name  string // kebab-case, as in the flag -goal
	Text  string // behaviour that the search looks for, as a sentence
	Pair  bool   // whether the goal compares two policies
	Needs string // what a run needs for the goal to apply, in words; "" if the goal always applies
	// returns nil if the goal is not reached; may return notApplicable
	check func(*trial) (*evidence, error)
}

// Differ is reached if a job starts at different times under the two policies.
var Differ = &Goal{"differ", "a job starts at different times under the two policies", true, "", checkDiffer}

// Universal lists goals that only an incorrect policy can reach.
var Universal = []*Goal{
	{"violation", "the policy does what the machine does not allow, such as starting a job on too few free processors", false, "", checkViolation},
	{"promise", "a job starts later than promised, or its promised start moves to a later time", false, "promises", checkPromise},
	{"never-starts", "a job never starts", false, "", checkNeverStarts},
	{"runtimes", "a decision depends on the runtime of a job that has not ended yet, which the policy cannot know", false, "", checkRuntimes},
}

// Contract lists the goals that a single policy reaches by breaking a rule. These are the goals in
// Universal and the goals about the head of the queue.
var Contract = slices.Concat(Universal, []*Goal{
	{"idle", "the head of the queue does not start although it fits", false, oneQueue, checkHeadWaits},
	{"head", "the head of the queue starts later than its shadow time, because of a backfilled job", false, oneQueue, checkHead},
})

// Find returns the goal with the given name. If there is none, the error lists the names.
func Find(name string) (*Goal, error) {
	names := []string{Differ.Name}
	for _, g := range Contract {
		if g.Name == name {
			return g, nil
		}
		names = append(names, g.Name)
	}
	if name == Differ.Name {
		return Differ, nil
	}
	return nil, fmt.Errorf("expected one of %s, got %.100q", strings.Join(names, ", "), name)
}

// oneQueue describes in words the runs to which the goals about the head of the queue apply.
const oneQueue = "a single queue of rigid jobs, without time slices"

// notApplicable is the evidence that a check returns if its goal does not apply to a run.
var notApplicable = &evidence{}

// reached returns evidence that the workload of the trial reaches the goal. It returns nil if the
// workload does not reach the goal. It also reports whether the goal applies to the runs.
func (g *Goal) reached(t *trial) (e *evidence, applies bool, err error) {
	if e, err = g.check(t); e == notApplicable {
		return nil, false, nil
	}
	return e, err == nil, err
}

// evidence describes where a schedule reaches a goal.
type evidence struct {
	at   job.Time  // time at which the behaviour occurs, or job.Never
	job  job.Index // job that shows the behaviour, or job.None
	what string    // sentence about the behaviour, for the title
	more []string  // further sentences
}

// clock returns a clock that suits the times in the workload.
func (w *workload) clock() format.Clock { return format.ClockFor(job.LastEnd(w.jobs), nil) }

// name returns the name of a job for sentences, such as "job 3".
func (w *workload) name(j job.Index) string { return "job " + w.jobs[j].ID }

// instant formats a time for sentences, such as "t = 10".
func (w *workload) instant(t job.Time) string {
	c := w.clock()
	if c.Units {
		return c.Instant(t)
	}
	return "t = " + c.Instant(t)
}

// checkDiffer returns evidence of the first time at which the two policies start different jobs, or
// nil if all jobs start at the same times.
func checkDiffer(t *trial) (*evidence, error) {
	a, b, err := t.runBoth()
	if err != nil {
		return nil, err
	}
	first := evidence{at: job.Never, job: job.None}
	for j := range a.ends {
		at := min(a.ends[j].Start, b.ends[j].Start)
		if a.ends[j].Start != b.ends[j].Start && at < first.at {
			first.at, first.job = at, job.Index(j)
		}
	}
	if first.job == job.None {
		return nil, nil
	}
	first.what = t.differenceText(first.at, first.job)
	return &first, nil
}

// differenceText returns a title that says how the two policies first differ.
func (t *trial) differenceText(at job.Time, j job.Index) string {
	starts, waits := subjectA, subjectB
	if t.runs[subjectA].ends[j].Start != at {
		starts, waits = waits, starts
	}
	return fmt.Sprintf("%s and %s differ first at %s: %s starts under %s and waits under %s", t.subjects[subjectA].Title, t.subjects[subjectB].Title,
		t.workload.instant(at), t.workload.name(j), t.subjects[starts].Title, t.subjects[waits].Title)
}

// runBoth returns the run of policy A and the run of policy B.
func (t *trial) runBoth() (a, b *run, err error) {
	if a, err = t.run(subjectA); err != nil {
		return nil, nil, err
	}
	b, err = t.run(subjectB)
	return a, b, err
}

// checkViolation returns evidence that policy A did something that the machine does not allow. Such
// an action ends the run. If there was none, checkViolation returns nil.
func checkViolation(t *trial) (*evidence, error) {
	r, err := t.run(subjectA)
	var v *sim.Violation
	if err != nil || !errors.As(r.err, &v) {
		return nil, err
	}
	e, with := &evidence{at: v.At, job: job.None}, ""
	for j := range t.workload.jobs {
		if v.Job == t.workload.jobs[j].ID {
			e.job = job.Index(j)
			with = " with " + t.workload.name(e.job)
			break
		}
	}
	why, _, _ := strings.Cut(v.Why, "\n")
	e.what = fmt.Sprintf("%s breaks a rule of the machine at %s%s: %s", t.subjects[subjectA].Title, t.workload.instant(v.At), with, why)
	return e, nil
}

// checkPromise returns evidence that policy A breaks a rule about promised starts, such as that a job
// starts no later than promised. It returns nil if policy A breaks no such rule.
func checkPromise(t *trial) (*evidence, error) {
	r, err := t.run(subjectA)
	if err != nil {
		return nil, err
	}
	if !hasRecord(r, log.Promise) {
		return notApplicable, nil
	}
	for _, f := range schedule.CheckLogWith(r.log, schedule.Options{Promises: true, Partial: true}) {
		if f.Code != schedule.PromiseBroken && f.Code != schedule.MovedLater && f.Code != schedule.PromiseInPast {
			continue
		}
		for j := range t.workload.jobs {
			if t.workload.jobs[j].ID == f.Job {
				return &evidence{at: f.At, job: job.Index(j), what: fmt.Sprintf("%s breaks a promise: %s", t.subjects[subjectA].Title, f.Text)}, nil
			}
		}
	}
	return nil, nil
}

// hasRecord reports whether the log of a run has a record of one of the given kinds.
func hasRecord(r *run, kinds ...log.Kind) bool {
	for x := range r.log.All() {
		if slices.Contains(kinds, x.Kind) {
			return true
		}
	}
	return false
}

// checkNeverStarts returns evidence that a job never starts under policy A. It returns nil if it
// finds no such job. It ignores jobs that are submitted after the last pass, and runs that ended
// with a violation.
func checkNeverStarts(t *trial) (*evidence, error) {
	r, err := t.run(subjectA)
	var v *sim.Violation
	if err != nil || r.err == nil || errors.As(r.err, &v) || len(r.passes) == 0 {
		return nil, err
	}
	for j, o := range r.ends {
		if last := r.passes[len(r.passes)-1]; o.Start == job.Never && t.workload.jobs[j].Submit <= last {
			return &evidence{at: last, job: job.Index(j), what: fmt.Sprintf("%s never starts %s", t.subjects[subjectA].Title, t.workload.name(job.Index(j)))}, nil
		}
	}
	return nil, nil
}

// CheckWorkload returns a finding if the given workload reaches the first goal in Config.Goals, and
// nil otherwise. It also reports whether the goal applies to the workload. If a policy does not
// support the workload, CheckWorkload returns nil and false. The jobs must be in order of submission.
func CheckWorkload(c Config, m cluster.Machine, jobs []job.Job) (f *Finding, applies bool, err error) {
	c.Tries = 1
	s, err := NewSearch(c)
	if err != nil {
		return nil, false, err
	}
	s.best = &workload{m, jobs}
	if !s.accepts(s.best) {
		return nil, false, nil
	}
	at, applies, err := c.Goals[0].reached(s.trial(s.best))
	if at == nil {
		return nil, applies, err
	}
	s.found = c.Goals[0]
	f, err = s.Finding()
	return f, true, err
}
