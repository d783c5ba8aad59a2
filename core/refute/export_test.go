package refute

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

// Without reports whether x, the scenario of the counterexample, still reaches the goal after job j
// is removed.
func (s *Search) Without(x *scenario.Scenario, j int) (bool, error) {
	jobs := slices.Delete(append([]job.Job(nil), x.Workload.Jobs...), j, j+1)
	return s.reaches(s.found, &workload{x.Machine.Machine, jobs})
}
