// Package machine is the form of the machine: nodes, cores, extra resources, outages,
// and slowdowns on shared nodes.
package machine

import "backfill-lab/ui/session"

// Machine is the machine of the document as a form.
type Machine struct{ *session.Session }

// New returns the form of a session.
func New(s *session.Session) *Machine { return &Machine{s} }

type (
	// Panel is the whole form.
	Panel struct{ Machine *Machine }
	// Resources is the extra resources.
	Resources struct{ Machine *Machine }
	// Blocks is the outages.
	Blocks struct{ Machine *Machine }
)
