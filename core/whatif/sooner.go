package whatif

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc"
	"backfill-lab/core/policy/moldable"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
)

const (
	hour        = 3600
	maxBlockers = 4  // maximum number of trials that each remove a job which ran while the given job waited
	maxTrials   = 32 // maximum number of trials for a job
)

// Trial is a run with changes that might start a job earlier.
type Trial struct {
	Changes []Change
	Start   job.Time // start of the job with these changes; job.Never until it has started
	Err     error    // why the changes could not be applied or run

	job    job.Index   // index of the job in the changed scenario
	engine *sim.Engine // nil before Prepare, and after the last step
}

// Trials returns changes that might start job j earlier under policy i of a setup. It takes the
// outcome of each job without changes. The result has a fixed order and at most maxTrials elements.
// It is nil if the job starts when it is submitted.
func Trials(setup *scenario.Setup, i int, outcomes []log.Outcome, j job.Index) []*Trial {
	var out []*Trial
	try := func(changes ...Change) {
		if len(out) < maxTrials {
			out = append(out, &Trial{Changes: changes, Start: job.Never})
		}
	}
	q := &setup.Work.Jobs[j]
	if outcomes[j].Start == q.Submit {
		return nil // the job does not wait, so it cannot start earlier
	}
	if q.Estimate > q.Runtime {
		try(Change{Kind: Exact})
	}
	if othersEndEarly(setup.Work.Jobs, j) {
		try(Change{Kind: ExactAll})
	}
	if half := int64(q.Procs / 2); half > 0 {
		try(Change{Kind: Procs, N: half})
		if q.Speedup() == nil {
			try(Change{Kind: Procs, N: half}, Change{Kind: Estimate, N: min(2*q.Estimate, job.MaxTime)}, Change{Kind: Runtime, N: min(2*q.Runtime, job.MaxTime)})
		}
	}
	if q.Submit > 0 {
		try(Change{Kind: Earlier, N: hour})
	}
	try(Change{Kind: Nodes, N: 1})
	for _, k := range blockers(setup.Work.Jobs, outcomes, j) {
		try(Change{Kind: Remove, ID: setup.Work.Jobs[k].ID})
	}
	for _, s := range registry.All {
		if s.Name != setup.Scenario.Policies[i].Name && worthTrying(s, setup) {
			try(Change{Kind: Policy, Policy: scenario.Policy{Name: s.Name}})
		}
	}
	return out
}

// worthTrying reports whether policy s can produce a schedule for this scenario that simpler
// policies do not produce. For example, a policy for moldable jobs needs moldable jobs, and a
// policy for shared nodes needs multi-core nodes.
func worthTrying(s *policy.Spec, setup *scenario.Setup) bool {
	switch s {
	case &moldable.Spec:
		return slices.ContainsFunc(setup.Work.Jobs, func(j job.Job) bool { return j.Speedup() != nil })
	case &glomarc.Spec:
		return setup.Scenario.Machine.SlotsPerNode() > 1
	}
	return true
}

// othersEndEarly reports whether any job other than j ends before its estimate.
func othersEndEarly(jobs []job.Job, j job.Index) bool {
	for k := range jobs {
		if job.Index(k) != j && jobs[k].Estimate > jobs[k].Runtime {
			return true
		}
	}
	return false
}

// blockers returns jobs whose removal might start job j earlier. The result begins with the
// maxBlockers jobs that used the most processor-seconds while job j waited, in descending order. It
// ends with the widest of the jobs that were submitted before job j but did not start before job j.
// Such a job may have held a reservation.
func blockers(jobs []job.Job, ends []log.Outcome, j job.Index) (top []job.Index) {
	from, to := jobs[j].Submit, ends[j].Start
	var used []int64
	widest := job.None
	for k := range jobs {
		o := &ends[k]
		if job.Index(k) == j || o.Start == job.Never {
			continue
		}
		if o.Start >= to {
			if job.Index(k) < j && (widest == job.None || jobs[k].Procs > jobs[widest].Procs) {
				widest = job.Index(k)
			}
			continue
		}
		if area := (min(o.Finish, to) - max(o.Start, from)) * int64(jobs[k].Procs); area > 0 {
			top, used = insertBlocker(top, used, job.Index(k), area)
		}
	}
	if widest != job.None {
		top = append(top, widest)
	}
	return top
}

// insertBlocker inserts job k into top, if it is one of the maxBlockers jobs so far that used the most
// processor-seconds. Job k used the given area in processor-seconds, and usedAreas holds the areas of the jobs in top.
// Jobs with equal areas stay in the order in which they were inserted.
func insertBlocker(top []job.Index, usedAreas []int64, k job.Index, area int64) ([]job.Index, []int64) {
	if len(top) < maxBlockers {
		top, usedAreas = append(top, k), append(usedAreas, area)
	} else if area > usedAreas[maxBlockers-1] {
		top[maxBlockers-1], usedAreas[maxBlockers-1] = k, area
	}
	for i := len(top) - 1; i > 0 && usedAreas[i] > usedAreas[i-1] && top[i] == k; i-- {
		top[i], top[i-1], usedAreas[i], usedAreas[i-1] = top[i-1], top[i], usedAreas[i-1], usedAreas[i]
	}
	return top, usedAreas
}

// Prepare applies the changes and prepares the run of policy i. Job j of setup is the job that
// should start earlier.
func (t *Trial) Prepare(setup *scenario.Setup, i int, j job.Index) error {
	next, err := Apply(setup, j, t.Changes...)
	if err != nil {
		t.Err = err
		return err
	}
	t.job = next.Match[j]
	c, err := next.Config(next.PolicyIndex(i), log.Spans)
	if err == nil {
		t.engine, err = sim.New(c)
	}
	t.Err = err
	return err
}

// Steps simulates up to n steps. It reports whether the job still waits and more steps are needed.
func (t *Trial) Steps(n int) (more bool) {
	if t.job == job.None || t.engine == nil {
		return false
	}
	if _, t.Err = t.engine.Steps(n); t.Err == nil && !t.engine.Log().HasSlots(t.job) {
		return true
	}
	l := t.engine.Log()
	for i := l.Len() - 1; i >= 0 && t.Err == nil && t.Start == job.Never; i-- {
		if r := l.Record(i); r.Kind == log.Start && r.Job == t.job {
			t.Start = r.At
		}
	}
	t.engine = nil
	return false
}

// Done returns the number of jobs that have ended in the trial, or 0 if the trial is not running.
func (t *Trial) Done() int {
	if t.engine == nil {
		return 0
	}
	return t.engine.FinishedJobs()
}

// SplitByStart divides trials by whether the job starts before, at or after the given time. The
// trials in which it starts before this time are sorted by start. Trials that could not run are
// left out.
func SplitByStart(trials []*Trial, start job.Time) (sooner, same, later []*Trial) {
	for _, t := range trials {
		switch {
		case t.Start == job.Never:
		case t.Start > start:
			later = append(later, t)
		case t.Start == start:
			same = append(same, t)
		default:
			sooner = append(sooner, t)
			for i := len(sooner) - 1; i > 0 && sooner[i].Start < sooner[i-1].Start; i-- {
				sooner[i], sooner[i-1] = sooner[i-1], sooner[i]
			}
		}
	}
	return sooner, same, later
}

// Summary returns the trials in which job q starts earlier than without changes, sorted by start.
// It takes the start without changes. Summary also returns sentences about the other trials. If the
// job already starts when it is submitted, Summary returns only a sentence which says so.
func Summary(q *job.Job, trials []*Trial, oldStart job.Time, clock format.Clock) (better []*Trial, rest []string) {
	if oldStart == q.Submit {
		return nil, []string{"It starts when it is submitted."}
	}
	better, same, later := SplitByStart(trials, oldStart)
	if len(better) == 0 {
		rest = append(rest, "None of the changes that were tried starts it earlier.")
	}
	if len(same) > 0 {
		rest = append(rest, "It would start at the same time if "+alternatives(q, same, clock)+".")
	}
	if len(later) > 0 {
		rest = append(rest, "It would start later if "+alternatives(q, later, clock)+".")
	}
	return better, rest
}

// alternatives returns a phrase that lists the changes of several trials, such as "it requested 2
// processors; if job 3 were removed".
func alternatives(q *job.Job, trials []*Trial, clock format.Clock) string {
	words := make([]string, len(trials))
	for i, t := range trials {
		words[i] = Words(q, t.Changes, clock)
	}
	return strings.Join(words, "; if ")
}

// Text returns a phrase with the new start and the changes of a trial, such as "8, 16 s sooner, if
// it requested 2 processors". It takes the start without changes.
func (t *Trial) Text(q *job.Job, oldStart job.Time, clock format.Clock) string {
	return fmt.Sprintf("%s, %s, if %s", clock.Instant(t.Start), ShiftText(t.Start-oldStart, clock), Words(q, t.Changes, clock))
}

// Texts returns the changes as texts that Parse accepts.
func (t *Trial) Texts() []string {
	out := make([]string, len(t.Changes))
	for i := range t.Changes {
		out[i] = t.Changes[i].String()
	}
	return out
}
