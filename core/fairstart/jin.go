package fairstart

import (
	"fmt"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile"
)

// Jin computes the fair start time of each job in a run (Jin 2009, section 5.1). When a job is
// submitted, Jin makes a plan of all unfinished jobs: running jobs end as estimated, and waiting
// jobs start as under conservative backfilling, in order of submission. The fair start of the new
// job is the earliest time, at or after the last planned start, at which the job fits into this
// plan. Jin reads the actual starts and ends from the log. It returns an error if the run has time
// slices, or if a job was suspended, ran at a rate other than 1, or did not get the number of
// processors that it requested.
func Jin(l *log.Log) ([]job.Time, error) {
	if err := checkRuns(l); err != nil {
		return nil, err
	}
	s := planner{log: l, outcomes: l.Outcomes(), plan: profile.ForMachine(&l.Machine), now: -1}
	fair := make([]job.Time, len(l.Jobs))
	for j := range fair {
		fair[j] = s.fairStart(job.Index(j))
	}
	return fair, nil
}

// checkRuns returns an error if the run has time slices, or if a job was suspended, changed its
// rate, or got a different number of processors than it requested.
func checkRuns(l *log.Log) error {
	for r := range l.All() {
		got := ""
		switch r.Kind {
		case log.Slice:
			return fmt.Errorf("expected a run without time slices, because Jin's fair starts cannot be computed for time slices")
		case log.Suspend:
			got = "that is suspended"
		case log.RateChange:
			got = "that changes its rate"
		case log.Start:
			if w := l.Layout(r.Job); int(w.Procs) != l.Jobs[r.Job].Procs {
				got = fmt.Sprintf("with %d processors instead of %d", w.Procs, l.Jobs[r.Job].Procs)
			}
		}
		if got != "" {
			return fmt.Errorf("expected jobs that run as requested and without interruption, because Jin's fair starts assume this, got job %s %s", l.Jobs[r.Job].ID, got)
		}
	}
	return nil
}

// planner holds a plan of the running and waiting jobs at time now, before any job starts at that
// time.
type planner struct {
	log        *log.Log      // log of the run, from which the jobs come
	outcomes   []log.Outcome // by job
	now        job.Time
	unfinished []job.Index // jobs that were submitted and have not finished
	plan       *profile.Profile
	last       job.Time // latest planned start of a waiting job; now if no job waits
}

// fairStart returns the fair start time of job j, and adds the job to the plan. Call it for each
// job in order of submission.
func (s *planner) fairStart(j job.Index) job.Time {
	q := &s.log.Jobs[j]
	if q.Submit != s.now {
		s.advance(q.Submit)
	}
	start := s.plan.Find(q.Demand(), q.Estimate, s.last)
	s.unfinished = append(s.unfinished, j)
	s.planWaiting(j)
	return start
}

// advance moves the plan to the given time. It plans all unfinished jobs again.
func (s *planner) advance(now job.Time) {
	s.now, s.last = now, now
	s.unfinished = slices.DeleteFunc(s.unfinished, func(j job.Index) bool { return s.outcomes[j].Finish <= now })
	s.plan.Reset()
	s.plan.Trim(now)
	for _, j := range s.unfinished {
		if q := &s.log.Jobs[j]; s.outcomes[j].Start < now {
			s.plan.Reserve(q.Demand(), now, s.outcomes[j].Start+q.Estimate)
		}
	}
	for _, j := range s.unfinished {
		if s.outcomes[j].Start >= now {
			s.planWaiting(j)
		}
	}
}

// planWaiting adds the waiting job j to the plan at its earliest possible start, and updates the
// field last.
func (s *planner) planWaiting(j job.Index) {
	q := &s.log.Jobs[j]
	s.last = max(s.last, s.plan.ReserveEarliest(q.Demand(), q.Estimate, s.now))
}
