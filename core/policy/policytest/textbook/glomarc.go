package textbook

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// GlomarcTS is the knobs of group matchmaking on shared nodes (spec 6), alone or
// in time slices.
type GlomarcTS struct {
	Variant                                           string
	Slow, Two, MinGain, Exceed, Longer, Slack, Adjust float64
	Block, Primaries                                  int
	CompareSpace                                      bool
	Pack                                              bool // case 4 tries two processes on a node where one does not fit
	Bursts                                            bool // serial jobs are backfilled in bursts
	Worsened                                          bool // only who fares worse than without the group is treated unfairly
	ShortMax, MediumMax                               job.Time
	Slices                                            *Slices // nil: alone
}

// Matched is what it made of a workload.
type Matched struct {
	Jobs   []Placed
	Starts []Began // in order
	Steps  int     // times that it looked at waiting jobs
	Unfair int     // sets that were refused because they delay someone too much
	Ties   int     // choices between equal gains, decided by the order of spec 6.5
}

// Placed is what became of a job.
type Placed struct {
	Segments [][2]job.Time
	Slots    []int
	PerNode  int // processes on a node; a small job has no more than it has
}

// Began is a start: of a job alone (cases 4 and 5) or of a group.
type Began struct {
	At      job.Time
	Case    int
	Primary int
	PerNode int
	Matched []int // in the order of the set
	Gain    float64
	Behind  bool // backfilled
}

// matching is the machine at a second, with its views: one for each type in time
// slices, else one for all jobs.
type matching struct {
	GlomarcTS
	*sliced // when jobs ran, and the slices
	machine *cluster.Machine
	cos     func(i, j job.Index) float64
	on      []*onNodes // by job, nil while it waits
	est     []float64  // by job: the response that it may expect
	wall    map[[2]job.Time]job.Time
	Matched
}

// onNodes is a job that has started.
type onNodes struct {
	nodes, slots []int
	perNode      int
	with         *group // that lives, nil: an individual
	work, left   float64
	rate         float64 // work a second, from since on
	since, end   job.Time
	done         bool
}

// group is a primary and the jobs matched with it, those that still run.
type group struct {
	primary int
	matched []int
}

// all is the one view where there are no slices.
const all = -1

// Run runs the jobs second by second; cos is how much one is slowed down next to
// another.
func (g GlomarcTS) Run(m *cluster.Machine, jobs []job.Job, cos func(i, j job.Index) float64) Matched {
	s := &sliced{world: newWorld(m, jobs), jobs: make([]Sliced, len(jobs))}
	s.ShortMax, s.MediumMax = g.ShortMax, g.MediumMax
	if g.Slices != nil {
		s.Slices = *g.Slices
	}
	s.planned = make([]job.Time, len(jobs))
	for range jobs {
		s.Starts = append(s.Starts, job.Never)
	}
	w := &matching{GlomarcTS: g, sliced: s, machine: m, cos: cos, on: make([]*onNodes, len(jobs)), est: make([]float64, len(jobs))}
	for ; !w.complete(); w.now++ {
		w.second()
		if c := w.present(); c >= 0 {
			w.clock[c]++
		}
	}
	for j, x := range w.on {
		w.Matched.Jobs = append(w.Matched.Jobs, Placed{s.jobs[j].Segments, x.slots, min(x.perNode, jobs[j].Procs)})
	}
	return w.Matched
}

func (m *matching) complete() bool {
	return !slices.ContainsFunc(m.on, func(x *onNodes) bool { return x == nil || !x.done })
}

// second is what happens in a second: ends, slices, starts, and then new rates.
func (m *matching) second() {
	event := m.finish()
	for j := range m.on {
		event = event || m.world.jobs[j].Submit == m.now
	}
	if m.GlomarcTS.Slices != nil {
		event = m.turn() || event
	}
	if !event {
		return
	}
	m.wall = map[[2]job.Time]job.Time{}
	if m.GlomarcTS.Slices != nil {
		m.inSlices()
	} else {
		m.meet(all)
		m.step(all)
	}
	for j := range m.on {
		m.price(j)
	}
}

// finish ends the jobs whose work is done, and the groups that this disbands
// (spec 6.6).
func (m *matching) finish() (any bool) {
	for j, x := range m.on {
		if m.runs(j) && x.end == m.now {
			m.stop(j)
			x.done, any = true, true
		}
	}
	for _, x := range m.on {
		if x == nil || x.with == nil {
			continue
		}
		g := x.with
		g.matched = slices.DeleteFunc(g.matched, func(i int) bool { return m.on[i].done })
		if m.on[g.primary].done || len(g.matched) == 0 {
			m.on[g.primary].with = nil
			for _, i := range g.matched {
				m.on[i].with = nil
			}
		}
		if x.done {
			x.with = nil
		}
	}
	return any
}

// active reports whether job j has started and is not done.
func (m *matching) active(j int) bool { return m.on[j] != nil && !m.on[j].done }

// price lets job j go on at the rate that it has beside those on its nodes; its
// end, rounded up to a second, is known as long as the rate stays.
func (m *matching) price(j int) {
	x := m.on[j]
	if !m.runs(j) {
		return
	}
	worst := 0.0
	for k := range m.on {
		if k != j && m.runs(k) && overlap(m.on[k].nodes, x.nodes) {
			worst = max(worst, m.cos(job.Index(j), job.Index(k)))
		}
	}
	slow := m.self(j, x.perNode)
	if worst > 0 {
		slow = float64(worst * slow)
	}
	if rate := 1 / slow; rate != x.rate {
		m.advance(j)
		x.rate = rate
		x.end = m.now + job.Seconds(x.work/rate)
	}
}

// advance takes the work done up to now off what is left. A job that does not run
// has rate 0.
func (m *matching) advance(j int) {
	x := m.on[j]
	did := float64(x.rate * float64(m.now-x.since))
	x.work, x.left, x.since = max(0, x.work-did), max(0, x.left-did), m.now
}

// halt preempts job j.
func (m *matching) halt(j int) {
	m.advance(j)
	m.stop(j)
	m.on[j].rate = 0
}

// goOn lets job j run on its nodes from now on.
func (m *matching) goOn(j int) {
	m.run(j)
	m.on[j].since = m.now
}

// leftOf returns the work left of job j by its estimate.
func (m *matching) leftOf(j int) float64 {
	if m.on[j] == nil {
		return float64(m.world.jobs[j].Estimate)
	}
	m.advance(j)
	return m.on[j].left
}

// self returns the slowdown of job j by its own processes (spec 6.1).
func (m *matching) self(j, perNode int) float64 {
	more, slow := m.world.jobs[j].More, 1.0
	if perNode = min(perNode, m.world.jobs[j].Procs); more == nil {
		return slow
	}
	if perNode > 1 && more.SLnos > 0 {
		slow = more.SLnos
	}
	if perNode > 2 && more.SLcrs > 0 {
		slow = float64(slow * more.SLcrs)
	}
	return slow
}

// overlap reports whether two lists have a member in common.
func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(n int) bool { return slices.Contains(b, n) })
}
