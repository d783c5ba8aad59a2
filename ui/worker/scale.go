package worker

import (
	"backfill-lab/core/gantt"
	"backfill-lab/core/shade"
)

// shades returns the classes of the jobs of all results; those asked for last are kept.
func (rs *results) shades(kind string, base int) *shade.Set {
	if kind == "" {
		return nil
	}
	if rs.shade == nil || rs.shade.Kind != kind || rs.shadeBase != base {
		runs := make([]shade.Run, len(rs.list))
		for i, r := range rs.list {
			runs[i] = shade.Run{Title: r.title, Log: r.log, Ends: r.became()}
		}
		rs.shade, rs.shadeBase = shade.New(kind, runs, base), base
	}
	return rs.shade
}

// shadeOf returns what a view needs of the classes of result i.
func shadeOf(s *shade.Set, i int) gantt.Shade {
	if s == nil {
		return gantt.Shade{}
	}
	return gantt.Shade{Of: s.Of[i], Classes: len(s.Words), Mean: s.Mean()}
}
