package ui

import (
	"strconv"

	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/generator"
	"backfill-lab/ui/document"
)

// drawnAtOnce is how many jobs are drawn while the page waits, as long as the
// blink of an eye; the worker draws more.
const drawnAtOnce = 2000

// many reports whether a scenario has a generator of more jobs than that.
func many(s *scenario.Scenario) bool {
	g := s.Workload.Generator
	if g == nil {
		return false
	}
	n, err := strconv.Atoi(g.Parameters[generator.Jobs])
	return err == nil && n > drawnAtOnce
}

// drawnRows is the jobs that stand in a scenario, or those that its generator
// draws.
func drawnRows(s *scenario.Scenario) ([]document.Row, error) {
	if s.Workload.Generator == nil {
		return rows(&s.Workload), nil
	}
	d, err := s.Order().Generate()
	if err != nil {
		return nil, err
	}
	return rows(&scenario.Workload{Jobs: d.Jobs}), nil
}
