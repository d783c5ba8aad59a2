package glomarc

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Glomarc implements the policy.
type Glomarc struct {
	parameters
	units   []*unit     // the started jobs; a unit is never modified, but replaced by a new one
	unbound cluster.Set // nodes that no started job holds
	queue   []candidate // waiting jobs in index order
	rEst    []float64   // by job: R_est, the response time estimated at submission, in seconds
	planned []job.Time  // by job: planned start while it waits, job.Never otherwise
}

// Clone returns a deep copy.
func (g *Glomarc) Clone() sim.Policy {
	c := *g
	c.units, c.queue = slices.Clone(g.units), slices.Clone(g.queue)
	c.rEst, c.planned = slices.Clone(g.rEst), slices.Clone(g.planned)
	return &c
}

// PlannedStart returns the start of waiting job j in the latest plan.
func (g *Glomarc) PlannedStart(j job.Index) job.Time {
	if int(j) >= len(g.planned) {
		return job.Never
	}
	return g.planned[j]
}

// Schedule starts jobs and groups. It first starts the job at the head of the queue, alone or in a
// group, as long as that is possible. Then it backfills.
func (g *Glomarc) Schedule(p *sim.Pass) {
	s := g.applyEvents(p)
	if p.ClockStopped() || len(g.queue) == 0 {
		return
	}
	for len(g.queue) > 0 && s.startFirst() {
	}
	s.backfill(1)
	s.recordPlanned()
}

// startFirst tries to start the first waiting job f, alone or in a group, and reports
// whether anything started.
func (s *state) startFirst() bool {
	if s.allFit() {
		return s.startEachAlone()
	}
	f := s.g.queue[0]
	if !s.mayShare(&f) {
		return s.startByCase4(&f)
	}
	if isSerial(&f) && s.startLargestGain(s.serialGroups(s.g.queue)) {
		return true
	}
	alone := s.case5Option(&f)
	running := s.startedAlone(f.class)
	groups := slices.Concat(
		s.case1Groups(&f, s.g.queue[1:]),
		s.case2Groups(&f, running),
		s.case3Groups(running, s.g.queue))
	return s.startBest(alone, groups) || s.startByCase4(&f)
}

// backfill plans the waiting jobs conservatively in queue order. A job starts, alone or in a group,
// if that delays no planned start. The first blockedCount jobs of the queue could not start, and
// only get planned starts.
func (s *state) backfill(blockedCount int) {
	s.plan = s.planRunning()
	mayGroup := s.otherSlice == nil || !s.allFit()
	for i := 0; i < len(s.g.queue); {
		j := s.g.queue[i]
		if i >= blockedCount && s.freeNodes.Count() > 0 && (mayGroup && s.backfillGroup(s.g.queue[i:]) || s.startByCase4(&j)) {
			continue // the job has left the queue
		}
		s.g.planned[j.job], _ = s.reserveEarliest(s.plan, &j)
		i++
	}
}

// backfillGroup tries to start the first of the given waiting jobs, in a group of waiting jobs (Case
// 1) or alone with four processes per node (Case 5). With backfill-serial=burst, it first tries to
// match a serial job with a parallel job behind it.
func (s *state) backfillGroup(waiting []candidate) bool {
	j := waiting[0]
	if !s.mayShare(&j) {
		return false
	}
	if s.g.serialBursts && isSerial(&j) {
		if groups, ok := s.serialCase1Groups(waiting); ok && s.startLargestGain(groups) {
			return true
		}
	}
	alone := s.case5Option(&j)
	return s.startBest(alone, s.case1Groups(&j, waiting[1:]))
}

// startBest starts the option with the largest gain: one of the groups, or the first job alone
// (Case 5). In the variants that form only pairs, if cst-compare-space is off, the job starts alone
// only if no group can start. startBest reports whether anything started.
func (s *state) startBest(alone, groups []option) bool {
	if s.g.onlyPairs() && !s.g.compareSpace {
		return s.startLargestGain(groups) || s.startLargestGain(alone)
	}
	return s.startLargestGain(append(alone, groups...))
}

// allFit reports whether all waiting jobs fit on the free nodes with one process per node.
func (s *state) allFit() bool {
	sum := 0
	for i := range s.g.queue {
		sum += s.g.queue[i].Procs
	}
	return sum <= s.freeNodes.Count()
}

// startEachAlone tries to start each waiting job alone on its nodes, and reports whether any
// started.
func (s *state) startEachAlone() (anyStarted bool) {
	for _, j := range slices.Clone(s.g.queue) {
		anyStarted = s.startAlone(&j, j.alone.PerNode) || anyStarted
	}
	return anyStarted
}

// recordPlanned records the planned start of each job that was submitted now and waits.
func (s *state) recordPlanned() {
	for _, ev := range s.p.Events() {
		if ev.Kind == sim.Submitted && !hasStarted(s.p, ev.Job) {
			s.p.RecordWait(ev.Job, log.Reason{Code: log.Expected, Other: job.None, X: s.g.planned[ev.Job]})
		}
	}
}

// Holds returns what job j holds (all processors of its nodes, and its extra resources), and for how many
// more seconds. For a waiting job, it assumes that the job starts alone now.
func (g *Glomarc) Holds(p *sim.Pass, j job.Index) (job.Demand, job.Time) {
	nodes, length := 0, job.Time(0)
	if hasStarted(p, j) {
		length = g.remainingTime(p, j)
		for range p.Machine().NodesOf(p.Slots(j)) {
			nodes++
		}
	} else {
		alone := g.newCandidate(p, j).alone
		nodes, length = alone.Nodes(), timeAlone(&alone)
	}
	return policy.DemandOf(p, j, int32(nodes*p.Machine().SlotsPerNode())), length
}

// remainingTime returns the remaining time of the started job j, from the forecast of its unit. The
// pass covers the whole machine. Jobs that end at its instant may still be in the unit: the policy
// removes them when it next acts.
func (g *Glomarc) remainingTime(p *sim.Pass, j job.Index) job.Time {
	with := func(u *unit) bool { return u.has(j) }
	u := g.units[slices.IndexFunc(g.units, with)]
	for _, ev := range p.Events() {
		if ev.Kind == sim.Finished && u.has(ev.Job) {
			rest := u.without(ev.Job)
			u = rest[slices.IndexFunc(rest, with)]
		}
	}
	return forecastOf(p, u).ends[u.find(j)] - p.Now()
}
