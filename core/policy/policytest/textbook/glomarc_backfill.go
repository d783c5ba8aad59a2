package textbook

// backfill starts waiting jobs of virtual machine c that delay no earlier job. It uses only cases
// 1, 4 and 5 (Zeng 2009, chapter 4). If a job type other than c owns the current slice, ownerPlan
// is the plan of the owner. Then backfill delays no job in this plan, and it may also start the
// first job of the queue. Otherwise ownerPlan is nil, and the first job of the queue only gets a
// reservation.
func (m *sharedSim) backfill(c int, ownerPlan *plan) {
	queue := m.waitingOf(c)
	grouped := m.allowsGroups() && (ownerPlan == nil || m.totalProcs(queue) > len(m.freeNodes(c)))
	p := m.nodePlan(c, nil)
	for i, j := range queue {
		if !m.waits(j) {
			continue
		}
		if ownerPlan != nil || i > 0 {
			if x := m.backfillOption(c, j, queue, grouped, p, ownerPlan); x != nil {
				placeholder := m.placeholderFor(x)
				p.reserve(placeholder, 0)
				if ownerPlan != nil {
					ownerPlan.reserve(m.untilSliceEnd(placeholder), 0)
				}
				m.startOption(c, x, true)
				continue
			}
		}
		placeholder := m.placeholderFor(m.aloneOption(4, j, m.perNodeAlone(j)))
		m.planned[j] = p.earliest(placeholder)
		p.reserve(placeholder, m.planned[j])
	}
}

// backfillOption returns the option with which job j can be backfilled now, or nil. It considers
// groups only if grouped is true. The plan p holds the earlier jobs; for ownerPlan, see backfill.
func (m *sharedSim) backfillOption(c, j int, queue []int, grouped bool, p, ownerPlan *plan) *option {
	free := len(m.freeNodes(c))
	fits := func(x *option) bool {
		placeholder := m.placeholderFor(x)
		return placeholder.Procs <= free && p.fits(placeholder, 0) && (ownerPlan == nil || ownerPlan.fits(m.untilSliceEnd(placeholder), 0))
	}
	if grouped && m.SerialBursts && m.mayJoinGroups(j) && m.simulation.jobs[j].Procs == 1 {
		if x := m.serialBurst(c, j, m.laterJobs(m.onlyWaiting(queue), j), fits); x != nil {
			return x
		}
	}
	var options []*option
	if x := m.aloneOption(5, j, 4); m.perNodeAlone(j) == 4 && fits(x) {
		options = append(options, x)
	}
	if grouped && m.mayJoinGroups(j) {
		options = append(options, m.firstFair(c, formation{1, m.asMember(j), m.laterJobs(m.onlyWaiting(queue), j), -1}, fits))
	}
	if x := m.optionWithLargestGain(options); x != nil {
		return x
	}
	return m.case4Option(j, fits)
}

// onlyWaiting returns the jobs of the queue that have not started.
func (m *sharedSim) onlyWaiting(queue []int) (out []int) {
	for _, j := range queue {
		if m.waits(j) {
			out = append(out, j)
		}
	}
	return out
}

// serialBurst returns a group whose primary is the first parallel job after the serial job j. Its
// matched jobs are serial and include j. It returns nil if there is no such group.
func (m *sharedSim) serialBurst(c, j int, later []int, fits func(*option) bool) *option {
	primary, serial := -1, []int{j}
	for _, k := range later {
		if m.simulation.jobs[k].Procs == 1 {
			serial = append(serial, k)
		} else if primary < 0 {
			primary = k
		}
	}
	if primary < 0 {
		return nil
	}
	return m.firstFair(c, formation{1, m.asMember(primary), serial, j}, fits)
}
