package textbook

import (
	"backfill-lab/core/job"
)

// setExpectedResponses sets the expected response time of each job that is submitted to virtual
// machine c now: EstimateAdjust times the predicted response time.
func (m *sharedSim) setExpectedResponses(c int) {
	for _, j := range m.waitingOf(c) {
		if m.simulation.jobs[j].Submit == m.now {
			m.expected[j] = m.EstimateAdjust * float64(m.predictEnds(c, nil)[j]-m.now)
		}
	}
}

// isFair reports whether option x is fair to the jobs of virtual machine c. The predicted response
// time of each job must be at most Slack times its expected response time. With OnlyWorsened, a job
// counts only if it would end later with x than without x.
func (m *sharedSim) isFair(c int, x *option) bool {
	with, without := m.predictEnds(c, x), m.predictEnds(c, nil)
	for j, end := range with {
		late := float64(end-m.simulation.jobs[j].Submit) > m.Slack*m.expected[j]+1e-9
		if late && (!m.OnlyWorsened || end > without[j]) {
			return false
		}
	}
	return true
}

// predictEnds returns the predicted wall-clock end of each job of virtual machine c if
// option x starts now. A nil x means that nothing starts. The other waiting jobs are planned
// conservatively, in order of submission.
func (m *sharedSim) predictEnds(c int, x *option) map[int]job.Time {
	ends := m.predictRunning(c, x)
	p := m.nodePlan(c, x)
	for _, j := range m.waitingOf(c) {
		if _, starts := ends[j]; !starts {
			placeholder := m.placeholderFor(m.aloneOption(4, j, m.perNodeAlone(j)))
			at := p.earliest(placeholder)
			p.reserve(placeholder, at)
			ends[j] = at + placeholder.Estimate
		}
	}
	for j := range ends {
		ends[j] = m.wallTimeAfter(c, ends[j])
	}
	return ends
}

// predictRunning returns the predicted ends of the started jobs of virtual machine c and the
// jobs of option x. The ends are in seconds from now, on the virtual clock of c.
func (m *sharedSim) predictRunning(c int, x *option) map[int]job.Time {
	ends := map[int]job.Time{}
	for j := range m.started {
		switch {
		case !m.belongsTo(c, j) || !m.active(j):
		case m.started[j].group == nil:
			ends[j] = job.RoundUp(m.workLeft(j) * m.selfSlowdown(j, m.started[j].perNode))
		case m.started[j].group.primary == j:
			var set []member
			for _, i := range m.started[j].group.matched {
				set = append(set, m.asMember(i))
			}
			m.addEnds(ends, &option{primary: m.asMember(j), matched: set, forecast: m.forecast(m.asMember(j), set)})
		}
	}
	if x != nil {
		m.addEnds(ends, x)
	}
	return ends
}

// addEnds adds the predicted ends of the jobs of option x.
func (m *sharedSim) addEnds(ends map[int]job.Time, x *option) {
	ends[x.primary.job] = job.RoundUp(x.forecast.primary)
	for i, p := range x.matched {
		ends[p.job] = job.RoundUp(x.forecast.matched[i])
	}
}

// nodePlan returns the plan of the nodes of virtual machine c, with option x started now unless x is
// nil. Time 0 is now. Each node is busy until its last job ends.
func (m *sharedSim) nodePlan(c int, x *option) *plan {
	p := &plan{capacity: amounts{int64(m.machine.Nodes)}}
	nodesOfNew := map[int][]int{}
	if x != nil {
		nodesOfNew = m.placement(c, x)
	}
	busyUntil := make([]job.Time, m.machine.Nodes)
	for j, end := range m.predictRunning(c, x) {
		nodes, starts := nodesOfNew[j]
		if !starts {
			nodes = m.started[j].nodes
		}
		for _, n := range nodes {
			busyUntil[n] = max(busyUntil[n], end)
		}
	}
	for _, end := range busyUntil {
		p.reserve(&job.Job{Request: job.Request{Procs: 1, Estimate: end}}, 0)
	}
	return p
}

// wallTimeAfter returns the wall-clock time at which the virtual clock of virtual machine c will have
// advanced by the given seconds.
func (m *sharedSim) wallTimeAfter(c int, seconds job.Time) job.Time {
	if c == wholeMachine {
		return m.now + seconds
	}
	key := [2]job.Time{job.Time(c), seconds}
	if _, known := m.wallTimes[key]; !known {
		m.wallTimes[key] = m.slicedSim.wallTime(c, m.virtualClock[c]+seconds)
	}
	return m.wallTimes[key]
}
