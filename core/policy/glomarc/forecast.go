package glomarc

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/profile"
)

// forecast is when the jobs of a unit end by their estimates, and what they hold
// until when.
type forecast struct {
	ends  []job.Time // of the primary, then of the matched jobs
	holds []hold
}

type hold struct {
	need  job.Need
	until job.Time
}

// last returns when the last job ends.
func (f *forecast) last() (end job.Time) {
	for _, t := range f.ends {
		end = max(end, t)
	}
	return end
}

// forecast foresees a unit, which may be one that could start now.
func (s *step) forecast(u *unit) (f forecast) {
	a := s.job(u.primary.job, u.primary.perNode)
	if u.alone() {
		f.ends = []job.Time{s.now + duration(&a)}
	} else {
		f.ends = s.ends(u)
	}
	f.holds = s.holds(u, f.ends)
	return f
}

// ends returns when the jobs of a group end: those that survive it go on alone.
func (s *step) ends(u *unit) []job.Time {
	g := s.group(u)
	w := g.Gain()
	over := w.Periods[len(w.Periods)-1].To
	ends := make([]job.Time, 1+len(g.Matched))
	ends[0] = s.now + job.Seconds(over+float64(w.Left*g.Primary.Self()))
	for i := range g.Matched {
		if w.Rest[i] > 0 {
			ends[1+i] = s.now + job.Seconds(over+float64(w.Rest[i]*g.Matched[i].Self()))
		}
	}
	for _, p := range w.Periods {
		for _, i := range p.Running {
			if w.Rest[i] == 0 {
				ends[1+i] = s.now + job.Seconds(p.To)
			}
		}
	}
	return ends
}

// group returns the group of a unit as the arithmetic of gains sees it.
func (s *step) group(u *unit) gain.Group {
	g := gain.Group{Primary: s.job(u.primary.job, u.primary.perNode)}
	for i := range u.matched {
		g.Matched = append(g.Matched, s.beside(u.primary.job, u.matched[i].job, u.matched[i].perNode))
	}
	return g
}

// beside returns job i as it is matched with the primary a.
func (s *step) beside(a, i job.Index, perNode int) gain.Member {
	return gain.Member{Job: s.job(i, perNode), Suffers: s.cos(i, a), Causes: s.cos(a, i)}
}

// holds returns what the jobs hold: a node until the last job on it has ended.
func (s *step) holds(u *unit, ends []job.Time) (holds []hold) {
	add := func(n job.Need, until job.Time) {
		if n.Procs > 0 || n.Extra != nil {
			holds = append(holds, hold{n, until})
		}
	}
	a := &u.primary
	rest := a.nodes
	for i := range u.matched {
		m := &u.matched[i]
		shared := m.nodes.Common(a.nodes).Count()
		rest = rest.Without(m.nodes)
		add(job.Need{Procs: shared}, max(ends[0], ends[1+i]))
		add(s.need(m.job, m.nodes.Count()-shared), ends[1+i])
	}
	add(s.need(a.job, rest.Count()), ends[0])
	return holds
}

// see returns the forecasts of all units.
func (s *step) see() []forecast {
	if s.sees == nil {
		for _, u := range s.units {
			s.sees = append(s.sees, s.forecast(u))
		}
	}
	return s.sees
}

// running returns the plan of the jobs that run.
func (s *step) running() *profile.Profile {
	m := cluster.Machine{Nodes: s.p.Machine().Nodes, Processors: 1, Cores: 1, Resources: s.p.Machine().Resources}
	plan := profile.Of(&m)
	plan.Trim(s.now)
	for _, f := range s.see() {
		s.reserve(plan, &f)
	}
	return plan
}

// reserve enters a forecast in a plan.
func (s *step) reserve(plan *profile.Profile, f *forecast) {
	for i := range f.holds {
		plan.Reserve(f.holds[i].need, s.now, f.holds[i].until)
	}
}

// book plans job j alone at its earliest start.
func (s *step) book(plan *profile.Profile, j job.Index) (at, length job.Time) {
	a := s.spaced(j)
	length = duration(&a)
	return plan.Book(s.need(j, a.Nodes()), length, s.now), length
}
