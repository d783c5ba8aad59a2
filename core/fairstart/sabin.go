// Package fairstart computes the fair start time of each job of a run, under any policy, as
// defined by Sabin et al. 2004 or Jin 2009. Package metrics compares fair start times with
// actual ones.
package fairstart

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Sabin runs a workload and finds the fair start of each job: when the job would start under the same
// policy if no later job were submitted (Sabin et al. 2004). Among jobs with equal submit times, one with a
// higher index counts as later.
type Sabin struct {
	engine      *sim.Engine
	byEstimates bool       // see NewSabin
	fair        []job.Time // fair start times, by job
	submitted   int        // number of jobs submitted so far
}

// NewSabin returns a Sabin before its first step. The caller must not use the policy of c for
// anything else. With byEstimates, the fair start of a job uses only information available at its
// submission: unfinished jobs run for their full estimates. Otherwise all jobs run for their
// actual runtimes, as in the paper.
func NewSabin(c sim.Config, byEstimates bool) (*Sabin, error) {
	c.Level = log.Spans
	e, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	return &Sabin{engine: e, byEstimates: byEstimates, fair: make([]job.Time, len(c.Jobs))}, nil
}

// Times returns the fair start times of the jobs submitted so far.
func (s *Sabin) Times() []job.Time { return s.fair[:s.submitted] }

// Step advances the run to the next instant. For each job submitted at that instant, it runs a
// clone of the engine until the job starts. It reports whether jobs remain to be submitted.
func (s *Sabin) Step() (more bool, err error) {
	first := s.submitted
	s.submitted = s.countToNext()
	for j := first; j < s.submitted-1; j++ { // all jobs submitted at this instant except the last one
		if err = s.runWithoutLater(job.Index(j)); err != nil {
			return false, err
		}
	}
	if _, err = s.engine.Step(); err == nil && first < s.submitted {
		err = s.runLast(job.Index(s.submitted - 1))
	}
	return err == nil && s.submitted < len(s.fair), err
}

// countToNext returns the number of jobs that are submitted up to and including the next instant.
func (s *Sabin) countToNext() int {
	n, jobs := s.submitted, s.engine.Log().Jobs
	for t := s.engine.Next(); n < len(jobs) && jobs[n].Submit == t; n++ {
	}
	return n
}

// runWithoutLater finds the fair start of job j in a run without later jobs. Jobs of the same
// instant with a higher index are later jobs.
func (s *Sabin) runWithoutLater(j job.Index) error {
	e := s.engine.WithoutLaterJobs(j)
	if _, err := e.Step(); err != nil {
		return err
	}
	return s.runUntilStart(e, j)
}

// runLast finds the fair start of job j, the last job submitted at this instant. If the job has
// already started, its start is its fair start.
func (s *Sabin) runLast(j job.Index) error {
	if s.engine.Log().HasSlots(j) {
		s.fair[j] = s.engine.Now()
		return nil
	}
	return s.runUntilStart(s.engine.WithoutLaterJobs(j), j)
}

// runUntilStart steps the engine e from the submission of job j until j starts, and records the
// time of the start.
func (s *Sabin) runUntilStart(e *sim.Engine, j job.Index) error {
	if s.byEstimates {
		e.RunFullEstimates()
	}
	for !e.Log().HasSlots(j) {
		if _, err := e.Step(); err != nil {
			return err
		}
	}
	s.fair[j] = e.Now()
	return nil
}
