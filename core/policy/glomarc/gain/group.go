package gain

import "slices"

// Group is a primary job and the jobs matched with it on its nodes.
type Group struct {
	Primary Job
	Matched []Member
}

// Member is a matched job, with the slowdowns by the other at one process on each
// node.
type Member struct {
	Job
	Suffers float64 // SL_cos(i,A), of this job next to the primary
	Causes  float64 // SL_cos(A,i), of the primary next to this job
}

// Slow returns SL_{i,A}, the slowdown of matched job i in the group.
func (g *Group) Slow(i int) float64 {
	m := &g.Matched[i]
	return float64(m.Suffers * m.Self())
}

// Burden returns SL_{A,i}, the slowdown of the primary next to matched job i.
func (g *Group) Burden(i int) float64 {
	return float64(g.Matched[i].Causes * g.Primary.Self())
}

// Nodes returns the nodes of the matched jobs.
func (g *Group) Nodes() (n int) {
	for i := range g.Matched {
		n += g.Matched[i].Nodes()
	}
	return n
}

// Period is a stretch of a group's life in which the same jobs run.
type Period struct {
	From, To float64 // seconds from the group's start
	Running  []int   // places of the matched jobs that run
	Slow     float64 // SL_q, of the primary by the worst of them
	Saved    float64 // node-seconds that its work takes at one process on each node
}

// Gain is what a group makes of its nodes until the primary or the last matched
// job ends.
type Gain struct {
	Periods []Period
	Saved   float64   // node-seconds that the work done takes at one process on each node
	Used    float64   // node-seconds of the primary's nodes
	U       float64   // utilization gain, (saved - used) / used
	Left    float64   // work left of the primary
	Rest    []float64 // and of each matched job
}

// Gain follows the group from period to period (formulas 5 and 6). There is at
// least one matched job, and all have work left. Moments are not rounded to
// seconds: it is a forecast.
func (g *Group) Gain() Gain {
	w := Gain{Left: g.Primary.Left, Rest: make([]float64, len(g.Matched))}
	var running []int
	for i := range g.Matched {
		w.Rest[i] = g.Matched[i].Left
		running = append(running, i)
	}
	now := 0.0
	for len(running) > 0 && w.Left > 0 {
		p := g.period(&w, now, running)
		w.Periods = append(w.Periods, p)
		w.Saved += p.Saved
		now = p.To
		running = slices.DeleteFunc(slices.Clone(running), func(i int) bool { return w.Rest[i] == 0 })
	}
	w.Used = float64(now*float64(g.Primary.Procs)) / float64(g.Primary.packed())
	w.U = (w.Saved - w.Used) / w.Used
	return w
}

// period lets the running jobs go on from now until one of them ends.
func (g *Group) period(w *Gain, now float64, running []int) Period {
	p := Period{From: now, Running: running}
	for _, i := range running {
		p.Slow = max(p.Slow, g.Burden(i))
	}
	length := float64(w.Left * p.Slow)
	for _, i := range running {
		length = min(length, float64(w.Rest[i]*g.Slow(i)))
	}
	p.To = now + length
	for _, i := range running {
		p.Saved += float64(did(&w.Rest[i], g.Slow(i), length) * float64(g.Matched[i].Procs))
	}
	p.Saved += float64(did(&w.Left, p.Slow, length) * float64(g.Primary.Procs))
	return p
}

// did takes the work of a stretch off what is left and returns it. What rounding
// leaves is no work.
func did(left *float64, slow, length float64) float64 {
	work := length / slow
	if *left-work <= float64(1e-12*(1+work)) {
		work = *left
	}
	*left -= work
	return work
}

// Near is the difference below which numbers are taken as equal.
const Near = 1e-9
