package fairstart

import "backfill-lab/core/sim"

// Engine returns the engine that runs the whole workload.
func (s *Sabin) Engine() *sim.Engine { return s.engine }
