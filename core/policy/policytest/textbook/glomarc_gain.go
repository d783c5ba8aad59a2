package textbook

import (
	"math"

	"backfill-lab/core/job"
)

// member holds a job that is in a group or could join one, and its processes per node.
type member struct{ job, perNode int }

// nodeCount returns the number of nodes that a member occupies.
func (m *sharedSim) nodeCount(p member) int {
	return (m.simulation.jobs[p.job].Procs + p.perNode - 1) / p.perNode
}

// totalNodeCount returns the total number of nodes that the members of a set occupy.
func (m *sharedSim) totalNodeCount(set []member) (n int) {
	for _, p := range set {
		n += m.nodeCount(p)
	}
	return n
}

// perNodeAlone returns the processes per node of job j if it runs alone on its nodes (Zeng 2009,
// formula 11).
func (m *sharedSim) perNodeAlone(j int) int {
	if m.simulation.jobs[j].Procs == 1 || m.machine.SlotsPerNode() < 2 {
		return 1
	}
	if _, both := m.nominalSlowdowns(j); m.machine.SlotsPerNode() >= 4 && both <= m.MaxSlowdown {
		return 4
	}
	return m.perNodeCase4(j)
}

// nominalSlowdowns returns the slowdowns of job j with two and with four processes on a node. It
// does not matter whether the job has that many processes.
func (m *sharedSim) nominalSlowdowns(j int) (two, four float64) {
	two, four = 1, 1
	if more := m.simulation.jobs[j].More; more != nil {
		if more.SLnos > 0 {
			two = more.SLnos
		}
		four = two
		if more.SLcrs > 0 {
			four = two * more.SLcrs
		}
	}
	return two, four
}

// perNodeCase4 returns the processes per node of job j in case 4. Case 4 follows formula 11 without
// the choice of four: two processes per node if the job tolerates the slowdown, and one otherwise.
func (m *sharedSim) perNodeCase4(j int) int {
	if nos, _ := m.nominalSlowdowns(j); m.simulation.jobs[j].Procs > 1 && m.machine.SlotsPerNode() >= 2 && nos <= m.SelfSlowdown2 {
		return 2
	}
	return 1
}

// asMember returns job j as a member of a group. A started job keeps its processes per
// node.
func (m *sharedSim) asMember(j int) member {
	if m.started[j] != nil {
		return member{j, m.started[j].perNode}
	}
	if nos, _ := m.nominalSlowdowns(j); m.simulation.jobs[j].Procs > 1 && nos <= m.SelfSlowdown2 {
		return member{j, min(2, m.coresPerSide())}
	}
	return member{j, 1}
}

// coresPerSide returns the number of cores per node that the primary may use, which is half of the
// node. The matched jobs may use the other half.
func (m *sharedSim) coresPerSide() int { return m.machine.SlotsPerNode() / 2 }

// groupSlowdown returns the slowdown of member p when it shares nodes with the other member.
func (m *sharedSim) groupSlowdown(p, other member) float64 {
	return m.cos(job.Index(p.job), job.Index(other.job)) * m.selfSlowdown(p.job, p.perNode)
}

// forecast holds the utilization gain of a group and the predicted ends of its members,
// in seconds from now.
type forecast struct {
	gain    float64   // utilization gain, as a fraction
	primary float64   // end of the primary
	matched []float64 // in the order of the set
}

// forecast predicts the ends and the gain of the group that consists of the primary a and the
// matched jobs in set. It steps from one completion to the next (Zeng 2009, formulas 5 and 6). The
// variable aloneTime adds up the node-seconds that the work would take with one process on each
// node.
func (m *sharedSim) forecast(a member, set []member) forecast {
	procs := func(p member) float64 { return float64(m.simulation.jobs[p.job].Procs) }
	out := forecast{matched: make([]float64, len(set))}
	elapsed, aloneTime, primaryLeft := 0.0, 0.0, m.workLeft(a.job)
	workLeft := make([]float64, len(set))
	runningCount := len(set)
	for i, p := range set {
		workLeft[i] = m.workLeft(p.job)
	}
	for runningCount > 0 && primaryLeft > 0 {
		worst := 0.0
		for i, p := range set {
			if workLeft[i] > 0 {
				worst = max(worst, m.groupSlowdown(a, p))
			}
		}
		t := primaryLeft * worst
		for i, p := range set {
			if workLeft[i] > 0 {
				t = min(t, workLeft[i]*m.groupSlowdown(p, a))
			}
		}
		elapsed += t
		aloneTime += t * procs(a) / worst
		primaryLeft = subtract(primaryLeft, t/worst)
		for i, p := range set {
			if workLeft[i] == 0 {
				continue
			}
			aloneTime += t * procs(p) / m.groupSlowdown(p, a)
			if workLeft[i] = subtract(workLeft[i], t/m.groupSlowdown(p, a)); workLeft[i] == 0 {
				out.matched[i] = elapsed
				runningCount--
			}
		}
	}
	out.primary = elapsed + primaryLeft*m.selfSlowdown(a.job, a.perNode)
	for i, p := range set {
		if workLeft[i] > 0 {
			out.matched[i] = elapsed + workLeft[i]*m.selfSlowdown(p.job, p.perNode)
		}
	}
	used := elapsed * procs(a) / min(float64(a.perNode), procs(a))
	out.gain = (aloneTime - used) / used
	return out
}

// subtract returns a - b, or exactly 0 if the two are equal up to rounding.
func subtract(a, b float64) float64 {
	if math.Abs(a-b) < 1e-11*(1+b) {
		return 0
	}
	return a - b
}

// aloneGain returns the utilization gain of a job that runs alone on its nodes.
func (m *sharedSim) aloneGain(p member) float64 {
	return float64(min(p.perNode, m.simulation.jobs[p.job].Procs))/m.selfSlowdown(p.job, p.perNode) - 1
}

// suitable reports whether p can be matched with primary a. The two jobs must not slow
// each other down too much, and p must not run much longer than a.
func (m *sharedSim) suitable(a, p member) bool {
	slowPrimary, slowMatched := m.groupSlowdown(a, p), m.groupSlowdown(p, a)
	return slowPrimary <= m.MaxSlowdown+1e-9 && slowMatched <= m.MaxSlowdown+1e-9 &&
		m.workLeft(p.job)*slowMatched <= m.workLeft(a.job)*slowPrimary+m.LongerThanPrimary+1e-9
}
