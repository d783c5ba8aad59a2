// Package machine implements the form that edits the machine: nodes, cores, extra
// resources, outages, and slowdowns on shared nodes.
package machine

import "backfill-lab/ui/session"

// Machine edits the machine of the session's document.
type Machine struct{ *session.Session }

// New returns the machine form of a session.
func New(s *session.Session) *Machine { return &Machine{s} }

type (
	// Panel is the component of the whole form.
	Panel struct{ Machine *Machine }
	// Resources is the component of the extra resources.
	Resources struct{ Machine *Machine }
	// Blocks is the component of the outages.
	Blocks struct{ Machine *Machine }
)
