// Package explain implements the Why? panel. It explains why the selected job starts when
// it does, tries what-if changes, and predicts the start of a waiting job.
package explain

import (
	"fmt"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Explainer holds the state of the Why? panel.
type Explainer struct {
	*session.Session

	decisions    Decisions
	exportChange func(*protocol.WhatIfAnswer) // exports the metrics before and after a change
	curveOpen    bool                         // show the values of the speedup curve
	trial        trial                        // the what-if form for the selected job
	machine      machineTrial                 // the what-if form for the machine or the estimates of all jobs
}

// Decisions lists the methods of the decisions panel that the Why? panel calls. If a policy selects sets of jobs, its
// explanation has a button that opens the decisions panel.
type Decisions interface {
	ShowDecision(result int, at int64)
}

// New returns the Why? panel of a session. The function exportChange exports the metrics before and after a change.
func New(s *session.Session, d Decisions, exportChange func(*protocol.WhatIfAnswer)) *Explainer {
	return &Explainer{Session: s, decisions: d, exportChange: exportChange}
}

// ShowDecision opens the decision that an explanation refers to.
func (c *Explainer) ShowDecision(a Explanation) { c.decisions.ShowDecision(a.Result, *a.Decided) }

// DecisionLabel returns the label of the button that opens the decision.
func (c *Explainer) DecisionLabel(a Explanation) string {
	return fmt.Sprintf("Show the sets of jobs tried at %s", c.Clock().Instant(*a.Decided))
}

// HandleAnswer handles the worker's answer to a what-if request. It reports false if the
// answer is for another feature.
func (c *Explainer) HandleAnswer(m browser.Message) (bool, error) {
	if x := c.machine.requestID; x != 0 && m.ID == x {
		return true, c.machine.answer(c, m)
	}
	if c.trial.requestID == 0 || m.ID != c.trial.requestID {
		return false, nil
	}
	return true, c.trial.answer(c, m)
}

// DropOldAnswers drops the what-if answers about the results of the previous run.
func (c *Explainer) DropOldAnswers() {
	c.machine.outcomes, c.machine.requestID, c.machine.err = [questions]*protocol.WhatIfAnswer{}, 0, ""
	c.trial.dropAnswers(c)
}

// UpdateForm updates the what-if form after a new explanation of the selected job.
func (c *Explainer) UpdateForm() { c.trial.updateForm(c) }

// HandleWorkerLoss records that the worker has ended and will not answer the open requests.
func (c *Explainer) HandleWorkerLoss() { c.trial.requestID, c.machine.requestID = 0, 0 }

// Forget cancels the open request about a job, and drops everything that contains names of jobs. The
// page calls Forget when it anonymises the scenario, or replaces it with an example or a lesson.
func (c *Explainer) Forget() {
	c.trial.cancel(c)
	c.trial = trial{}
}

type (
	// Panel is the component of the whole Why? panel.
	Panel struct{ Explainer *Explainer }
	// WhatIf is the component of the what-if form and its answers.
	WhatIf struct{ Explainer *Explainer }
	// Curve is the component of a moldable job's speedup curve.
	Curve struct{ Explainer *Explainer }
)
