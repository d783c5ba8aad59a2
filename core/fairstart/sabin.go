// Package fairstart computes fair start times of the jobs in a run under any policy. The fair start
// of a job is the time at which it would start if no job submitted later could overtake it. The
// package implements two definitions, by Sabin et al. 2004 and by Jin 2009. Package metrics
// compares fair start times with actual start times.
package fairstart

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Sabin runs a workload and computes the fair start of each job. This is the time at which the job
// would start under the same policy if no later job were submitted (Sabin et al. 2004). Among jobs
// with the same submit time, those with higher indexes count as later.
type Sabin struct {
	engine      *sim.Engine // runs all jobs; clones of it leave out later jobs
	byEstimates bool        // whether unfinished jobs run for their estimates, see NewSabin
	fair        []job.Time  // fair start times, by job
	submitted   int         // number of jobs submitted so far
}

// NewSabin returns a Sabin at the start of the run. The caller must not use the policy in c for
// anything else. If byEstimates is set, a fair start depends only on information that is available
// when the job is submitted: unfinished jobs run for their full estimates. Otherwise, jobs run for
// their actual runtimes, as in the paper.
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

// Step advances the run to the next time at which something happens. For each job submitted at that
// time, it continues a clone of the engine until the job starts. The last of these jobs needs no
// clone if it starts at once. Step reports whether more jobs will be submitted.
func (s *Sabin) Step() (more bool, err error) {
	first := s.submitted
	s.submitted = s.submittedByNextEvent()
	for j := first; j < s.submitted-1; j++ { // all jobs submitted at this time except the last one
		if err = s.fairStartWithoutLater(job.Index(j)); err != nil {
			return false, err
		}
	}
	if _, err = s.engine.Step(); err == nil && first < s.submitted {
		err = s.fairStartOfLast(job.Index(s.submitted - 1))
	}
	return err == nil && s.submitted < len(s.fair), err
}

// submittedByNextEvent returns how many jobs will have been submitted by the next time at which something
// happens, including that time.
func (s *Sabin) submittedByNextEvent() int {
	n, jobs := s.submitted, s.engine.Log().Jobs
	for t := s.engine.NextEventTime(); n < len(jobs) && jobs[n].Submit == t; n++ {
	}
	return n
}

// fairStartWithoutLater computes the fair start of job j by continuing a clone of the engine that
// contains no later jobs. Jobs with the same submit time and a higher index are later jobs.
func (s *Sabin) fairStartWithoutLater(j job.Index) error {
	e := s.engine.WithoutLaterJobs(j)
	if _, err := e.Step(); err != nil {
		return err
	}
	return s.runUntilStart(e, j)
}

// fairStartOfLast computes the fair start of job j, the last job submitted at this time. If the job has
// already started, its start is its fair start.
func (s *Sabin) fairStartOfLast(j job.Index) error {
	if s.engine.Log().HasSlots(j) {
		s.fair[j] = s.engine.Now()
		return nil
	}
	return s.runUntilStart(s.engine.WithoutLaterJobs(j), j)
}

// runUntilStart continues engine e until job j starts, and records the start as the fair start of
// the job.
func (s *Sabin) runUntilStart(e *sim.Engine, j job.Index) error {
	if s.byEstimates {
		e.UseFullEstimates()
	}
	for !e.Log().HasSlots(j) {
		if _, err := e.Step(); err != nil {
			return err
		}
	}
	s.fair[j] = e.Now()
	return nil
}
