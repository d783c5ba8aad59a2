package glomarc

import (
	"slices"

	"backfill-lab/core/cluster"
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

// largest returns the place of the option with the largest gain, the first of equals.
func largest(options []option) (best int) {
	for i := range options {
		if options[i].gain > options[best].gain+gain.Near {
			best = i
		}
	}
	return best
}

// acceptable reports whether a group fits and is fair. Case 5 is tested at its start.
func (s *state) acceptable(o *option) bool {
	if o.code == log.CaseAlone || o.placed != nil {
		return true
	}
	g, why := s.placement(o)
	if g != nil {
		why = log.Reason{Code: log.Tolerated, Other: job.None}
		if late := s.firstLate(g); late != job.None {
			why = log.Reason{Code: log.Unfair, Other: late, Y: job.Time(s.maxResponse(late))}
		} else {
			o.placed = g
		}
	}
	s.recordVerdict(o, why)
	return o.placed != nil
}

// placement is a group with its nodes.
type placement struct {
	need     job.Need // what it takes beyond what its running jobs hold
	absorbed []*unit  // of its running jobs
	unit     *unit
	forecast
}

// placement returns the nodes of a group, or nil and the reason why it does not fit.
func (s *state) placement(o *option) (*placement, log.Reason) {
	g, room := &placement{need: s.demand(o)}, s.room()
	if room.Has(g.need) {
		g.unit, g.absorbed = s.place(o), o.absorbed()
		g.forecast = forecastOf(s.p, g.unit)
		if s.fits(g.need, g.last()-s.now) && s.admits(g.need) {
			return g, log.Reason{}
		}
	}
	why := log.Reason{Code: log.NotForLong, Other: job.None, Y: int64(g.need.Procs)}
	if g.need.Procs > room.Procs {
		why.Code = log.NoNodes
	}
	return nil, why
}

// absorbed returns the units of the jobs of a group that run already.
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

// demand returns what a group takes beyond what its running jobs hold.
func (s *state) demand(o *option) (n job.Need) {
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

// admits reports whether jobs of other types leave enough of the extra resources free now: a
// group starts as a whole or not at all.
func (s *state) admits(n job.Need) bool {
	for k := range s.extra {
		if s.p.OpenExtra(k) < n.Of(k) {
			return false
		}
	}
	return true
}

// start starts an option and reports whether the host of a time slice lets it.
func (s *state) start(o *option) bool {
	if o.code == log.CaseAlone {
		return s.startAlone(&o.primary, 4)
	}
	u := o.placed.unit
	partners := s.slotsOf(u)
	if o.primary.unit == nil {
		why := log.Reason{Code: log.Leads, Other: job.None, X: log.Millionths(o.gain)}
		claim := s.claim(&u.primary, partners)
		if !s.p.Start(o.primary.job, claim, why) {
			return false
		}
		partners = claim.Slots
	}
	s.startMatched(u, partners)
	for i := range o.matched {
		s.p.Formed(log.Group, o.matched[i].job, log.Reason{Code: o.code, Other: o.primary.job, X: log.Millionths(o.gain), Y: int64(len(o.matched))})
	}
	s.began(u, o.placed.absorbed, o.placed.need, o.placed.last()-s.now)
	return true
}

// startMatched starts the waiting matched jobs of a unit next to the slots of their partners.
func (s *state) startMatched(u *unit, partners cluster.Set) {
	for i := range u.matched {
		if m := &u.matched[i]; !started(s.p, m.job) {
			why := log.Reason{Code: log.Grouped, Other: u.primary.job}
			if m.nodes.Common(u.primary.nodes) == nil {
				why.Code = log.GroupedApart
			}
			s.p.Start(m.job, s.claim(m, partners), why)
		}
	}
}

// startAlone starts a waiting job on nodes of its own and reports whether it fits.
func (s *state) startAlone(j *candidate, perNode int) bool {
	a := j.alone.At(perNode)
	need, length := s.need(j.job, a.Nodes()), duration(&a)
	if !s.fits(need, length) {
		return false
	}
	m := member{j.job, perNode, s.free.Part(0, a.Nodes())}
	packed := int64(min(perNode, a.Procs))
	why := log.Reason{Code: log.Alone, Other: job.None, X: packed, Y: int64(s.free.Count())}
	switch {
	case s.plan != nil:
		why = log.Reason{Code: log.AloneFilled, Other: job.None, X: packed, Y: s.now + length}
	case j.job != s.g.queue[0].job:
		why = log.Reason{Code: log.FirstFit, Other: job.None, X: int64(s.p.Free())}
	}
	if !s.p.Start(j.job, s.claim(&m, nil), why) {
		return false
	}
	s.began(&unit{primary: m}, nil, need, length)
	return true
}
