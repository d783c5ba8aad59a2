// Package explain answers why the selected job is where it is, what would happen if it
// were different, and when it is expected to start.
package explain

import (
	"fmt"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Explainer is the state of the answers.
type Explainer struct {
	*session.Session

	decisions Decisions
	curveOpen bool // the values of the curve are shown
	trial     trial
}

// Decisions is the panel of decisions, to which an answer may lead.
type Decisions interface {
	ShowDecision(result int, at int64)
}

// New returns the answers of a session.
func New(s *session.Session, d Decisions) *Explainer { return &Explainer{Session: s, decisions: d} }

// ShowDecision opens the decision that an answer names, of a result.
func (c *Explainer) ShowDecision(result int, a protocol.Answer) {
	c.decisions.ShowDecision(result, *a.Decided)
}

// DecisionWord returns the words of the button for it.
func (c *Explainer) DecisionWord(a protocol.Answer) string {
	return fmt.Sprintf("Sets tried at %d", *a.Decided)
}

// Answered takes the worker's answer to what if; it reports whether it is one.
func (c *Explainer) Answered(m browser.Message) (bool, error) {
	if c.trial.asking == 0 || m.ID != c.trial.asking {
		return false, nil
	}
	return true, c.trial.answer(c, m)
}

// Renew forgets what was said about former results.
func (c *Explainer) Renew() { c.trial.renew(c) }

// Settle takes in a new answer about the selected job.
func (c *Explainer) Settle() { c.trial.settle(c) }

// Lost is told that the worker is gone with all requests.
func (c *Explainer) Lost() { c.trial.asking = 0 }

// Forget drops all names of jobs.
func (c *Explainer) Forget() {
	c.trial.cancel(c)
	c.trial = trial{}
}

// Words returns a sentence as rendered.
func (c *Explainer) Words(parts []protocol.Part) []widgets.Word { return widgets.Words(parts) }

type (
	// Panel is the answer about a job.
	Panel struct{ Explainer *Explainer }
	// WhatIf is what would happen if the job were different.
	WhatIf struct{ Explainer *Explainer }
	// Curve is the runtime of a moldable job by processors.
	Curve struct{ Explainer *Explainer }
)
