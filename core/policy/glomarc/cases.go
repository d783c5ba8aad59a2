package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// case1Groups returns the groups of the waiting primary a with other waiting jobs.
func (s *state) case1Groups(a *candidate, waiting []candidate) []option {
	return s.formGroups(log.CaseWaiting, a, waiting, job.None)
}

// case2Groups returns the groups of the waiting primary a with running jobs.
func (s *state) case2Groups(a *candidate, running []candidate) []option {
	return s.formGroups(log.CaseRunning, a, running, job.None)
}

// case3Groups returns the groups of running primaries with waiting jobs. As primaries it tries the
// least delayed running jobs, at most RUNNING_PRIM_NUM (a knob) of them. Each set contains the first
// waiting job.
func (s *state) case3Groups(running, waiting []candidate) (groups []option) {
	for i := range running[:min(len(running), s.g.runningPrimNum)] {
		groups = append(groups, s.formGroups(log.CaseJoin, &running[i], waiting, waiting[0].job)...)
	}
	return groups
}

// startByCase4 tries to start a job alone on its nodes, and reports whether it started. Formula 11
// gives its processes per node (PPN). If the job does not fit and may share nodes, startByCase4 tries
// other values of PPN.
func (s *state) startByCase4(j *candidate) bool {
	perNode := j.alone.PerNode
	if s.startAlone(j, perNode) {
		return true
	}
	if !s.mayShare(j) {
		return false
	}
	if perNode == 4 { // fewer processes per node take more nodes, but for less time
		perNode = s.g.PerNodeInGroup(j.alone)
		if s.startAlone(j, perNode) {
			return true
		}
	}
	return perNode == 1 && s.g.packAlone && s.g.ToleratesTwoProcesses(j.alone, s.p.Machine().SlotsPerNode()) && s.startAlone(j, 2)
}

// case5Option returns the option to start job f alone with four processes per node, if formula 11
// allows that, and records it as a set.
func (s *state) case5Option(f *candidate) []option {
	if f.alone.PerNode != 4 {
		return nil
	}
	o := option{code: log.CaseAlone, primary: *f, gain: f.alone.OwnGain()}
	s.recordSet(&o, log.CaseAlone)
	return []option{o}
}

// serialGroups returns the groups of waiting serial jobs with a parallel primary. Each group
// contains the first waiting job. The primary is the first waiting parallel job (Case 1) or a
// running one (Case 3).
func (s *state) serialGroups(waiting []candidate) []option {
	groups, _ := s.serialCase1Groups(waiting)
	running := filter(s.startedAlone(waiting[0].class), isParallel)
	return append(groups, s.case3Groups(running, filter(waiting, isSerial))...)
}

// serialCase1Groups returns the groups of serial jobs whose primary is the first waiting parallel
// job of their type. Each group contains the first waiting job. It reports whether there is such a
// primary.
func (s *state) serialCase1Groups(waiting []candidate) (groups []option, ok bool) {
	class := waiting[0].class
	i := slices.IndexFunc(waiting, func(c candidate) bool { return c.class == class && isParallel(&c) })
	if i < 0 {
		return nil, false
	}
	return s.formGroups(log.CaseWaiting, &waiting[i], filter(waiting, isSerial), waiting[0].job), true
}
