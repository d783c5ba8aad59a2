package metrics

import "backfill-lab/core/schedule"

// Step is the state of the machine, which tests compare with a count by second.
type Step = step

// Steps returns the steps of a schedule. It does not count nodes.
func Steps(s *schedule.Schedule) []Step { return steps(sortedBySubmit(s), nil) }
