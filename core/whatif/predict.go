package whatif

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Prediction predicts when the jobs that wait at a given time will start. It assumes that the
// policy stays the same, that no more jobs arrive, and that every unfinished job runs for its full
// estimate. If the policy plans starts, the prediction equals the plan at the given time, unless
// the policy changes its plan later.
type Prediction struct {
	engine   *sim.Engine
	at       job.Time    // time at which the prediction is made
	Jobs     []job.Index // jobs that wait at that time, in order of submission; nil until the simulation has reached the time
	predicts bool        // whether the simulation has reached that time, so that jobs run for their estimates
}

// NewPrediction returns a prediction for the given time. The caller must call Step until it reports
// false, and must not use the policy in c for anything else.
func NewPrediction(c sim.Config, at job.Time) (*Prediction, error) {
	c.Level = log.Spans
	e, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	return &Prediction{engine: e, at: at}, nil
}

// Step advances the simulation to the next event. At the time of the prediction, it makes all
// unfinished jobs run for their full estimates. It reports whether more steps are needed.
func (p *Prediction) Step() (more bool, err error) {
	if !p.predicts && p.engine.NextEventTime() > p.at {
		p.assumeEstimates()
	}
	if p.predicts && p.allStarted() {
		return false, nil
	}
	_, err = p.engine.Step()
	return err == nil, err
}

// assumeEstimates removes the jobs that have not arrived, makes unfinished jobs run for their full
// estimates, and stores the waiting jobs in p.Jobs.
func (p *Prediction) assumeEstimates() {
	p.predicts = true
	jobs := p.engine.Log().Jobs
	p.engine = p.engine.WithoutLaterJobs(job.None)
	p.engine.UseFullEstimates()
	for j := range jobs[:len(p.engine.Log().Jobs)] {
		if !p.engine.Log().HasSlots(job.Index(j)) {
			p.Jobs = append(p.Jobs, job.Index(j))
		}
	}
}

// allStarted reports whether all jobs in p.Jobs have started. It begins with the job submitted
// last, because that job usually starts last.
func (p *Prediction) allStarted() bool {
	for i := len(p.Jobs) - 1; i >= 0; i-- {
		if !p.engine.Log().HasSlots(p.Jobs[i]) {
			return false
		}
	}
	return true
}

// Done returns the number of jobs that have ended in the simulation so far.
func (p *Prediction) Done() int { return p.engine.FinishedJobs() }

// Starts returns the predicted start time of each job in p.Jobs. Call it after the last step.
func (p *Prediction) Starts() []job.Time {
	ends := p.engine.Log().Outcomes()
	starts := make([]job.Time, len(p.Jobs))
	for i, j := range p.Jobs {
		starts[i] = ends[j].Start
	}
	return starts
}

// Predict makes a prediction and runs all its steps.
func Predict(c sim.Config, at job.Time) (*Prediction, error) {
	p, err := NewPrediction(c, at)
	for more := err == nil; more; {
		more, err = p.Step()
	}
	return p, err
}
