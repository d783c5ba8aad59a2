// Package fairstart tells when each job of a run would have started in fairness,
// whatever the policy. It decides nothing and is part of no schedule; what fair
// start times say about one is the business of package metrics.
package fairstart

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Sabin runs a workload and finds, for each job, when it would start under the
// same policy if no job came after it (Sabin et al. 2004). A job that comes in
// the same instant, further down the input, comes after it.
type Sabin struct {
	engine  *sim.Engine
	foresee bool
	fair    []job.Time
	arrived int
}

// NewSabin returns the search before its first step. It needs the policy of c for
// itself. With foresee, all that has not ended when a job comes is taken to run
// as long as its estimate: what can be known at that moment. Else runtimes are
// the true ones, as published.
func NewSabin(c sim.Config, foresee bool) (*Sabin, error) {
	c.Level = log.Spans
	e, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	return &Sabin{engine: e, foresee: foresee, fair: make([]job.Time, len(c.Jobs))}, nil
}

// Times returns the fair start time of each job that has come so far.
func (s *Sabin) Times() []job.Time { return s.fair[:s.arrived] }

// Step goes to the next instant, and with each job that comes then on to its fair
// start. It reports whether jobs are still to come.
func (s *Sabin) Step() (more bool, err error) {
	first := s.arrived
	s.arrived = s.coming()
	for j := first; j < s.arrived-1; j++ { // others come with them
		if err = s.alone(job.Index(j)); err != nil {
			return false, err
		}
	}
	if _, err = s.engine.Step(); err == nil && first < s.arrived {
		err = s.last(job.Index(s.arrived - 1))
	}
	return err == nil && s.arrived < len(s.fair), err
}

// coming returns how many jobs have come after the next instant.
func (s *Sabin) coming() int {
	n, jobs := s.arrived, s.engine.Log().Jobs
	for t := s.engine.Next(); n < len(jobs) && jobs[n].Submit == t; n++ {
	}
	return n
}

// alone settles job j, which comes at the next instant as others do.
func (s *Sabin) alone(j job.Index) error {
	e := s.engine.Without(j)
	if _, err := e.Step(); err != nil {
		return err
	}
	return s.follow(e, j)
}

// last settles job j, which has come in this instant, no other after it. If it
// has started there is nothing to find out.
func (s *Sabin) last(j job.Index) error {
	if s.engine.Log().Placed(j) {
		s.fair[j] = s.engine.Now()
		return nil
	}
	return s.follow(s.engine.Without(j), j)
}

// follow lets e, at the instant in which job j came, go on until j has started.
func (s *Sabin) follow(e *sim.Engine, j job.Index) error {
	if s.foresee {
		e.Foresee()
	}
	for !e.Log().Placed(j) {
		if _, err := e.Step(); err != nil {
			return err
		}
	}
	s.fair[j] = e.Now()
	return nil
}
