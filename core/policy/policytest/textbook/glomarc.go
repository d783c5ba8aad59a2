package textbook

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// GlomarcTS holds the knobs of G-LOMARC-TS, which forms groups of jobs that share nodes (Zeng
// 2009). The policy runs with or without time slices.
type GlomarcTS struct {
	Variant                          string  // knob variant
	MaxSlowdown, SelfSlowdown2       float64 // knobs max-slowdown and self-slowdown-2
	MinGain                          float64 // minimum utilization gain of a group
	ExceedPrimary, LongerThanPrimary float64 // knobs exceed-primary and longer-than-primary
	Slack, EstimateAdjust            float64 // knobs slack and estimate-adjust
	BlockSize, RunningPrimaries      int     // knobs block-size and running-primaries
	CompareSpace                     bool    // knob cst-compare-space
	PackAlone                        bool    // whether case 4 also tries two processes per node if one per node does not fit
	SerialBursts                     bool    // whether a serial job is backfilled in a group with a later parallel job and other serial jobs
	OnlyWorsened                     bool    // whether a job makes a group unfair only if it would end earlier without the group
	// longest estimates of a short and of a medium job
	ShortMax, MediumMax job.Time
	Slices              *ScojoPECT // nil: no time slices
}

// GlomarcResult holds the schedule of a G-LOMARC-TS run, and statistics of its search for groups.
type GlomarcResult struct {
	Jobs   []PlacedJob  // by job
	Starts []GroupStart // in order of time
	Steps  int          // scheduling steps, and backfill passes in slices of other types
	Unfair int          // groups rejected because they would delay some job too much
	Ties   int          // comparisons of two options with gains that are equal up to rounding
}

// PlacedJob records when and where a job ran.
type PlacedJob struct {
	Segments [][2]job.Time // start and end of each execution interval
	Slots    []int         // cores
	PerNode  int           // processes per node, at most the number of processes of the job
}

// GroupStart records the start of a group or of a job alone. The case numbers follow Zeng 2009,
// chapter 4:
//
//   - case 1: a group of a waiting primary and waiting jobs
//   - case 2: a group of a waiting primary and running jobs
//   - case 3: a group of a running primary and waiting jobs
//   - case 4: a job alone with at most two processes per node, or, if all waiting jobs start at once,
//     with up to four, as formula 11 determines
//   - case 5: a job alone with four processes per node
type GroupStart struct {
	At         job.Time
	Case       int
	Primary    int     // job that is the primary, or that starts alone
	PerNode    int     // processes per node of the primary
	Matched    []int   // matched jobs, in the order of the set
	Gain       float64 // utilization gain, as a fraction
	Backfilled bool    // whether the start was a backfill
}

// sharedSim simulates a machine on which jobs share nodes. With time slices, each job type has a
// virtual machine (see slicedSim). Without time slices, wholeMachine is the only virtual machine
// and contains all jobs. In the methods, the argument c is the number of a virtual machine.
type sharedSim struct {
	GlomarcTS
	*slicedSim // execution intervals of the jobs, and the slices
	machine    *cluster.Machine
	cos        func(i, j job.Index) float64 // slowdown of job i when it shares a node with job j
	started    []*startedJob                // by job; nil until the job starts
	expected   []float64                    // by job: response time in seconds that was expected at submission
	wallTimes  map[[2]job.Time]job.Time     // cache of wallTimeAfter, by virtual machine and seconds
	GlomarcResult
}

// startedJob holds the nodes and the progress of a job that has started. One unit of work is what
// the job does in one second when it runs alone with one process per node.
type startedJob struct {
	nodes, slots              []int    // in ascending order
	perNode                   int      // maximum number of processes on each node
	group                     *group   // nil if the job is in no group now
	runtimeLeft, estimateLeft float64  // work left when last updated, according to the runtime and to the estimate
	rate                      float64  // work per second; 0 while preempted
	since, end                job.Time // time of the last update of the work left; end at the current rate
	done                      bool     // whether the job has ended
}

// group holds a primary job and the jobs matched with it that have not ended.
type group struct {
	primary int
	matched []int
}

// wholeMachine is the only virtual machine if there are no time slices.
const wholeMachine = -1

// Run simulates the jobs second by second. It calls cos(i, j) for the slowdown of job i when it
// shares a node with job j.
func (g GlomarcTS) Run(m *cluster.Machine, jobs []job.Job, cos func(i, j job.Index) float64) GlomarcResult {
	s := &slicedSim{simulation: newSimulation(m, jobs), jobs: make([]SlicedJob, len(jobs))}
	s.ShortMax, s.MediumMax = g.ShortMax, g.MediumMax
	if g.Slices != nil {
		s.ScojoPECT = *g.Slices
	}
	s.planned = make([]job.Time, len(jobs))
	for range jobs {
		s.Starts = append(s.Starts, job.Never)
	}
	w := &sharedSim{GlomarcTS: g, slicedSim: s, machine: m, cos: cos, started: make([]*startedJob, len(jobs)), expected: make([]float64, len(jobs))}
	for ; !w.allEnded(); w.now++ {
		w.simulateSecond()
		if c := w.usableType(); c >= 0 {
			w.virtualClock[c]++
		}
	}
	for j, x := range w.started {
		w.GlomarcResult.Jobs = append(w.GlomarcResult.Jobs, PlacedJob{s.jobs[j].Segments, x.slots, min(x.perNode, jobs[j].Procs)})
	}
	return w.GlomarcResult
}

// allEnded reports whether all jobs have ended.
func (m *sharedSim) allEnded() bool {
	return !slices.ContainsFunc(m.started, func(x *startedJob) bool { return x == nil || !x.done })
}

// simulateSecond simulates one second: completions, slice changes, starts and new rates.
func (m *sharedSim) simulateSecond() {
	event := m.finish()
	for j := range m.started {
		event = event || m.simulation.jobs[j].Submit == m.now
	}
	if m.GlomarcTS.Slices != nil {
		event = m.changeSlices() || event
	}
	if !event {
		return
	}
	m.wallTimes = map[[2]job.Time]job.Time{}
	if m.GlomarcTS.Slices != nil {
		m.scheduleInSlices()
	} else {
		m.setExpectedResponses(wholeMachine)
		m.scheduleStep(wholeMachine)
	}
	for j := range m.started {
		m.updateRate(j)
	}
}

// finish ends the jobs whose work is done and disbands groups. A group ends with its primary or
// with its last matched job. finish reports whether any job ended.
func (m *sharedSim) finish() (anyEnded bool) {
	for j, x := range m.started {
		if m.runs(j) && x.end == m.now {
			m.stop(j)
			x.done, anyEnded = true, true
		}
	}
	for _, x := range m.started {
		if x == nil || x.group == nil {
			continue
		}
		g := x.group
		g.matched = slices.DeleteFunc(g.matched, func(i int) bool { return m.started[i].done })
		if m.started[g.primary].done || len(g.matched) == 0 {
			m.started[g.primary].group = nil
			for _, i := range g.matched {
				m.started[i].group = nil
			}
		}
		if x.done {
			x.group = nil
		}
	}
	return anyEnded
}

// active reports whether job j has started but not ended. It may be preempted.
func (m *sharedSim) active(j int) bool { return m.started[j] != nil && !m.started[j].done }

// updateRate computes the rate of the running job j from the jobs that share its nodes. If the rate
// changes, it recomputes the end of the job, rounded up to a full second.
func (m *sharedSim) updateRate(j int) {
	x := m.started[j]
	if !m.runs(j) {
		return
	}
	worst := 0.0
	for k := range m.started {
		if k != j && m.runs(k) && overlap(m.started[k].nodes, x.nodes) {
			worst = max(worst, m.cos(job.Index(j), job.Index(k)))
		}
	}
	slow := m.selfSlowdown(j, x.perNode)
	if worst > 0 {
		slow = float64(worst * slow)
	}
	if rate := 1 / slow; rate != x.rate {
		m.advance(j)
		x.rate = rate
		x.end = m.now + job.RoundUp(x.runtimeLeft/rate)
	}
}

// advance subtracts the work that job j has done since its last update from the work that it has left.
func (m *sharedSim) advance(j int) {
	x := m.started[j]
	did := float64(x.rate * float64(m.now-x.since))
	x.runtimeLeft, x.estimateLeft, x.since = max(0, x.runtimeLeft-did), max(0, x.estimateLeft-did), m.now
}

// preemptJob stops the running job j. The job keeps its nodes and resumes on them later.
func (m *sharedSim) preemptJob(j int) {
	m.advance(j)
	m.stop(j)
	m.started[j].rate = 0
}

// resumeJob lets job j run on its nodes from now on.
func (m *sharedSim) resumeJob(j int) {
	m.run(j)
	m.started[j].since = m.now
}

// workLeft returns the work left of job j according to its estimate.
func (m *sharedSim) workLeft(j int) float64 {
	if m.started[j] == nil {
		return float64(m.simulation.jobs[j].Estimate)
	}
	m.advance(j)
	return m.started[j].estimateLeft
}

// selfSlowdown returns the factor by which the processes of job j slow each other down, with
// perNode processes on a node.
func (m *sharedSim) selfSlowdown(j, perNode int) float64 {
	more, slow := m.simulation.jobs[j].More, 1.0
	if perNode = min(perNode, m.simulation.jobs[j].Procs); more == nil {
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

// overlap reports whether two lists have an element in common.
func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(n int) bool { return slices.Contains(b, n) })
}
