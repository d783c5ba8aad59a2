package textbook

import (
	"slices"

	"backfill-lab/core/job"
)

// queueOf returns the waiting jobs of a view.
func (m *matching) queueOf(c int) (queue []int) {
	for j := range m.on {
		if m.in(c, j) && m.waits(j) {
			queue = append(queue, j)
		}
	}
	return queue
}

func (m *matching) in(c, j int) bool { return c == all || m.class(j) == c }

func (m *matching) procs(queue []int) (sum int) {
	for _, j := range queue {
		sum += m.world.jobs[j].Procs
	}
	return sum
}

// step is spec 6.5 on the machine, or in the slice of a view.
func (m *matching) step(c int) {
	m.Steps++
	for queue := m.queueOf(c); len(queue) > 0; queue = m.queueOf(c) {
		if m.procs(queue) <= len(m.free(c)) {
			for _, j := range queue {
				m.begin(c, m.solo(4, j, m.perNode(j)), false)
			}
			return
		}
		x := m.forFirst(c, queue)
		if x == nil {
			break
		}
		m.begin(c, x, false)
	}
	m.backfill(c, nil)
}

// solo returns job j alone with so many processes on a node.
func (m *matching) solo(kind, j, perNode int) *match {
	p := part{j, perNode}
	return &match{kind, p, nil, life{gain: m.space(p), primary: float64(m.world.jobs[j].Estimate) * m.self(j, perNode)}}
}

// forFirst returns what starts with the first waiting job, nil if nothing does.
func (m *matching) forFirst(c int, queue []int) *match {
	f, free := queue[0], len(m.free(c))
	fits := func(x *match) bool { return m.need(x) <= free }
	var options []*match
	if m.mayGroup(f) {
		if m.world.jobs[f].Procs == 1 {
			if x := m.best(m.forSerial(c, queue, fits)); x != nil {
				return x
			}
		}
		options = m.forAny(c, queue, fits)
	}
	if x := m.solo(5, f, 4); m.perNode(f) == 4 && fits(x) {
		options = append([]*match{x}, options...)
	}
	if x := m.best(options); x != nil {
		return x
	}
	return m.fewer(f, fits)
}

func (m *matching) groups() bool { return m.Variant != "ssp" && m.machine.PerNode() > 1 }

// fewer returns case 4: job j alone with at most two processes on a node by formula 11, or
// with two where one does not fit and it tolerates two. Formula 11 by itself, for
// short jobs and without groups, leaves no choice.
func (m *matching) fewer(j int, fits func(*match) bool) *match {
	if m.perNode(j) == 4 && !m.mayGroup(j) {
		return nil
	}
	if x := m.solo(4, j, m.case4(j)); fits(x) {
		return x
	}
	nos, _ := m.given(j)
	if x := m.solo(4, j, 2); m.Pack && m.mayGroup(j) && m.world.jobs[j].Procs > 1 && nos <= m.Slow && fits(x) {
		return x
	}
	return nil
}

// mayGroup reports whether job j may be in a group at all.
func (m *matching) mayGroup(j int) bool { return m.groups() && m.class(j) > 0 }

// best returns the option with the largest gain, of equals the first.
func (m *matching) best(options []*match) *match {
	var best *match
	for _, x := range options {
		if x != nil && best != nil && near(x.gain, best.gain) {
			m.Ties++
		}
		switch {
		case x == nil:
		case best == nil, x.gain > best.gain+1e-9,
			best.kind == 5 && !m.CompareSpace && (m.Variant == "cst" || m.Variant == "cstws"):
			best = x
		}
	}
	return best
}

// forSerial returns the groups with the first job, which is serial: with the first
// parallel job that waits as primary, and with parallel jobs that run.
func (m *matching) forSerial(c int, queue []int, fits func(*match) bool) (options []*match) {
	var serial []int
	primary := -1
	for _, j := range queue {
		switch {
		case m.class(j) != m.class(queue[0]):
		case m.world.jobs[j].Procs == 1:
			serial = append(serial, j)
		case primary < 0:
			primary = j
		}
	}
	if primary >= 0 {
		options = append(options, m.chosen(c, formation{1, m.inGroup(primary), serial, queue[0]}, fits))
	}
	var parallel []int
	for _, j := range m.individuals(c, m.class(queue[0])) {
		if m.world.jobs[j].Procs > 1 {
			parallel = append(parallel, j)
		}
	}
	return append(options, m.withRunning(c, parallel, serial, queue[0], fits)...)
}

// forAny returns the groups of cases 1, 2 and 3 with the first job.
func (m *matching) forAny(c int, queue []int, fits func(*match) bool) (options []*match) {
	f := queue[0]
	behind, running := m.behind(queue, f), m.individuals(c, m.class(f))
	options = append(options, m.chosen(c, formation{1, m.inGroup(f), behind, -1}, fits),
		m.chosen(c, formation{2, m.inGroup(f), running, -1}, fits))
	return append(options, m.withRunning(c, running, behind, f, fits)...)
}

// withRunning returns case 3 with the least delayed running jobs.
func (m *matching) withRunning(c int, running, candidates []int, must int, fits func(*match) bool) (options []*match) {
	for _, j := range running[:min(len(running), m.Primaries)] {
		options = append(options, m.chosen(c, formation{3, m.inGroup(j), candidates, must}, fits))
	}
	return options
}

// behind returns the waiting jobs of the type of job j that come after it.
func (m *matching) behind(queue []int, j int) (out []int) {
	for _, k := range queue {
		if k > j && m.class(k) == m.class(j) {
			out = append(out, k)
		}
	}
	return out
}

// individuals returns the running jobs of a type that could be matched, the least
// delayed first.
func (m *matching) individuals(c, class int) (out []int) {
	for j := range m.on {
		if m.in(c, j) && m.class(j) == class && m.active(j) && m.on[j].with == nil && m.on[j].perNode <= m.half() && m.leftOf(j) > 0 {
			out = append(out, j)
		}
	}
	ends := m.predict(c, nil)
	slices.SortStableFunc(out, func(a, b int) int {
		switch x, y := m.delay(a, ends), m.delay(b, ends); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return out
}

func (m *matching) delay(j int, ends map[int]job.Time) float64 {
	return float64(ends[j]-m.world.jobs[j].Submit) / m.est[j]
}

// box returns a match as one rectangle of nodes and seconds, from its start on.
func (m *matching) box(x *match) *job.Job {
	length := job.Seconds(slices.Max(append([]float64{x.life.primary}, x.life.matched...)))
	return &job.Job{Request: job.Request{Procs: m.need(x), Estimate: length}}
}

// need returns how many free nodes a match takes.
func (m *matching) need(x *match) int {
	own, others := m.nodesOf(x.primary), m.nodesOfAll(x.matched)
	switch x.kind {
	case 1:
		return max(own, others)
	case 2:
		return max(0, own-others)
	case 3:
		return max(0, others-own)
	}
	return own
}
