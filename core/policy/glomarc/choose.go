package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// startLargestGain starts the option with the largest gain among those that fit and are fair. It
// tests the options by decreasing gain, records the choice, and reports whether an option started.
func (s *state) startLargestGain(options []option) bool {
	for len(options) > 0 {
		best := largestGain(options)
		if o := &options[best]; s.isAcceptable(o) && s.start(o) {
			s.recordChoice(o)
			return true
		}
		options = slices.Delete(options, best, best+1)
	}
	s.recordChoice(nil)
	return false
}

// largestGain returns the index of the option with the largest gain. Ties go to the first.
func largestGain(options []option) (best int) {
	for i := range options {
		if options[i].gain > options[best].gain+gain.Tolerance {
			best = i
		}
	}
	return best
}

// isAcceptable reports whether a group fits and is fair. It records the verdict. If the
// group is acceptable, it stores the placement of the group in o. For a job alone (Case 5) it returns true,
// since the method start tests whether the job fits.
func (s *state) isAcceptable(o *option) bool {
	if o.code == log.CaseAlone || o.placed != nil {
		return true
	}
	g, why := s.placementOf(o)
	if g != nil {
		why = s.fairnessVerdict(g)
	}
	s.recordVerdict(o, why)
	if why.Code != log.GroupFair {
		return false
	}
	o.placed = g
	return true
}

// placement holds a group that could start now: its nodes, its demand and its forecast.
type placement struct {
	demand   job.Demand // demand in addition to what the running jobs of the group hold
	absorbed []*unit    // units of the running jobs of the group; the new unit replaces them
	unit     *unit      // the group, with the nodes of its jobs
	forecast
}

// placementOf returns the placement of a group that starts now, or nil and the reason why the group
// does not fit.
func (s *state) placementOf(o *option) (*placement, log.Reason) {
	g, free := &placement{demand: s.additionalDemand(o)}, s.freeCapacity()
	if free.Has(g.demand) {
		g.unit, g.absorbed = s.placeGroup(o), o.runningUnits()
		g.forecast = forecastOf(s.p, g.unit)
		if s.fits(g.demand, g.lastEnd()-s.now) && s.extrasFit(g.demand) {
			return g, log.Reason{}
		}
	}
	why := log.Reason{Code: log.NotForWholeRuntime, Other: job.None, Y: int64(g.demand.Procs)}
	if g.demand.Procs > free.Procs {
		why.Code = log.NoNodes
	}
	return nil, why
}

// runningUnits returns the units of the jobs of the group that already run.
func (o *option) runningUnits() (units []*unit) {
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

// additionalDemand returns the nodes and extra resources that a group needs beyond what its running
// jobs already hold.
func (s *state) additionalDemand(o *option) (n job.Demand) {
	primary, matched := o.primary.Nodes(), o.group.Nodes() // numbers of nodes
	switch o.code {
	case log.CaseWaiting:
		n.Procs = max(primary, matched)
	case log.CaseRunning:
		n.Procs = max(0, primary-matched)
	case log.CaseJoin:
		n.Procs = max(0, matched-primary)
	}
	for k := range s.freeExtra {
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

// extrasFit reports whether jobs of other types leave enough of the extra resources free now.
// Without this check, a group might start without some of its jobs.
func (s *state) extrasFit(n job.Demand) bool {
	for k := range s.freeExtra {
		if s.p.FreeExtraForView(k) < n.Amount(k) {
			return false
		}
	}
	return true
}
