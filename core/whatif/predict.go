package whatif

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Prediction is when each job that waits at a moment is to be expected to start:
// when it would, under the same policy, if nobody else came and all that has not
// ended ran as long as its estimate. It is what can be known at that moment; a
// policy that plans foretells the same, as long as its plan stands.
type Prediction struct {
	engine *sim.Engine
	at     job.Time
	Jobs   []job.Index // that wait then, in the order of submission; known once Foresees
	ahead  bool        // the moment is reached
}

// NewPrediction returns the search before its first step. It needs the policy of c
// for itself.
func NewPrediction(c sim.Config, at job.Time) (*Prediction, error) {
	c.Level = log.Spans
	e, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	return &Prediction{engine: e, at: at}, nil
}

// Step goes to the next instant, and at the moment on to what is foreseen. It
// reports whether there is more to do.
func (p *Prediction) Step() (more bool, err error) {
	if !p.ahead && p.engine.Next() > p.at {
		p.foresee()
	}
	if p.ahead && p.settled() {
		return false, nil
	}
	_, err = p.engine.Step()
	return err == nil, err
}

// foresee leaves out what is still to come.
func (p *Prediction) foresee() {
	p.ahead = true
	jobs := p.engine.Log().Jobs
	p.engine = p.engine.Without(job.None)
	p.engine.Foresee()
	for j := range jobs[:len(p.engine.Log().Jobs)] {
		if !p.engine.Log().Placed(job.Index(j)) {
			p.Jobs = append(p.Jobs, job.Index(j))
		}
	}
}

// settled reports whether all who waited have started; looking from behind ends
// soon where some have not.
func (p *Prediction) settled() bool {
	for i := len(p.Jobs) - 1; i >= 0; i-- {
		if !p.engine.Log().Placed(p.Jobs[i]) {
			return false
		}
	}
	return true
}

// Foresees reports whether the moment is reached and the rest is foreseen.
func (p *Prediction) Foresees() bool { return p.ahead }

// Done returns how many jobs have ended so far.
func (p *Prediction) Done() int { return p.engine.Done() }

// Starts returns the foreseen start of each of Jobs, once all steps are taken.
func (p *Prediction) Starts() []job.Time {
	ends := p.engine.Log().Outcomes()
	starts := make([]job.Time, len(p.Jobs))
	for i, j := range p.Jobs {
		starts[i] = ends[j].Start
	}
	return starts
}

// Predict takes all steps of a prediction.
func Predict(c sim.Config, at job.Time) (*Prediction, error) {
	p, err := NewPrediction(c, at)
	for more := err == nil; more; {
		more, err = p.Step()
	}
	return p, err
}
