package fairstart

import (
	"fmt"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile"
)

// Jin finds the fair start time of each job of a run as Jin 2009, section 5.1,
// has it: when the job comes, those that wait are planned conservatively in the
// order in which they came, beside the running ones until their estimated ends,
// and the job itself behind the latest of their starts. The log of any policy
// tells what this needs, as long as each job runs in one piece, as wide as it
// asked for and at its own rate; else the error names what is in the way.
func Jin(l *log.Log) ([]job.Time, error) {
	if err := plain(l); err != nil {
		return nil, err
	}
	s := state{log: l, out: l.Outcomes(), plan: profile.Of(&l.Machine), now: -1}
	fair := make([]job.Time, len(l.Jobs))
	for j := range fair {
		fair[j] = s.fair(job.Index(j))
	}
	return fair, nil
}

// plain reports the first job that runs in a way that the plan does not know.
func plain(l *log.Log) error {
	for r := range l.All() {
		got := ""
		switch r.Kind {
		case log.Slice:
			return fmt.Errorf("expected a run without time slices, in which only the policy itself can tell Jin's fair starts")
		case log.Suspend:
			got = "that is suspended"
		case log.Reprice:
			got = "that runs at another rate"
		case log.Start:
			if w := l.Layout(r.Job); int(w.Procs) != l.Jobs[r.Job].Procs {
				got = fmt.Sprintf("with %d processors in the place of %d", w.Procs, l.Jobs[r.Job].Procs)
			}
		}
		if got != "" {
			return fmt.Errorf("expected jobs that run in one piece as they are submitted, which Jin's fair starts are for, got job %s %s", l.Jobs[r.Job].ID, got)
		}
	}
	return nil
}

// state is the machine at the moment now, before anything starts, with the
// waiting jobs in a plan.
type state struct {
	log     *log.Log
	out     []log.Outcome
	now     job.Time
	present []job.Index // come so far and not done
	plan    *profile.Profile
	last    job.Time // latest planned start
}

// fair returns the fair start time of job j, the next to come.
func (s *state) fair(j job.Index) job.Time {
	q := &s.log.Jobs[j]
	if q.Submit != s.now {
		s.advance(q.Submit)
	}
	at := s.plan.Find(q.Demand(), q.Estimate, s.last)
	s.present = append(s.present, j)
	s.wait(j)
	return at
}

// advance goes to the moment now and plans anew.
func (s *state) advance(now job.Time) {
	s.now, s.last = now, now
	s.present = slices.DeleteFunc(s.present, func(j job.Index) bool { return s.out[j].Finish <= now })
	s.plan.Reset()
	s.plan.Trim(now)
	for _, j := range s.present {
		if q := &s.log.Jobs[j]; s.out[j].Start < now {
			s.plan.Reserve(q.Demand(), now, s.out[j].Start+q.Estimate)
		}
	}
	for _, j := range s.present {
		if s.out[j].Start >= now {
			s.wait(j)
		}
	}
}

// wait plans the waiting job j behind those in the plan.
func (s *state) wait(j job.Index) {
	q := &s.log.Jobs[j]
	at := s.plan.Find(q.Demand(), q.Estimate, s.now)
	s.plan.Reserve(q.Demand(), at, at+q.Estimate)
	s.last = max(s.last, at)
}
