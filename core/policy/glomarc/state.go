package glomarc

import (
	"slices"
	"sync"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// state holds the started jobs and the free capacity while the policy acts at one instant. Each
// start updates it. Plans count nodes, not slots.
type state struct {
	g         *Glomarc
	p         *sim.Pass
	now       job.Time
	running   []runningUnit // the started jobs of this policy, by unit; between their slices they may be suspended
	freeNodes cluster.Set   // nodes on which no job runs and that no suspended job of this policy keeps
	freeExtra []int64       // free amounts of the extra resources

	// endsWithoutGroup returns the ends of the waiting jobs, by index in the queue, if no group
	// starts now. The first call after a start computes the ends; later calls return the same ends.
	endsWithoutGroup func() []job.Time

	plan       *profile.Profile // during backfilling: started jobs and planned starts; otherwise nil
	otherSlice *otherSlice      // in the slice of another type: the capacity that the slice leaves free; otherwise nil
	setCount   int              // number of sets recorded since the last choice

	// The method pairWith reuses these fields in each call, because it is called for each pair of jobs.
	pair    gain.Group
	sharing [2]speed.Job // the two jobs of the pair, each with one process per node
}

// runningUnit is a unit with its forecast.
type runningUnit struct {
	*unit
	forecast
}

// applyEvents applies the events of the pass and returns the state. Jobs that have ended leave
// their units. Submitted jobs join the queue, and their response times are estimated.
func (g *Glomarc) applyEvents(p *sim.Pass) *state {
	if g.planned == nil {
		g.unbound = cluster.Set{{Lo: 0, Hi: int32(p.Machine().Nodes)}}
	}
	for len(g.planned) < p.JobCount() {
		g.planned, g.rEst = append(g.planned, job.Never), append(g.rEst, 0)
	}
	submitted := false
	for _, ev := range p.Events() {
		switch ev.Kind {
		case sim.Finished:
			g.removeEnded(ev.Job)
		case sim.Submitted:
			g.queue = append(g.queue, g.newCandidate(p, ev.Job))
			submitted = true
		}
	}
	s := newState(g, p)
	if submitted {
		s.estimateResponses()
	}
	return s
}

// newState returns the state at the instant of the pass.
func newState(g *Glomarc, p *sim.Pass) *state {
	m := p.Machine()
	s := &state{g: g, p: p, now: p.Now(), freeNodes: idleNodes(m, p.FreeSlots()).Intersect(g.unbound)}
	for k := range m.Resources {
		s.freeExtra = append(s.freeExtra, p.FreeExtra(k))
	}
	for _, u := range g.units {
		s.running = append(s.running, runningUnit{u, forecastOf(p, u)})
	}
	s.endsWithoutGroup = sync.OnceValue(s.planAlone)
	return s
}

// idleNodes returns the nodes whose slots are all free.
func idleNodes(m *cluster.Machine, free cluster.Set) (nodes cluster.Set) {
	n := int32(m.SlotsPerNode())
	for _, r := range free {
		if lo, hi := (r.Lo+n-1)/n, r.Hi/n; lo < hi {
			nodes = append(nodes, cluster.Range{Lo: lo, Hi: hi})
		}
	}
	return nodes
}

// estimateResponses sets R_est, the estimated response time, of the jobs submitted now. It plans all
// waiting jobs conservatively, each alone on its nodes, and multiplies the resulting response times
// by the knob estimate-adjust.
func (s *state) estimateResponses() {
	plan := s.planRunning()
	for i := range s.g.queue {
		j := s.g.queue[i].job
		start, length := s.reserveEarliest(plan, &s.g.queue[i])
		if s.g.rEst[j] == 0 {
			s.g.rEst[j] = float64(s.g.estimateAdjust * float64(s.responseTime(j, start+length)))
			s.g.planned[j] = start
		}
	}
}

// maxWall is a wall-clock time, in seconds, that is later than any predicted end. Sums of such times do
// not overflow.
const maxWall = 10_000_000_000_000

// responseTime returns the response time of job j, in seconds, if the job has the given end. This end is a time on the
// clock of the pass.
func (s *state) responseTime(j job.Index, end job.Time) job.Time {
	return min(s.p.WallClockAt(end), maxWall) - s.p.Job(j).Submit
}

// planRunning returns a plan that reserves, from now on, the nodes and extra resources of the
// running jobs until the jobs are predicted to end.
func (s *state) planRunning() *profile.Profile {
	m := s.p.Machine()
	plan := profile.ForMachine(&cluster.Machine{Nodes: m.Nodes, Processors: 1, Cores: 1, Resources: m.Resources})
	plan.Trim(s.now)
	for i := range s.running {
		s.reserve(plan, &s.running[i].forecast)
	}
	return plan
}

// planAlone plans all waiting jobs, each alone on its nodes, and returns their ends.
func (s *state) planAlone() (ends []job.Time) {
	plan := s.planRunning()
	for i := range s.g.queue {
		start, length := s.reserveEarliest(plan, &s.g.queue[i])
		ends = append(ends, start+length)
	}
	return ends
}

// reserve reserves in a plan, from now on, the resources that the jobs of a forecast will hold.
func (s *state) reserve(plan *profile.Profile, f *forecast) {
	for i := range f.holds {
		plan.Reserve(f.holds[i].demand, s.now, f.holds[i].until)
	}
}

// reserveEarliest reserves the earliest start of a waiting job, alone on its nodes. It returns this start and
// the duration of the job.
func (s *state) reserveEarliest(plan *profile.Profile, j *candidate) (start, length job.Time) {
	length = timeAlone(&j.alone)
	return plan.ReserveEarliest(s.demandOn(j.job, j.alone.Nodes()), length, s.now), length
}

// demandOn returns the demand of job j on the given number of nodes.
func (s *state) demandOn(j job.Index, nodes int) job.Demand {
	return policy.DemandOf(s.p, j, int32(nodes))
}

// freeCapacity returns the free nodes and extra resources.
func (s *state) freeCapacity() policy.Capacity {
	return policy.Capacity{Procs: s.freeNodes.Count(), Extra: s.freeExtra}
}

// fits reports whether a job with the demand n fits into the free capacity if it starts now. The
// argument length is the time that it runs, in seconds. When the policy backfills, a start must
// also delay no planned start. In a slice of another type of jobs, the demand must also fit into
// the capacity that the jobs of this type leave free.
func (s *state) fits(n job.Demand, length job.Time) bool {
	free := s.freeCapacity()
	return free.Has(n) && (s.plan == nil || s.plan.Fits(n, length, s.now)) && (s.otherSlice == nil || s.otherSlice.has(n, length))
}

// updateAfterStart updates the state after the unit u has started. This unit replaces the units in
// absorbed. From now on, for the given length in seconds, it holds the demand n in addition to the
// resources that the replaced units held.
func (s *state) updateAfterStart(u *unit, absorbed []*unit, n job.Demand, length job.Time) {
	s.g.replaceUnits(absorbed, []*unit{u})
	s.running = slices.DeleteFunc(s.running, func(r runningUnit) bool { return slices.Contains(absorbed, r.unit) })
	s.running = append(s.running, runningUnit{u, forecastOf(s.p, u)})
	s.g.queue = slices.DeleteFunc(s.g.queue, func(c candidate) bool { return hasStarted(s.p, c.job) })
	for _, m := range u.members() {
		s.g.planned[m.job] = job.Never
	}
	s.freeNodes = s.freeNodes.Intersect(s.g.unbound)
	for k := range s.freeExtra {
		s.freeExtra[k] -= n.Amount(k)
	}
	if s.plan != nil {
		s.plan.Reserve(n, s.now, s.now+length)
	}
	if s.otherSlice != nil {
		s.otherSlice.take(n, length)
	}
	s.endsWithoutGroup = sync.OnceValue(s.planAlone)
}
