package textbook

import (
	"backfill-lab/core/job"
)

// meet finds for the jobs of a view that come now how long they may expect to take
// (spec 6.4, step 7).
func (m *matching) meet(c int) {
	for _, j := range m.queueOf(c) {
		if m.world.jobs[j].Submit == m.now {
			m.est[j] = m.Adjust * float64(m.predict(c, nil)[j]-m.now)
		}
	}
}

// fair reports whether a group may start: no job of the view is predicted to take
// much longer than it may expect.
func (m *matching) fair(c int, x *match) bool {
	with, without := m.predict(c, x), m.predict(c, nil)
	for j, end := range with {
		late := float64(end-m.world.jobs[j].Submit) > m.Slack*m.est[j]+1e-9
		if late && (!m.Worsened || end > without[j]) {
			return false
		}
	}
	return true
}

// predict returns the ends on the wall of all that run and wait in a view if a match
// starts now, nil for none, and the others are planned one after the other.
func (m *matching) predict(c int, x *match) map[int]job.Time {
	ends := m.running(c, x)
	p := m.plan(c, x)
	for _, j := range m.queueOf(c) {
		if _, starts := ends[j]; !starts {
			box := m.box(m.solo(4, j, m.perNode(j)))
			at := p.first(box)
			p.take(box, at)
			ends[j] = at + box.Estimate
		}
	}
	for j := range ends {
		ends[j] = m.onWall(c, ends[j])
	}
	return ends
}

// running returns the ends of those that run in a view, in seconds of its clock from
// now, if a match starts.
func (m *matching) running(c int, x *match) map[int]job.Time {
	ends := map[int]job.Time{}
	for j := range m.on {
		switch {
		case !m.in(c, j) || !m.active(j):
		case m.on[j].with == nil:
			ends[j] = job.Seconds(m.leftOf(j) * m.self(j, m.on[j].perNode))
		case m.on[j].with.primary == j:
			var set []part
			for _, i := range m.on[j].with.matched {
				set = append(set, m.inGroup(i))
			}
			m.add(ends, &match{primary: m.inGroup(j), matched: set, life: m.life(m.inGroup(j), set)})
		}
	}
	if x != nil {
		m.add(ends, x)
	}
	return ends
}

func (m *matching) add(ends map[int]job.Time, x *match) {
	ends[x.primary.job] = job.Seconds(x.life.primary)
	for i, p := range x.matched {
		ends[p.job] = job.Seconds(x.life.matched[i])
	}
}

// plan returns the nodes of a view that are free, in seconds from now: each is held
// until the last one on it ends.
func (m *matching) plan(c int, x *match) *plan {
	p := &plan{whole: amounts{int64(m.machine.Nodes)}}
	at := map[int][]int{}
	if x != nil {
		at = m.places(c, x)
	}
	until := make([]job.Time, m.machine.Nodes)
	for j, end := range m.running(c, x) {
		nodes, starts := at[j]
		if !starts {
			nodes = m.on[j].nodes
		}
		for _, n := range nodes {
			until[n] = max(until[n], end)
		}
	}
	for _, end := range until {
		p.take(&job.Job{Request: job.Request{Procs: 1, Estimate: end}}, 0)
	}
	return p
}

// onWall returns the second at which a view has run for so many seconds more.
func (m *matching) onWall(c int, after job.Time) job.Time {
	if c == all {
		return m.now + after
	}
	key := [2]job.Time{job.Time(c), after}
	if _, known := m.wall[key]; !known {
		m.wall[key] = m.sliced.wall(c, m.clock[c]+after)
	}
	return m.wall[key]
}
