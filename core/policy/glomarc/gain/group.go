package gain

import "slices"

// Group holds a primary job and the jobs matched with it on its nodes.
type Group struct {
	Primary Job
	Matched []Member
}

// Member holds a job i that is matched with the primary A of a group. Suffers and Causes are the
// slowdowns of the two jobs if each has one process on a shared node.
type Member struct {
	Job
	Suffers float64 // SL_cos(i,A), the slowdown of job i next to the primary
	Causes  float64 // SL_cos(A,i), the slowdown of the primary next to job i
}

// MatchedSlowdown returns SL_{i,A}, the slowdown of matched job i in the group.
func (g *Group) MatchedSlowdown(i int) float64 {
	m := &g.Matched[i]
	return float64(m.Suffers * m.OwnSlowdown())
}

// PrimarySlowdown returns SL_{A,i}, the slowdown of the primary next to matched job i.
func (g *Group) PrimarySlowdown(i int) float64 {
	return float64(g.Matched[i].Causes * g.Primary.OwnSlowdown())
}

// Nodes returns the number of nodes that the matched jobs need together.
func (g *Group) Nodes() (n int) {
	for i := range g.Matched {
		n += g.Matched[i].Nodes()
	}
	return n
}

// Period describes a time interval in which the same jobs of a group run.
type Period struct {
	From, To float64 // seconds from the group's start
	Running  []int   // indices of the matched jobs that run
	Slowdown float64 // SL_q, the slowdown of the primary: the largest slowdown that a running matched job causes
	Alone    float64 // node-seconds that the work done in the period would take with one process on each node
}

// Gain holds the periods of a group and its utilization gain. The group ends when its primary or
// its last matched job ends.
type Gain struct {
	Periods     []Period
	Alone       float64   // node-seconds that the work done would take with one process on each node
	Used        float64   // node-seconds on the primary's nodes
	U           float64   // U_gain, (alone - used) / used
	PrimaryLeft float64   // work left of the primary when the group ends
	MatchedLeft []float64 // work left of each matched job when the group ends
}

// Gain returns the utilization gain of the group (Zeng 2009, formulas 5 and 6). The group must have
// at least one matched job, and all its jobs must have work left. Times are not rounded to seconds.
func (g *Group) Gain() Gain {
	n := len(g.Matched)
	w := Gain{PrimaryLeft: g.Primary.Left, MatchedLeft: make([]float64, n), Periods: make([]Period, 0, n)}
	running := make([]int, n)
	for i := range g.Matched {
		w.MatchedLeft[i] = g.Matched[i].Left
		running[i] = i
	}
	now := 0.0
	for len(running) > 0 && w.PrimaryLeft > 0 {
		p := g.period(&w, now, running)
		w.Periods = append(w.Periods, p)
		w.Alone += p.Alone
		now = p.To
		running = slices.DeleteFunc(slices.Clone(running), func(i int) bool { return w.MatchedLeft[i] == 0 })
	}
	w.Used = float64(now*float64(g.Primary.Procs)) / float64(g.Primary.usedPerNode())
	w.U = (w.Alone - w.Used) / w.Used
	return w
}

// period returns the next period, which ends when a job of the group ends. The argument now is the start of the period,
// in seconds from the group's start, and running holds the indices of the matched jobs that run. The method subtracts
// the work done in the period from the work left in w.
func (g *Group) period(w *Gain, now float64, running []int) Period {
	p := Period{From: now, Running: running}
	for _, i := range running {
		p.Slowdown = max(p.Slowdown, g.PrimarySlowdown(i))
	}
	length := float64(w.PrimaryLeft * p.Slowdown)
	for _, i := range running {
		length = min(length, float64(w.MatchedLeft[i]*g.MatchedSlowdown(i)))
	}
	p.To = now + length
	for _, i := range running {
		p.Alone += float64(subtractWork(&w.MatchedLeft[i], g.MatchedSlowdown(i), length) * float64(g.Matched[i].Procs))
	}
	p.Alone += float64(subtractWork(&w.PrimaryLeft, p.Slowdown, length) * float64(g.Primary.Procs))
	return p
}

// subtractWork subtracts the work that a job does in a period from the work that it has left, and returns the work
// done. It takes the slowdown of the job and the length of the period in seconds. A remainder caused by rounding counts
// as done.
func subtractWork(left *float64, slowdown, length float64) float64 {
	work := length / slowdown
	if *left-work <= float64(1e-12*(1+work)) {
		work = *left
	}
	*left -= work
	return work
}

// Tolerance is the difference below which numbers count as equal.
const Tolerance = 1e-9
