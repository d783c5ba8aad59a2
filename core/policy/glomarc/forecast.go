package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/sim"
)

// forecast holds the ends of the jobs of a unit, according to their estimates. It also holds the
// nodes and extra resources that these jobs keep, and until when they keep them.
type forecast struct {
	ends  []job.Time // the end of the primary, then the ends of the matched jobs
	holds []hold
}

// hold records nodes and extra resources that are held until a time.
type hold struct {
	demand job.Demand // in nodes
	until  job.Time
}

// lastEnd returns the end of the job that ends last.
func (f *forecast) lastEnd() job.Time { return slices.Max(f.ends) }

// forecastOf returns the forecast of a unit that runs or could start now.
func forecastOf(p *sim.Pass, u *unit) (f forecast) {
	a := toGainJob(p, u.primary.job, u.primary.perNode)
	if u.alone() {
		f.ends = []job.Time{p.Now() + timeAlone(&a)}
	} else {
		f.ends = groupEnds(p, u, a)
	}
	f.holds = holdsOf(p, u, f.ends)
	return f
}

// groupEnds returns when each job of the group u ends: first its primary a, then the matched jobs. The
// group ends with its primary or its last matched job. Jobs that still run then continue alone.
func groupEnds(p *sim.Pass, u *unit, a gain.Job) []job.Time {
	g := gain.Group{Primary: a}
	for i := range u.matched {
		m := &u.matched[i]
		g.Matched = append(g.Matched, gain.Member{Job: toGainJob(p, m.job, m.perNode),
			Suffers: slowdownNextTo(p, m.job, u.primary.job), Causes: slowdownNextTo(p, u.primary.job, m.job)})
	}
	w := g.Gain()
	over := w.Periods[len(w.Periods)-1].To
	ends := make([]job.Time, 1+len(g.Matched))
	ends[0] = p.Now() + job.RoundUp(over+float64(w.PrimaryLeft*g.Primary.OwnSlowdown()))
	for _, q := range w.Periods {
		for _, i := range q.Running {
			ends[1+i] = p.Now() + job.RoundUp(q.To)
		}
	}
	for i := range g.Matched {
		if w.MatchedLeft[i] > 0 {
			ends[1+i] = p.Now() + job.RoundUp(over+float64(w.MatchedLeft[i]*g.Matched[i].OwnSlowdown()))
		}
	}
	return ends
}

// holdsOf returns the resources that the jobs of a unit hold, and until when, given the ends of the
// jobs. A shared node is held until the last job on it ends.
func holdsOf(p *sim.Pass, u *unit, ends []job.Time) (holds []hold) {
	add := func(n job.Demand, until job.Time) {
		if n.Procs > 0 || n.Extra != nil {
			holds = append(holds, hold{n, until})
		}
	}
	a := &u.primary
	rest := a.nodes
	for i := range u.matched {
		m := &u.matched[i]
		shared := m.nodes.Intersect(a.nodes).Count()
		rest = rest.Without(m.nodes)
		add(job.Demand{Procs: shared}, max(ends[0], ends[1+i]))
		add(policy.DemandOf(p, m.job, int32(m.nodes.Count()-shared)), ends[1+i])
	}
	add(policy.DemandOf(p, a.job, int32(rest.Count())), ends[0])
	return holds
}
