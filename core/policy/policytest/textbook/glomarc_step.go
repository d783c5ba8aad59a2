package textbook

import (
	"slices"

	"backfill-lab/core/job"
)

// waitingOf returns the waiting jobs of virtual machine c in order of submission.
func (m *sharedSim) waitingOf(c int) (queue []int) {
	for j := range m.started {
		if m.belongsTo(c, j) && m.waits(j) {
			queue = append(queue, j)
		}
	}
	return queue
}

// belongsTo reports whether virtual machine c contains job j.
func (m *sharedSim) belongsTo(c, j int) bool { return c == wholeMachine || m.typeOf(j) == c }

// totalProcs returns the total number of processes of the jobs.
func (m *sharedSim) totalProcs(queue []int) (sum int) {
	for _, j := range queue {
		sum += m.simulation.jobs[j].Procs
	}
	return sum
}

// scheduleStep starts waiting jobs of virtual machine c (Zeng 2009, chapter 4). If all of them fit
// with one process per node, they all start alone. Otherwise, it repeatedly starts the best option
// for the head of the queue, until there is none, and then backfills.
func (m *sharedSim) scheduleStep(c int) {
	m.Steps++
	for queue := m.waitingOf(c); len(queue) > 0; queue = m.waitingOf(c) {
		if m.totalProcs(queue) <= len(m.freeNodes(c)) {
			for _, j := range queue {
				m.startOption(c, m.aloneOption(4, j, m.perNodeAlone(j)), false)
			}
			return
		}
		x := m.headOption(c, queue)
		if x == nil {
			break
		}
		m.startOption(c, x, false)
	}
	m.backfill(c, nil)
}

// aloneOption returns the option to start job j alone with perNode processes per node.
func (m *sharedSim) aloneOption(caseNumber, j, perNode int) *option {
	p := member{j, perNode}
	return &option{caseNumber, p, nil, forecast{gain: m.aloneGain(p), primary: float64(m.simulation.jobs[j].Estimate) * m.selfSlowdown(j, perNode)}}
}

// headOption returns the best option that starts the head of the queue, or nil.
func (m *sharedSim) headOption(c int, queue []int) *option {
	head, free := queue[0], len(m.freeNodes(c))
	fits := func(x *option) bool { return m.nodesNeeded(x) <= free }
	var options []*option
	if m.mayJoinGroups(head) {
		if m.simulation.jobs[head].Procs == 1 {
			if x := m.optionWithLargestGain(m.serialHeadOptions(c, queue, fits)); x != nil {
				return x
			}
		}
		options = m.headOptions(c, queue, fits)
	}
	if x := m.aloneOption(5, head, 4); m.perNodeAlone(head) == 4 && fits(x) {
		options = append([]*option{x}, options...)
	}
	if x := m.optionWithLargestGain(options); x != nil {
		return x
	}
	return m.case4Option(head, fits)
}

// allowsGroups reports whether the variant and the machine allow groups.
func (m *sharedSim) allowsGroups() bool { return m.Variant != "ssp" && m.machine.SlotsPerNode() > 1 }

// case4Option returns the option to start job j alone by case 4, or nil if it does not fit. Case 4
// uses one or two processes per node (see perNodeCase4). With PackAlone, it also tries two
// processes per node if the slowdown is at most MaxSlowdown. Jobs that cannot join groups must
// follow formula 11. So case 4 excludes them if the formula gives four.
func (m *sharedSim) case4Option(j int, fits func(*option) bool) *option {
	if m.perNodeAlone(j) == 4 && !m.mayJoinGroups(j) {
		return nil
	}
	if x := m.aloneOption(4, j, m.perNodeCase4(j)); fits(x) {
		return x
	}
	nos, _ := m.nominalSlowdowns(j)
	if x := m.aloneOption(4, j, 2); m.PackAlone && m.mayJoinGroups(j) && m.simulation.jobs[j].Procs > 1 && nos <= m.MaxSlowdown && fits(x) {
		return x
	}
	return nil
}

// mayJoinGroups reports whether job j may join groups. Short jobs may not.
func (m *sharedSim) mayJoinGroups(j int) bool { return m.allowsGroups() && m.typeOf(j) > 0 }

// optionWithLargestGain returns the option with the largest gain. Ties go to the first option. In
// the variants cst and cstws without CompareSpace, a later option always replaces one of case 5.
func (m *sharedSim) optionWithLargestGain(options []*option) *option {
	var best *option
	for _, x := range options {
		if x != nil && best != nil && equalGains(x.gain, best.gain) {
			m.Ties++
		}
		switch {
		case x == nil:
		case best == nil, x.gain > best.gain+1e-9,
			best.caseNumber == 5 && !m.CompareSpace && (m.Variant == "cst" || m.Variant == "cstws"):
			best = x
		}
	}
	return best
}

// serialHeadOptions returns groups for a serial head of the queue. The primary is the first
// waiting parallel job or a running parallel job.
func (m *sharedSim) serialHeadOptions(c int, queue []int, fits func(*option) bool) (options []*option) {
	var serial []int
	primary := -1
	for _, j := range queue {
		switch {
		case m.typeOf(j) != m.typeOf(queue[0]):
		case m.simulation.jobs[j].Procs == 1:
			serial = append(serial, j)
		case primary < 0:
			primary = j
		}
	}
	if primary >= 0 {
		options = append(options, m.firstFair(c, formation{1, m.asMember(primary), serial, queue[0]}, fits))
	}
	var parallel []int
	for _, j := range m.startedAlone(c, m.typeOf(queue[0])) {
		if m.simulation.jobs[j].Procs > 1 {
			parallel = append(parallel, j)
		}
	}
	return append(options, m.case3Options(c, parallel, serial, queue[0], fits)...)
}

// headOptions returns groups of cases 1, 2 and 3 that contain the head of the queue: at most one
// for each case and primary. Entries can be nil.
func (m *sharedSim) headOptions(c int, queue []int, fits func(*option) bool) (options []*option) {
	head := queue[0]
	later, running := m.laterJobs(queue, head), m.startedAlone(c, m.typeOf(head))
	options = append(options, m.firstFair(c, formation{1, m.asMember(head), later, -1}, fits),
		m.firstFair(c, formation{2, m.asMember(head), running, -1}, fits))
	return append(options, m.case3Options(c, running, later, head, fits)...)
}

// case3Options returns groups whose primary is one of the least delayed running jobs.
func (m *sharedSim) case3Options(c int, running, candidates []int, required int, fits func(*option) bool) (options []*option) {
	for _, j := range running[:min(len(running), m.RunningPrimaries)] {
		options = append(options, m.firstFair(c, formation{3, m.asMember(j), candidates, required}, fits))
	}
	return options
}

// laterJobs returns the jobs of the queue that come after job j and have its type.
func (m *sharedSim) laterJobs(queue []int, j int) (out []int) {
	for _, k := range queue {
		if k > j && m.typeOf(k) == m.typeOf(j) {
			out = append(out, k)
		}
	}
	return out
}

// startedAlone returns the started jobs of a type that are in no group and could join one, sorted
// by increasing delay.
func (m *sharedSim) startedAlone(c, class int) (out []int) {
	for j := range m.started {
		if m.belongsTo(c, j) && m.typeOf(j) == class && m.active(j) && m.started[j].group == nil && m.started[j].perNode <= m.coresPerSide() && m.workLeft(j) > 0 {
			out = append(out, j)
		}
	}
	ends := m.predictEnds(c, nil)
	slices.SortStableFunc(out, func(a, b int) int {
		switch x, y := m.relativeDelay(a, ends), m.relativeDelay(b, ends); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return out
}

// relativeDelay returns the predicted response time of job j divided by its expected response time.
func (m *sharedSim) relativeDelay(j int, ends map[int]job.Time) float64 {
	return float64(ends[j]-m.simulation.jobs[j].Submit) / m.expected[j]
}

// placeholderFor returns a job that stands for option x in a plan. Its Procs is the number of free
// nodes that x needs, and its Estimate is the predicted duration in seconds.
func (m *sharedSim) placeholderFor(x *option) *job.Job {
	length := job.RoundUp(slices.Max(append([]float64{x.forecast.primary}, x.forecast.matched...)))
	return &job.Job{Request: job.Request{Procs: m.nodesNeeded(x), Estimate: length}}
}

// nodesNeeded returns the number of free nodes that option x needs.
func (m *sharedSim) nodesNeeded(x *option) int {
	own, others := m.nodeCount(x.primary), m.totalNodeCount(x.matched)
	switch x.caseNumber {
	case 1:
		return max(own, others)
	case 2:
		return max(0, own-others)
	case 3:
		return max(0, others-own)
	}
	return own
}
