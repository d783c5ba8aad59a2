package fairstart

import "backfill-lab/core/sim"

// Engine returns the engine of the run.
func (s *Sabin) Engine() *sim.Engine { return s.engine }
