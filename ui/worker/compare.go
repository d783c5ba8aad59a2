package worker

import (
	"backfill-lab/core/compare"
	"backfill-lab/ui/protocol"
)

const (
	mostShifted = 8  // jobs in the lists of those who gain and pay most
	mostUsers   = 12 // users told of, those with the most at stake first
)

// compare says how a result differs from another. It reads what became of the jobs
// and walks over them a few times.
func (s *Session) compare(m Message, q protocol.Compare) error {
	rs, base, err := s.present(q.Generation, q.Base)
	if err != nil {
		return err
	}
	_, other, err := s.present(q.Generation, q.Other)
	if err != nil {
		return err
	}
	jobs := rs.Work.Jobs
	a, b := compare.Side{Jobs: jobs, Ends: base.became()}, compare.Side{Jobs: jobs, Ends: other.became()}
	d := compare.Of(a, b, nil)
	all := d.Tally(compare.Start)
	head := protocol.Compared{Generation: rs.generation, Base: q.Base, Other: q.Other, All: tally("", all),
		Gainers: shifted(d.Gainers(compare.Start, mostShifted), a, b), Payers: shifted(d.Payers(compare.Start, mostShifted), a, b)}
	for _, c := range rs.classes() {
		head.Sorts = append(head.Sorts, sorted(d, c))
	}
	s.host.Post("compared", m.ID, head, nil)
	return nil
}

// sorting is a way to sort the jobs of a run into classes.
type sorting struct {
	title string
	*compare.Classes
}

// classes returns the ways that tell some of these jobs from others: by size and by length
// and, where jobs name them, by user.
func (rs *results) classes() []sorting {
	if rs.sorts == nil {
		jobs := rs.Work.Jobs
		rs.sorts = []sorting{}
		for _, x := range []sorting{{"size", compare.Sizes(jobs)}, {"estimate", compare.Lengths(jobs, rs.Scenario.Metrics())}, {byUser, compare.Users(jobs)}} {
			if x.Classes != nil && len(x.Names) > 1 {
				rs.sorts = append(rs.sorts, x)
			}
		}
	}
	return rs.sorts
}

const byUser = "user"

func sorted(d *compare.Difference, c sorting) protocol.Sort {
	out := protocol.Sort{Title: c.title}
	all := d.Classes(compare.Start, c.Classes)
	for k, name := range c.Names {
		if name == "" {
			name = "no " + c.title
		}
		out.Classes = append(out.Classes, tally(name, all[k]))
	}
	if n := len(out.Classes); c.title == byUser && n > mostUsers {
		weightiest(out.Classes)
		out.Classes, out.More = out.Classes[:mostUsers], n-mostUsers
	}
	return out
}

// weightiest brings the classes with the most seconds at stake to the front, as
// many as are told of.
func weightiest(all []protocol.Tally) {
	for i := range mostUsers {
		top := i
		for k := i + 1; k < len(all); k++ {
			if all[k].Gained+all[k].Paid > all[top].Gained+all[top].Paid {
				top = k
			}
		}
		x := all[top]
		copy(all[i+1:top+1], all[i:top])
		all[i] = x
	}
}

func tally(name string, t compare.Tally) protocol.Tally {
	return protocol.Tally{Name: name, Earlier: t.Earlier, Later: t.Later, Same: t.Same, Gained: t.Gained, Paid: t.Paid}
}

func shifted(list []compare.Shift, a, b compare.Side) []protocol.Shifted {
	out := []protocol.Shifted{}
	for _, x := range list {
		out = append(out, protocol.Shifted{Job: int(x.Job), ID: a.Jobs[x.Job].ID, From: a.Ends[x.Job].Start, To: b.Ends[x.Other].Start})
	}
	return out
}
