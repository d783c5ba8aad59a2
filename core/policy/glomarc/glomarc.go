package glomarc

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Glomarc is the policy.
type Glomarc struct {
	rules
	units   []*unit     // started jobs; a unit never changes, another takes its place
	unbound cluster.Set // nodes to which no job is bound
	usual   []float64   // by job: its adjusted estimate of the response, R_est
	planned []job.Time  // by job: planned start while it waits
}

// Clone returns a copy that shares nothing that changes.
func (g *Glomarc) Clone() sim.Policy {
	c := *g
	c.units, c.usual, c.planned = slices.Clone(g.units), slices.Clone(g.usual), slices.Clone(g.planned)
	return &c
}

// PlannedStart returns the start of a waiting job by the latest plan.
func (g *Glomarc) PlannedStart(j job.Index) job.Time {
	if int(j) >= len(g.planned) {
		return job.Never
	}
	return g.planned[j]
}

// Schedule starts jobs and groups.
func (g *Glomarc) Schedule(p *sim.Pass) {
	s := g.look(p)
	if p.Stands() || len(s.queue) == 0 {
		return
	}
	for s.head() {
	}
	s.backfill(1)
	s.tell()
}

// look takes in what has happened and returns how things stand.
func (g *Glomarc) look(p *sim.Pass) *step {
	g.grow(p)
	for _, ev := range p.Events() {
		if ev.Kind == sim.Finished {
			g.leave(ev.Job)
		}
	}
	s := g.step(p)
	for j := range p.Waiting() {
		s.queue = append(s.queue, j)
	}
	if slices.ContainsFunc(p.Events(), func(ev sim.Event) bool { return ev.Kind == sim.Submitted }) {
		s.submit()
	}
	return s
}

// grow makes room for all jobs of the workload.
func (g *Glomarc) grow(p *sim.Pass) {
	if g.planned == nil {
		g.unbound = cluster.Set{{Lo: 0, Hi: int32(p.Machine().Nodes)}}
	}
	for len(g.planned) < p.Jobs() {
		g.planned, g.usual = append(g.planned, job.Never), append(g.usual, 0)
	}
}

// submit finds of the jobs that came now when they would end without groups, each
// as if no other came after it (spec 6.4).
func (s *step) submit() {
	plan := s.running()
	for _, j := range s.queue {
		at, length := s.book(plan, j)
		if s.usual[j] == 0 {
			s.usual[j] = float64(s.adjust * float64(s.response(j, at+length)))
			s.planned[j] = at
		}
	}
}

// tell records what those wait for that came now.
func (s *step) tell() {
	for _, ev := range s.p.Events() {
		if ev.Kind == sim.Submitted && slices.Contains(s.queue, ev.Job) {
			s.p.Hold(ev.Job, log.Reason{Code: log.Expected, Other: job.None, X: s.planned[ev.Job]})
		}
	}
}

// Holds returns what job j holds of the machine when it runs, alone if it waits, and
// how much longer: whole nodes.
func (g *Glomarc) Holds(p *sim.Pass, j job.Index) (job.Need, job.Time) {
	s, nodes, length := g.step(p), 0, job.Time(0)
	if s.started(j) {
		for range p.Machine().NodesOf(p.Slots(j)) {
			nodes++
		}
		length = s.remaining(j)
	} else {
		a := s.spaced(j)
		nodes, length = a.Nodes(), duration(&a)
	}
	return policy.NeedOf(p, j, int32(nodes*p.Machine().PerNode())), length
}

// remaining returns how much longer the started job j runs, by the forecast of its unit.
func (s *step) remaining(j job.Index) job.Time {
	for _, u := range s.units {
		if i := u.find(j); i >= 0 {
			f := s.forecast(u)
			return f.ends[i] - s.now
		}
	}
	return 0
}
