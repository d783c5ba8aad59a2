package textbook

import (
	"math"

	"backfill-lab/core/job"
)

// part is a job as it is, or would be, in a group.
type part struct{ job, perNode int }

func (m *matching) nodesOf(p part) int {
	return (m.world.jobs[p.job].Procs + p.perNode - 1) / p.perNode
}

func (m *matching) nodesOfAll(set []part) (n int) {
	for _, p := range set {
		n += m.nodesOf(p)
	}
	return n
}

// perNode returns the processes per node of a job alone, by formula 11 (spec 6.1).
func (m *matching) perNode(j int) int {
	if m.world.jobs[j].Procs == 1 || m.machine.PerNode() < 2 {
		return 1
	}
	if _, both := m.given(j); m.machine.PerNode() >= 4 && both <= m.Slow {
		return 4
	}
	return m.case4(j)
}

// given returns the slowdowns of a job by two and by four processes on a node,
// however many it has.
func (m *matching) given(j int) (two, four float64) {
	two, four = 1, 1
	if more := m.world.jobs[j].More; more != nil {
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

// case4 returns the processes per node of job j by case 4: formula 11, at most two.
func (m *matching) case4(j int) int {
	if nos, _ := m.given(j); m.world.jobs[j].Procs > 1 && m.machine.PerNode() >= 2 && nos <= m.Two {
		return 2
	}
	return 1
}

// inGroup returns the part that a job takes in a group: as it runs, or as it would
// start there.
func (m *matching) inGroup(j int) part {
	if m.on[j] != nil {
		return part{j, m.on[j].perNode}
	}
	if nos, _ := m.given(j); m.world.jobs[j].Procs > 1 && nos <= m.Two {
		return part{j, min(2, m.half())}
	}
	return part{j, 1}
}

// half returns how many cores of a node one side of a group has.
func (m *matching) half() int { return m.machine.PerNode() / 2 }

// slow returns the slowdown of a part beside another one.
func (m *matching) slow(p, beside part) float64 {
	return m.cos(job.Index(p.job), job.Index(beside.job)) * m.self(p.job, p.perNode)
}

// life is what becomes of a group: its utilization gain, and when its members
// end, in seconds from now.
type life struct {
	gain    float64
	primary float64
	matched []float64 // by place in the set
}

// life follows a group from the end of one job to that of the next (formulas 5
// and 6).
func (m *matching) life(a part, set []part) life {
	procs := func(p part) float64 { return float64(m.world.jobs[p.job].Procs) }
	out := life{matched: make([]float64, len(set))}
	now, saved, left := 0.0, 0.0, m.leftOf(a.job)
	rest := make([]float64, len(set))
	runs := len(set)
	for i, p := range set {
		rest[i] = m.leftOf(p.job)
	}
	for runs > 0 && left > 0 {
		worst := 0.0
		for i, p := range set {
			if rest[i] > 0 {
				worst = max(worst, m.slow(a, p))
			}
		}
		t := left * worst
		for i, p := range set {
			if rest[i] > 0 {
				t = min(t, rest[i]*m.slow(p, a))
			}
		}
		now += t
		saved += t * procs(a) / worst
		left = minus(left, t/worst)
		for i, p := range set {
			if rest[i] == 0 {
				continue
			}
			saved += t * procs(p) / m.slow(p, a)
			if rest[i] = minus(rest[i], t/m.slow(p, a)); rest[i] == 0 {
				out.matched[i] = now
				runs--
			}
		}
	}
	out.primary = now + left*m.self(a.job, a.perNode)
	for i, p := range set {
		if rest[i] > 0 {
			out.matched[i] = now + rest[i]*m.self(p.job, p.perNode)
		}
	}
	used := now * procs(a) / min(float64(a.perNode), procs(a))
	out.gain = (saved - used) / used
	return out
}

// minus returns a difference in which what rounding leaves is nothing.
func minus(a, b float64) float64 {
	if math.Abs(a-b) < 1e-11*(1+b) {
		return 0
	}
	return a - b
}

// space returns the gain of a job alone with so many processes on a node.
func (m *matching) space(p part) float64 {
	return float64(min(p.perNode, m.world.jobs[p.job].Procs))/m.self(p.job, p.perNode) - 1
}

// suits reports whether a job could be in a group with that primary (spec 6.4,
// step 1).
func (m *matching) suits(a, p part) bool {
	here, there := m.slow(a, p), m.slow(p, a)
	return here <= m.Slow+1e-9 && there <= m.Slow+1e-9 &&
		m.leftOf(p.job)*there <= m.leftOf(a.job)*here+m.Longer+1e-9
}
