package experiment

import (
	"maps"

	"backfill-lab/core/workload/generator"
)

// lightestPart is the index of the part with the shortest runs in rows of Jin's studies.
const lightestPart = 8

// Brief returns the row with only one of its parts, the one with the shortest runs. If jobs share
// nodes, the part is reduced to so few jobs that it takes a second.
func Brief(r Row) Row {
	r.Parts, r.Base = onePart(r.Parts), onePart(r.Base)
	return r
}

// onePart returns the part with the shortest runs.
func onePart(parts []Part) []Part {
	if len(parts) == 0 {
		return nil
	}
	part := parts[min(lightestPart, len(parts)-1)]
	if s, ok := part.Source.(*sharedNodes); ok {
		few := *s
		few.Knobs = maps.Clone(s.Knobs)
		few.Knobs[generator.Jobs] = "300"
		part.Source = &few
	}
	return []Part{part}
}
