package experiment

import (
	"maps"

	"backfill-lab/core/workload/generator"
)

// lightest is the place of the part with the shortest runs among those of Jin's
// rows.
const lightest = 8

// Brief returns the row with one of its parts alone, that with the shortest runs; where
// jobs share nodes with so few jobs that it takes a second.
func Brief(r Row) Row {
	r.Parts, r.Than = oneOf(r.Parts), oneOf(r.Than)
	return r
}

func oneOf(parts []Part) []Part {
	if len(parts) == 0 {
		return nil
	}
	part := parts[min(lightest, len(parts)-1)]
	if s, ok := part.Source.(*shared); ok {
		few := *s
		few.Knobs = maps.Clone(s.Knobs)
		few.Knobs[generator.Jobs] = "300"
		part.Source = &few
	}
	return []Part{part}
}
