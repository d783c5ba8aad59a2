package experiment

import (
	"maps"
	"slices"

	"backfill-lab/core/workload/generator"
)

// lightestPart is the index of the part with the fastest runs in the rows of Jin's studies.
const lightestPart = 8

// ShortRow returns a copy of the row. Parts and Base of the copy each contain only the part with the
// fastest runs. If jobs share nodes, ShortRow also reduces the number of jobs, so that a run takes
// about a second.
func ShortRow(r Row) Row {
	r.Parts, r.Base = onePart(r.Parts), onePart(r.Base)
	return r
}

// onePart returns a list with the part at index lightestPart or, if there are fewer parts, with the
// last part. It returns nil if there are no parts.
func onePart(parts []Part) []Part {
	if len(parts) == 0 {
		return nil
	}
	part := parts[min(lightestPart, len(parts)-1)]
	if s, ok := part.Source.(*generatedSource); ok && s.d.Workloads[s.group.Workload].Scenario.Machine.JobsPerNode > 0 {
		part.Source = s.withJobCount("300")
	}
	return []Part{part}
}

// withJobCount returns a copy of the workload with n jobs.
func (w *generatedSource) withJobCount(n string) *generatedSource {
	few := *w
	d := *w.d
	d.Workloads = slices.Clone(d.Workloads)
	x := &d.Workloads[w.group.Workload]
	s, g := *x.Scenario, *x.Scenario.Workload.Generator
	g.Parameters = maps.Clone(g.Parameters)
	g.Parameters[generator.Jobs] = n
	s.Workload.Generator, x.Scenario, few.d = &g, &s, &d
	return &few
}
