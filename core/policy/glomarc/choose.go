package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// choose starts the option with the largest gain that fits and is fair, and reports whether
// there is one. Options with less gain are not tested.
func (s *state) choose(options []option) bool {
	for len(options) > 0 {
		best := largest(options)
		if o := &options[best]; s.acceptable(o) && s.start(o) {
			s.recordChoice(o)
			return true
		}
		options = slices.Delete(options, best, best+1)
	}
	s.recordChoice(nil)
	return false
}

// largest returns the index of the option with the largest gain. Ties go to the first.
func largest(options []option) (best int) {
	for i := range options {
		if options[i].gain > options[best].gain+gain.Tolerance {
			best = i
		}
	}
	return best
}

// acceptable reports whether a group fits and is fair. An option of Case 5 is tested when it
// starts.
func (s *state) acceptable(o *option) bool {
	if o.code == log.CaseAlone || o.placed != nil {
		return true
	}
	g, why := s.placement(o)
	if g != nil {
		why = s.fairness(g)
	}
	s.recordVerdict(o, why)
	if why.Code != log.Tolerated {
		return false
	}
	o.placed = g
	return true
}

// placement holds the nodes of a group that could start now, and its forecast.
type placement struct {
	demand   job.Demand // demand in addition to what its running jobs hold
	absorbed []*unit    // the units of its running jobs
	unit     *unit
	forecast
}

// placement returns the nodes of a group, or nil and the reason why it does not fit.
func (s *state) placement(o *option) (*placement, log.Reason) {
	g, free := &placement{demand: s.demand(o)}, s.freeCapacity()
	if free.Has(g.demand) {
		g.unit, g.absorbed = s.place(o), o.absorbed()
		g.forecast = forecastOf(s.p, g.unit)
		if s.fits(g.demand, g.last()-s.now) && s.admits(g.demand) {
			return g, log.Reason{}
		}
	}
	why := log.Reason{Code: log.NotForLong, Other: job.None, Y: int64(g.demand.Procs)}
	if g.demand.Procs > free.Procs {
		why.Code = log.NoNodes
	}
	return nil, why
}

// absorbed returns the units of the running jobs in a group.
func (o *option) absorbed() (units []*unit) {
	for i := range o.matched {
		if u := o.matched[i].unit; u != nil {
			units = append(units, u)
		}
	}
	if o.primary.unit != nil {
		units = append(units, o.primary.unit)
	}
	return units
}

// demand returns the nodes and extra resources that a group takes in addition to what its running
// jobs hold.
func (s *state) demand(o *option) (n job.Demand) {
	wide, matched := o.primary.Nodes(), o.group.Nodes()
	switch o.code {
	case log.CaseWaiting:
		n.Procs = max(wide, matched)
	case log.CaseRunning:
		n.Procs = max(0, wide-matched)
	case log.CaseJoin:
		n.Procs = max(0, matched-wide)
	}
	for k := range s.extra {
		sum := int64(0)
		for _, c := range append([]candidate{o.primary}, o.matched...) {
			if c.unit == nil {
				sum += s.p.Job(c.job).Extra(k)
			}
		}
		n.Extra = append(n.Extra, sum)
	}
	return n
}

// admits reports whether jobs of other types leave enough of the extra resources free now. Without
// this check, a group could start in part.
func (s *state) admits(n job.Demand) bool {
	for k := range s.extra {
		if s.p.FreeExtraForView(k) < n.Amount(k) {
			return false
		}
	}
	return true
}
