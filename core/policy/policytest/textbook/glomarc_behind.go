package textbook

// backfill starts waiting jobs that delay no earlier one, by cases 1, 4 and 5 only.
// Where others own the slice, it goes through all jobs, and these must not be
// delayed either; else the first job is only planned.
func (m *matching) backfill(c int, there *plan) {
	queue := m.queueOf(c)
	grouped := m.groups() && (there == nil || m.procs(queue) > len(m.free(c)))
	p := m.plan(c, nil)
	for i, j := range queue {
		if !m.waits(j) {
			continue
		}
		if there != nil || i > 0 {
			if x := m.behindOthers(c, j, queue, grouped, p, there); x != nil {
				box := m.box(x)
				p.take(box, 0)
				if there != nil {
					there.take(m.stay(box), 0)
				}
				m.begin(c, x, true)
				continue
			}
		}
		box := m.box(m.solo(4, j, m.perNode(j)))
		m.planned[j] = p.first(box)
		p.take(box, m.planned[j])
	}
}

// behindOthers returns what starts with job j, nil if nothing does.
func (m *matching) behindOthers(c, j int, queue []int, grouped bool, p, there *plan) *match {
	free := len(m.free(c))
	fits := func(x *match) bool {
		box := m.box(x)
		return box.Procs <= free && p.fits(box, 0) && (there == nil || there.fits(m.stay(box), 0))
	}
	if grouped && m.Bursts && m.mayGroup(j) && m.world.jobs[j].Procs == 1 {
		if x := m.serialBurst(c, j, m.behind(m.stillWait(queue), j), fits); x != nil {
			return x
		}
	}
	var options []*match
	if x := m.solo(5, j, 4); m.perNode(j) == 4 && fits(x) {
		options = append(options, x)
	}
	if grouped && m.mayGroup(j) {
		options = append(options, m.chosen(c, formation{1, m.inGroup(j), m.behind(m.stillWait(queue), j), -1}, fits))
	}
	if x := m.best(options); x != nil {
		return x
	}
	return m.fewer(j, fits)
}

func (m *matching) stillWait(queue []int) (out []int) {
	for _, j := range queue {
		if m.waits(j) {
			out = append(out, j)
		}
	}
	return out
}

// serialBurst returns the group of the first parallel job behind the serial job j with
// serial jobs, j among them; nil if there is none.
func (m *matching) serialBurst(c, j int, behind []int, fits func(*match) bool) *match {
	primary, serial := -1, []int{j}
	for _, k := range behind {
		if m.world.jobs[k].Procs == 1 {
			serial = append(serial, k)
		} else if primary < 0 {
			primary = k
		}
	}
	if primary < 0 {
		return nil
	}
	return m.chosen(c, formation{1, m.inGroup(primary), serial, j}, fits)
}
