package worker

import (
	"backfill-lab/core/compare"
	"backfill-lab/ui/protocol"
)

// spread says how waits or slowdowns are spread over all jobs and over the classes of
// each way to sort them but for users, who are too many to be drawn.
func (s *Session) spread(m Message, q protocol.Spread) error {
	rs, r, err := s.present(q.Generation, q.Result)
	if err != nil {
		return err
	}
	values := compare.Waits
	if q.Slowdown {
		values = compare.Slowdowns
	}
	v := values(r.log, r.became(), rs.Scenario.Metrics())
	order := compare.Ascending(v)
	head := protocol.Spreads{Generation: rs.generation, Result: q.Result,
		Sorts: []protocol.BoxSort{boxes(sorting{"", compare.All(rs.Work.Jobs)}, v, order)}}
	for _, c := range rs.classes() {
		if c.title != byUser {
			head.Sorts = append(head.Sorts, boxes(c, v, order))
		}
	}
	s.host.Post("spreads", m.ID, head, nil)
	return nil
}

func boxes(c sorting, v []float64, order []int32) protocol.BoxSort {
	out := protocol.BoxSort{Title: c.title}
	for k, x := range compare.Spreads(v, order, c.Classes) {
		out.Boxes = append(out.Boxes, protocol.Box{Name: c.Names[k], Jobs: x.N,
			At: []float64{x.Min, x.Low, x.Q1, x.Median, x.Q3, x.High, x.Max}, Mean: x.Mean, Few: x.Few})
	}
	return out
}
