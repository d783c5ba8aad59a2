package worker

import (
	"backfill-lab/core/compare"
	"backfill-lab/ui/protocol"
)

const (
	maxShifted = 8  // largest number of jobs in each of two lists: jobs that gain most, and jobs that lose most
	maxUsers   = 12 // number of users listed: those with the largest changes
)

// compare answers with the differences between the starts of jobs in two results. The answer contains the
// jobs that gain and lose most, and the numbers of earlier and later starts in total and for each class.
func (s *Session) compare(m Message, q protocol.Compare) error {
	rs, base, err := s.current(q.Generation, q.Base)
	if err != nil {
		return err
	}
	_, other, err := s.current(q.Generation, q.Other)
	if err != nil {
		return err
	}
	jobs := rs.Work.Jobs
	a, b := compare.Result{Jobs: jobs, Outcomes: base.outcomes()}, compare.Result{Jobs: jobs, Outcomes: other.outcomes()}
	d := compare.Diff(a, b, nil)
	all := d.Tally(compare.Start)
	head := protocol.Compared{Generation: rs.generation, Base: q.Base, Other: q.Other, All: protocolTally("", all),
		MostEarlier: shiftedJobs(d.MostEarlier(compare.Start, maxShifted), a, b), MostDelayed: shiftedJobs(d.MostDelayed(compare.Start, maxShifted), a, b)}
	for _, c := range rs.classes() {
		head.Classifications = append(head.Classifications, tallyClasses(d, c))
	}
	s.host.Post("compared", m.ID, head, nil)
	return nil
}

// classification divides the jobs of a run into classes, such as by size.
type classification struct {
	title string // property that determines the class, such as "size"
	*compare.Classes
}

// classes returns the ways in which the jobs can be divided into classes: by size, by estimate and,
// if jobs have users, by user. It omits a way that gives only one class.
func (rs *results) classes() []classification {
	if rs.classifications == nil {
		jobs := rs.Work.Jobs
		rs.classifications = []classification{}
		for _, x := range []classification{{"size", compare.ClassifyBySize(jobs)}, {"estimate", compare.ClassifyByLength(jobs, rs.Scenario.MetricOptions(), rs.clock)}, {byUser, compare.ClassifyByUser(jobs)}} {
			if x.Classes != nil && len(x.Names) > 1 {
				rs.classifications = append(rs.classifications, x)
			}
		}
	}
	return rs.classifications
}

const byUser = "user" // title of the classification by user

// tallyClasses counts, for each class, the jobs that start earlier than in the base result, later, or at the same
// time. If there are more than maxUsers users, it returns only the users with the largest changes, in decreasing
// order.
func tallyClasses(d *compare.Difference, c classification) protocol.Classification {
	out := protocol.Classification{Title: c.title}
	all := d.ClassTallies(compare.Start, c.Classes)
	for k, name := range c.Names {
		if name == "" {
			name = "no " + c.title
		}
		out.Classes = append(out.Classes, protocolTally(name, all[k]))
	}
	if n := len(out.Classes); c.title == byUser && n > maxUsers {
		moveTopUsersFirst(out.Classes)
		out.Classes, out.More = out.Classes[:maxUsers], n-maxUsers
	}
	return out
}

// moveTopUsersFirst moves the maxUsers users with the largest changes to the front of the list. The change of a
// user is the total number of seconds by which jobs of the user start earlier or later.
func moveTopUsersFirst(all []protocol.Tally) {
	for i := range maxUsers {
		top := i
		for k := i + 1; k < len(all); k++ {
			if all[k].SecondsEarlier+all[k].SecondsLater > all[top].SecondsEarlier+all[top].SecondsLater {
				top = k
			}
		}
		x := all[top]
		copy(all[i+1:top+1], all[i:top])
		all[i] = x
	}
}

// protocolTally converts the counts of a class to the form that the page receives.
func protocolTally(name string, t compare.Tally) protocol.Tally {
	return protocol.Tally{Name: name, Earlier: t.Earlier, Later: t.Later, Same: t.Same, SecondsEarlier: t.SecondsEarlier, SecondsLater: t.SecondsLater}
}

// shiftedJobs converts a list of jobs whose starts differ between the results a (the base) and b to
// the form that the page receives.
func shiftedJobs(list []compare.Shift, a, b compare.Result) []protocol.ShiftedJob {
	out := []protocol.ShiftedJob{}
	for _, x := range list {
		out = append(out, protocol.ShiftedJob{Job: int(x.Job), ID: a.Jobs[x.Job].ID, From: a.Outcomes[x.Job].Start, To: b.Outcomes[x.Other].Start})
	}
	return out
}

// spread answers with the distribution of waits or bounded slowdowns: for all jobs, and for each
// class of each classification. It omits the classification by user, which has too many classes to draw.
func (s *Session) spread(m Message, q protocol.Spread) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	values := compare.Waits
	if q.Slowdown {
		values = compare.Slowdowns
	}
	v := values(r.log, r.outcomes(), rs.Scenario.MetricOptions())
	order := compare.SortedIndexes(v)
	head := protocol.Spreads{Generation: rs.generation, Result: q.Result,
		Classifications: []protocol.BoxClassification{classBoxes(classification{"", compare.SingleClass(rs.Work.Jobs)}, v, order)}}
	for _, c := range rs.classes() {
		if c.title != byUser {
			head.Classifications = append(head.Classifications, classBoxes(c, v, order))
		}
	}
	s.host.Post("spreads", m.ID, head, nil)
	return nil
}

// classBoxes returns the distribution of the values v in each class of a classification. There is one value for each
// job, by index. jobsByValue lists the job indexes in order of increasing values.
func classBoxes(c classification, v []float64, jobsByValue []int32) protocol.BoxClassification {
	out := protocol.BoxClassification{Title: c.title}
	for k, x := range compare.Distributions(v, jobsByValue, c.Classes) {
		out.Boxes = append(out.Boxes, protocol.Box{Name: c.Names[k], Jobs: x.N,
			At: []float64{x.Min, x.Low, x.Q1, x.Median, x.Q3, x.High, x.Max}, Mean: x.Mean, Values: x.Values})
	}
	return out
}
