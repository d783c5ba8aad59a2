package textbook

import (
	"slices"

	"backfill-lab/core/job"
)

// changeSlices preempts all jobs when a slice starts or its overhead ends. When an interval starts,
// it lays out the slices of the interval. It reports whether a slice or an interval started or an
// overhead ended.
func (m *sharedSim) changeSlices() (changed bool) {
	if m.now%m.Interval == 0 {
		m.preemptAll()
		m.layOutSharedInterval()
		changed = true
	}
	for c := range m.slice {
		if m.now == m.slice[c][0] || m.now == m.slice[c][0]+m.Overhead {
			m.preemptAll()
			changed = true
		}
	}
	return changed
}

// scheduleInSlices resumes and starts jobs in the current slice. All jobs of a group have the same
// type, and they are preempted and resumed together.
func (m *sharedSim) scheduleInSlices() {
	sliceType := m.usableType()
	if sliceType >= 0 {
		m.resumeUnits(sliceType, func([]int) bool { return true })
	}
	for c := range m.slice {
		m.setExpectedResponses(c)
	}
	if sliceType < 0 {
		return
	}
	m.scheduleStep(sliceType)
	if m.NonType {
		m.runGuests(sliceType)
	}
}

// preemptAll preempts all running jobs.
func (m *sharedSim) preemptAll() {
	for j := range m.started {
		if m.runs(j) {
			m.preemptJob(j)
		}
	}
}

// preemptedUnits returns the preempted units of type c, in the order of their first jobs. A unit is
// a single job, or a group with its primary first.
func (m *sharedSim) preemptedUnits(c int) (out [][]int) {
	for j, x := range m.started {
		if m.belongsTo(c, j) && m.active(j) && !m.runs(j) && (x.group == nil || x.group.primary == j) {
			unit := []int{j}
			if x.group != nil {
				unit = append(unit, x.group.matched...)
			}
			out = append(out, unit)
		}
	}
	return out
}

// resumeUnits resumes each preempted unit of type c whose nodes are idle and for which mayResume
// returns true.
func (m *sharedSim) resumeUnits(c int, mayResume func(unit []int) bool) {
	for _, unit := range m.preemptedUnits(c) {
		if m.nodesIdle(unit) && mayResume(unit) {
			for _, j := range unit {
				m.resumeJob(j)
			}
		}
	}
}

// nodesIdle reports whether no job runs on the nodes of a unit.
func (m *sharedSim) nodesIdle(unit []int) bool {
	for k, x := range m.started {
		if m.runs(k) && overlap(x.nodes, m.nodesOfUnit(unit)) {
			return false
		}
	}
	return true
}

// nodesOfUnit returns the nodes of all jobs of a unit, in ascending order.
func (m *sharedSim) nodesOfUnit(unit []int) (nodes []int) {
	for _, j := range unit {
		nodes = append(nodes, m.started[j].nodes...)
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// runGuests runs jobs of types other than sliceType, the type that owns the slice, on the nodes
// that this type leaves idle. It resumes preempted units first and then starts waiting jobs.
func (m *sharedSim) runGuests(sliceType int) {
	ownerPlan := m.ownerPlan(sliceType)
	for c := range m.slice {
		if c != sliceType {
			m.resumeUnits(c, func(unit []int) bool {
				ends, last := m.predictRunning(c, nil), job.Time(0)
				for _, j := range unit {
					last = max(last, ends[j])
				}
				placeholder := m.untilSliceEnd(&job.Job{Request: job.Request{Procs: len(m.nodesOfUnit(unit)), Estimate: last}})
				if !ownerPlan.fits(placeholder, 0) {
					return false
				}
				ownerPlan.reserve(placeholder, 0)
				return true
			})
		}
	}
	for c := range m.slice {
		if c != sliceType {
			m.Steps++
			m.backfill(c, ownerPlan)
		}
	}
}

// untilSliceEnd returns a copy of placeholder that ends no later than the current slice. A
// placeholder is a job that stands for a number of nodes and a duration, see placeholderFor.
func (m *sharedSim) untilSliceEnd(placeholder *job.Job) *job.Job {
	short := *placeholder
	short.Estimate = min(placeholder.Estimate, m.slice[m.usableType()][1]-m.now)
	return &short
}

// ownerPlan returns the plan of the type that owns the slice. It includes the running guests. Each
// guest holds its nodes until it ends or the slice ends.
func (m *sharedSim) ownerPlan(sliceType int) *plan {
	p := m.nodePlan(sliceType, nil)
	for _, j := range m.waitingOf(sliceType) {
		p.reserve(m.placeholderFor(m.aloneOption(4, j, m.perNodeAlone(j))), m.planned[j])
	}
	for c := range m.slice {
		if c == sliceType {
			continue
		}
		busyUntil := make([]job.Time, m.machine.Nodes)
		for j, end := range m.predictRunning(c, nil) {
			if m.runs(j) {
				for _, n := range m.started[j].nodes {
					busyUntil[n] = max(busyUntil[n], end)
				}
			}
		}
		for _, end := range busyUntil {
			p.reserve(m.untilSliceEnd(&job.Job{Request: job.Request{Procs: 1, Estimate: end}}), 0)
		}
	}
	return p
}

// layOutSharedInterval lays out the slices of the interval that starts now. By default, the short
// slice lasts, after its overhead, as long as the short jobs submitted before now need, but at most
// ShortMax.
func (m *sharedSim) layOutSharedInterval() {
	const short = 0 // job type
	need := job.Time(0)
	for _, end := range m.predictRunning(short, nil) {
		need = max(need, end)
	}
	p := m.nodePlan(short, nil)
	for _, j := range m.waitingOf(short) {
		if m.simulation.jobs[j].Submit < m.now {
			placeholder := m.placeholderFor(m.aloneOption(4, j, m.perNodeAlone(j)))
			at := p.earliest(placeholder)
			p.reserve(placeholder, at)
			need = max(need, at+placeholder.Estimate)
		}
	}
	length := job.Time(0)
	switch {
	case need > 0 && m.ShortSlice < 0:
		length = m.Overhead + min(m.slicedSim.ShortMax, need)
	case need > 0:
		length = m.ShortSlice
	}
	m.slice = m.layout(m.now, length)
}
