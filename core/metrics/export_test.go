package metrics

import "backfill-lab/core/schedule"

// Step exports the type step. Tests compare steps with the state of the machine in each second.
type Step = step

// Steps returns the steps of a schedule. It does not count the nodes in use.
func Steps(s *schedule.Schedule) []Step { return steps(sortedBySubmit(s), nil) }
