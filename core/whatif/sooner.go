package whatif

import (
	"slices"

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
	hour       = 3600
	mostInWay  = 4 // jobs in the way that are left out, one at a time
	mostTrials = 32
)

// Trial is a change that might have a job start sooner.
type Trial struct {
	Changes []Change
	Start   job.Time // of the job; job.Never until it is known
	Err     error    // why it cannot be tried

	job    job.Index // in the changed scenario
	engine *sim.Engine
}

// Trials returns what is worth trying to have job j start sooner than it does under
// policy i of a setup, where the jobs fared so. How many there are is bounded, and
// they come in the same order each time.
func Trials(up *scenario.Setup, i int, ends []log.Outcome, j job.Index) []*Trial {
	var out []*Trial
	try := func(changes ...Change) {
		if len(out) < mostTrials {
			out = append(out, &Trial{Changes: changes, Start: job.Never})
		}
	}
	q := &up.Work.Jobs[j]
	if ends[j].Start == q.Submit {
		return nil // nothing keeps it waiting
	}
	if q.Estimate > q.Runtime {
		try(Change{Kind: Exact})
	}
	if early(up.Work.Jobs, j) {
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
	for _, k := range inWay(up.Work.Jobs, ends, j) {
		try(Change{Kind: Remove, ID: up.Work.Jobs[k].ID})
	}
	for _, s := range registry.All {
		if s.Name != up.Scenario.Policies[i].Name && tells(s, up) {
			try(Change{Kind: Policy, Policy: scenario.Policy{Name: s.Name}})
		}
	}
	return out
}

// tells reports whether a policy is of interest: that for moldable jobs, and that for
// jobs that share nodes, treat others as plainer policies do.
func tells(s *policy.Spec, up *scenario.Setup) bool {
	switch s {
	case &moldable.Spec:
		return slices.ContainsFunc(up.Work.Jobs, func(j job.Job) bool { return j.Speedup() != nil })
	case &glomarc.Spec:
		return up.Scenario.Machine.PerNode() > 1
	}
	return true
}

// early reports whether a job other than j ends before its estimate.
func early(jobs []job.Job, j job.Index) bool {
	for k := range jobs {
		if job.Index(k) != j && jobs[k].Estimate > jobs[k].Runtime {
			return true
		}
	}
	return false
}

// inWay returns the jobs that had most of the machine, in processor-seconds, while job j
// waited, the largest first; and behind them the widest that waited longer, which
// may have held a reservation.
func inWay(jobs []job.Job, ends []log.Outcome, j job.Index) (top []job.Index) {
	from, to := jobs[j].Submit, ends[j].Start
	var had []int64
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
		if took := (min(o.Finish, to) - max(o.Start, from)) * int64(jobs[k].Procs); took > 0 {
			top, had = enter(top, had, job.Index(k), took)
		}
	}
	if widest != job.None {
		top = append(top, widest)
	}
	return top
}

// enter keeps the few largest; of equal ones the first stays in front.
func enter(top []job.Index, had []int64, k job.Index, took int64) ([]job.Index, []int64) {
	if len(top) < mostInWay {
		top, had = append(top, k), append(had, took)
	} else if took > had[mostInWay-1] {
		top[mostInWay-1], had[mostInWay-1] = k, took
	}
	for i := len(top) - 1; i > 0 && had[i] > had[i-1] && top[i] == k; i-- {
		top[i], top[i-1], had[i], had[i-1] = top[i-1], top[i], had[i-1], had[i]
	}
	return top, had
}

// Begin makes the trial of policy i ready for its first step.
func (t *Trial) Begin(up *scenario.Setup, i int, j job.Index) error {
	next, err := Apply(up, j, t.Changes...)
	if err != nil {
		t.Err = err
		return err
	}
	t.job = next.Match[j]
	c, err := next.Config(next.Place(i), log.Spans)
	if err == nil {
		t.engine, err = sim.New(c)
	}
	t.Err = err
	return err
}

// Steps takes up to n steps and reports whether more are to be taken: until the job
// has started.
func (t *Trial) Steps(n int) (more bool) {
	if t.job == job.None || t.engine == nil {
		return false
	}
	if _, t.Err = t.engine.Steps(n); t.Err == nil && !t.engine.Log().Placed(t.job) {
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

// Done returns how many jobs of the trial have ended.
func (t *Trial) Done() int {
	if t.engine == nil {
		return 0
	}
	return t.engine.Done()
}

// Ranked parts the trials that were made: those with which the job starts sooner
// than it did, the soonest first; those with which it starts as before; and those
// with which it starts later. What could not be tried is left out.
func Ranked(trials []*Trial, start job.Time) (sooner, same, later []*Trial) {
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
