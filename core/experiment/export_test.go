package experiment

import (
	"maps"

	"backfill-lab/core/workload/generator"
)

// lightestPart is the index of the part whose runs are fastest in rows of Jin's studies.
const lightestPart = 8

// ShortRow returns the row with only the part whose runs are fastest. If jobs share nodes, the part gets
// fewer jobs, so that its run takes about a second.
func ShortRow(r Row) Row {
	r.Parts, r.Base = onePart(r.Parts), onePart(r.Base)
	return r
}

// onePart returns a list of only the part whose runs are fastest, or nil if there are no parts.
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
