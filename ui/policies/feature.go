// Package policies implements the form that selects the policies to compare and sets
// their knobs. It also draws the slack curves of policies with slack knobs.
package policies

import "backfill-lab/ui/session"

// Policies edits the policies of the session's document.
type Policies struct {
	*session.Session

	slackWait string // expected wait of the example job in the slack curve, as typed
}

// New returns the policy form of a session.
func New(s *session.Session) *Policies { return &Policies{Session: s, slackWait: "65000"} }

// Panel is the component of the Policies panel.
type Panel struct{ Policies *Policies }
