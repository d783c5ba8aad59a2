// Package policies is the form of the policies to compare and of their knobs.
package policies

import "backfill-lab/ui/session"

// Policies is the policies of the document as a form.
type Policies struct {
	*session.Session

	slackWait string // expected wait of the example of slack, as typed
}

// New returns the form of a session.
func New(s *session.Session) *Policies { return &Policies{Session: s, slackWait: "65000"} }

// Panel is the form as a component.
type Panel struct{ Policies *Policies }
